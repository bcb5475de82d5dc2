import { Button, NumberInput, SegmentedControl, Switch, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { post } from '../../api/request.js';
import { useMay } from '../../api/session.js';
import { now } from '../../time/clock.js';
import { VIEWER_ZONE } from '../../time/format.js';
import { ZoneSelect } from '../../time/ZoneSelect.js';
import { Form, FormError, useForm } from '../../ui/Form.js';
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
  number_of_pills: number | '';
  /** The schedule, if one is added. */
  draft: Draft | undefined;
}

const EMPTY: Fields = {
  user_id: '',
  medication: '',
  time_zone: VIEWER_ZONE,
  number_of_pills: '',
  draft: undefined,
};

function RegisterForm() {
  const {
    values,
    set,
    saving: register,
    text,
    number,
  } = useForm({
    initial: EMPTY,
    save: (entered) => post<Registered>('/v1/bottles', bodyOf(entered)),
  });
  const { time_zone, draft } = values;
  const reset = (): void => {
    register.reset();
    set({ ...EMPTY, time_zone });
  };
  if (register.data) return <Result registered={register.data} fields={values} onReset={reset} />;
  return (
    <Panel title="New bottle" className={classes['narrow']}>
      <Form onSubmit={() => register.mutate()}>
        <div className={classes['row']}>
          <TextInput
            label="User ID"
            description="The owner’s ID in your own system"
            required
            maxLength={200}
            {...text('user_id')}
          />
          <TextInput label="Medication" required maxLength={200} {...text('medication')} />
        </div>
        <div className={classes['row']}>
          <ZoneSelect label="Patient’s time zone" {...text('time_zone')} />
          <NumberInput
            label="Pills in the bottle"
            description="Optional"
            min={0}
            max={100_000}
            allowDecimal={false}
            {...number('number_of_pills')}
          />
        </div>
        <Switch
          label="Add a schedule"
          checked={draft !== undefined}
          onChange={(event) =>
            set({ draft: event.currentTarget.checked ? draftOf(undefined, time_zone, now()) : undefined })
          }
        />
        {draft && (
          <ScheduleFields
            draft={draft}
            bottleZone={time_zone}
            error={register.error}
            onChange={(changed) => set({ draft: changed })}
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

function bodyOf({ number_of_pills, draft, ...fields }: Fields): object {
  return {
    ...fields,
    ...(number_of_pills === '' ? {} : { number_of_pills }),
    ...(draft ? { schedule: scheduleOf(draft, fields.time_zone) } : {}),
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
