import { Button, NumberInput, SegmentedControl, Switch, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { fieldError } from '../../api/http.js';
import { post } from '../../api/request.js';
import { useMay } from '../../api/session.js';
import { queries } from '../../app/services.js';
import { now } from '../../time/clock.js';
import { VIEWER_ZONE } from '../../time/format.js';
import { ZoneSelect } from '../../time/ZoneSelect.js';
import { Form, FormError } from '../../ui/Form.js';
import { PageHead } from '../../ui/PageHead.js';
import { Panel } from '../../ui/Panel.js';
import { NoAccess } from '../../ui/States.js';
import { TokenOnce } from '../../ui/TokenOnce.js';
import { type Draft, draftOf, scheduleOf } from '../bottle/schedule/draft.js';
import { ScheduleFields } from '../bottle/schedule/ScheduleFields.js';
import { ImportForm } from './ImportForm.js';
import classes from './RegisterPage.module.css';

const METHODS = [
  { value: 'one', label: 'One bottle' },
  { value: 'many', label: 'Import from CSV' },
];

/** Registers one bottle in a form, or many from CSV. */
export function RegisterPage() {
  const [method, setMethod] = useState('one');
  if (!useMay('support')) {
    return <NoAccess title="Register">Registering bottles requires the support or admin role.</NoAccess>;
  }
  return (
    <>
      <PageHead title="Register" />
      <SegmentedControl
        className={classes['method']}
        size="xs"
        aria-label="Method"
        data={METHODS}
        value={method}
        onChange={setMethod}
      />
      {method === 'one' ? <RegisterForm /> : <ImportForm />}
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

function RegisterForm() {
  const [fields, setFields] = useState<Fields>(EMPTY);
  const [draft, setDraft] = useState<Draft>();
  const register = useMutation({
    mutationFn: () => post<Registered>('/v1/bottles', bodyOf(fields, draft)),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['bottles'] }),
  });
  const reset = (): void => {
    register.reset();
    setFields({ ...EMPTY, time_zone: fields.time_zone });
    setDraft(undefined);
  };
  const errorOf = (field: string): string | undefined => fieldError(register.error, field);
  if (register.data) return <Result registered={register.data} fields={fields} onReset={reset} />;
  return (
    <Panel title="New bottle" className={classes['narrow']}>
      <Form onSubmit={() => register.mutate()}>
        <div className={classes['row']}>
          <TextInput
            label="User ID"
            description="The owner’s ID in your own system"
            required
            maxLength={200}
            value={fields.user_id}
            error={errorOf('user_id')}
            onChange={(event) => setFields({ ...fields, user_id: event.currentTarget.value })}
          />
          <TextInput
            label="Medication"
            required
            maxLength={200}
            value={fields.medication}
            error={errorOf('medication')}
            onChange={(event) => setFields({ ...fields, medication: event.currentTarget.value })}
          />
        </div>
        <div className={classes['row']}>
          <ZoneSelect
            label="Patient’s time zone"
            zone={fields.time_zone}
            error={errorOf('time_zone')}
            onChange={(zone) => setFields({ ...fields, time_zone: zone })}
          />
          <NumberInput
            label="Pills in the bottle"
            description="Optional"
            min={0}
            max={100_000}
            allowDecimal={false}
            value={fields.pills}
            error={errorOf('number_of_pills')}
            onChange={(pills) => setFields({ ...fields, pills: pills === '' ? '' : Number(pills) })}
          />
        </div>
        <Switch
          label="Add a schedule"
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
        <FormError error={register.error} />
        <div>
          <Button type="submit" loading={register.isPending}>
            Register bottle
          </Button>
        </div>
      </Form>
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

interface ResultProps {
  registered: Registered;
  fields: Fields;
  onReset: () => void;
}

function Result({ registered: { bottle_id, token }, fields: { medication, user_id }, onReset }: ResultProps) {
  return (
    <Panel title="Bottle registered" className={classes['narrow']}>
      <p className={classes['done']}>
        {medication} for {user_id}:{' '}
        <Link to="/bottles/$bottleId" params={{ bottleId: bottle_id }}>
          {bottle_id}
        </Link>
      </p>
      <TokenOnce token={token} name="Device token" />
      <div className={classes['buttons']} style={{ marginTop: 16 }}>
        <Button variant="default" onClick={onReset}>
          Register another bottle
        </Button>
      </div>
    </Panel>
  );
}
