import { Button, NumberInput, SegmentedControl, Select, Switch, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { fieldError } from '../../api/http.js';
import { post } from '../../api/request.js';
import { useMay } from '../../api/session.js';
import { queries } from '../../app/services.js';
import { ZONES } from '../../time/all-zones.js';
import { now } from '../../time/clock.js';
import { VIEWER_ZONE } from '../../time/format.js';
import { PageHead } from '../../ui/PageHead.js';
import { Panel } from '../../ui/Panel.js';
import { Empty, explain } from '../../ui/States.js';
import { TokenOnce } from '../../ui/TokenOnce.js';
import { type Draft, draftOf, scheduleOf } from '../bottle/schedule/draft.js';
import { ScheduleFields } from '../bottle/schedule/ScheduleFields.js';
import { ImportForm } from './ImportForm.js';
import classes from './RegisterPage.module.css';

const WAYS = [
  { value: 'one', label: 'One bottle' },
  { value: 'many', label: 'Many, from CSV' },
];

/** New bottles: one by a form, or many from a file. */
export function RegisterPage() {
  const [way, setWay] = useState('one');
  if (!useMay('support')) {
    return (
      <>
        <PageHead title="Register" />
        <Empty title="Your role is viewer">Somebody of support or an admin can register bottles.</Empty>
      </>
    );
  }
  return (
    <>
      <PageHead title="Register" />
      <SegmentedControl
        className={classes['way']}
        size="xs"
        aria-label="How many"
        data={WAYS}
        value={way}
        onChange={setWay}
      />
      {way === 'one' ? <RegisterForm /> : <ImportForm />}
    </>
  );
}

interface Registered {
  bottle_id: string;
  token: string;
}

interface Fields {
  user_id: string;
  medication: string;
  time_zone: string;
  pills: number | '';
}

const EMPTY: Fields = { user_id: '', medication: '', time_zone: VIEWER_ZONE, pills: '' };

/** One new bottle, with a schedule if it is known already. */
export function RegisterForm() {
  const [fields, setFields] = useState<Fields>(EMPTY);
  const [draft, setDraft] = useState<Draft>();
  const register = useMutation({
    mutationFn: () => post<Registered>('/v1/bottles', bodyOf(fields, draft)),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['bottles'] }),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    register.mutate();
  };
  const again = (): void => {
    register.reset();
    setFields({ ...EMPTY, time_zone: fields.time_zone });
    setDraft(undefined);
  };
  const wrong = (field: string): string | undefined => fieldError(register.error, field);
  if (register.data) return <Done registered={register.data} fields={fields} onAgain={again} />;
  return (
    <Panel title="A new bottle" className={classes['narrow']}>
      <form onSubmit={submit} className={classes['form']}>
        <div className={classes['row']}>
          <TextInput
            label="User id"
            description="The owner, by the operator’s own id"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            required
            withAsterisk={false}
            maxLength={200}
            value={fields.user_id}
            error={wrong('user_id')}
            onChange={(event) => setFields({ ...fields, user_id: event.currentTarget.value })}
          />
          <TextInput
            label="Medication"
            required
            withAsterisk={false}
            maxLength={200}
            value={fields.medication}
            error={wrong('medication')}
            onChange={(event) => setFields({ ...fields, medication: event.currentTarget.value })}
          />
        </div>
        <div className={classes['row']}>
          <Select
            label="Time zone"
            description="Where the bottle is at home"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            searchable
            data={ZONES}
            value={fields.time_zone}
            error={wrong('time_zone')}
            onChange={(zone) => setFields({ ...fields, time_zone: zone ?? fields.time_zone })}
          />
          <NumberInput
            label="Pills in it now"
            description="May be left empty"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            min={0}
            max={100_000}
            allowDecimal={false}
            value={fields.pills}
            error={wrong('number_of_pills')}
            onChange={(pills) => setFields({ ...fields, pills: pills === '' ? '' : Number(pills) })}
          />
        </div>
        <Switch
          label="With a schedule"
          checked={draft !== undefined}
          onChange={(event) =>
            setDraft(event.currentTarget.checked ? draftOf(undefined, fields.time_zone, now()) : undefined)
          }
        />
        {draft && (
          <ScheduleFields
            draft={draft}
            bottleZone={fields.time_zone}
            error={register.error}
            onChange={setDraft}
          />
        )}
        {register.error && (
          <p role="alert" className={classes['error']}>
            {explain(register.error).join('. ')}
          </p>
        )}
        <div>
          <Button type="submit" loading={register.isPending}>
            Register
          </Button>
        </div>
      </form>
    </Panel>
  );
}

function bodyOf({ user_id, medication, time_zone, pills }: Fields, draft: Draft | undefined): object {
  return {
    user_id,
    medication,
    time_zone,
    ...(pills === '' ? {} : { number_of_pills: pills }),
    ...(draft ? { schedule: scheduleOf(draft, time_zone) } : {}),
  };
}

interface DoneProps {
  registered: Registered;
  fields: Fields;
  onAgain: () => void;
}

function Done({ registered: { bottle_id, token }, fields: { medication, user_id }, onAgain }: DoneProps) {
  return (
    <Panel title="The bottle is registered" className={classes['narrow']}>
      <p className={classes['done']}>
        {medication} of {user_id}:{' '}
        <Link to="/bottles/$bottleId" params={{ bottleId: bottle_id }}>
          {bottle_id}
        </Link>
      </p>
      <TokenOnce token={token} name="Token of the device" />
      <div className={classes['buttons']} style={{ marginTop: 16 }}>
        <Button variant="default" onClick={onAgain}>
          Register another
        </Button>
      </div>
    </Panel>
  );
}
