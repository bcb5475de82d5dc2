import { Button, NumberInput, SegmentedControl, TextInput } from '@mantine/core';
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
import { TokenOnce, unseenText } from '../../ui/TokenOnce.js';
import { LeaveDialog, Unsaved } from '../../ui/Unsaved.js';
import { Contacts } from '../bottle/contacts/ContactsTab.js';
import { type Draft, planOf } from '../bottle/schedule/draft.js';
import { NewPlanFields, schedulesOf, useNewPlan } from '../bottle/schedule/NewPlan.js';
import { NextDoses } from '../bottle/schedule/NextDoses.js';
import { scheduleText } from '../bottle/schedule/schedule-text.js';
import { ImportForm } from './ImportForm.js';
import classes from './RegisterPage.module.css';
import { t } from '../../i18n/i18n.js';

const METHODS = [
  { value: 'one', label: t('One bottle') },
  { value: 'many', label: t('Import from CSV') },
];

/** Registers one bottle in a form, or many from CSV. */
export function RegisterPage() {
  const [chosen, setMethod] = useState<string>();
  const method = chosen ?? 'one';
  if (!useMay('support')) {
    return (
      <NoAccess title={t('Register')}>
        {t('Registering bottles requires the support or admin role.')}
      </NoAccess>
    );
  }
  return (
    <>
      <PageHead title={t('Register')} />
      <SegmentedControl
        className={classes['method']}
        size="xs"
        aria-label={t('Method')}
        data={METHODS}
        value={method}
        onChange={setMethod}
      />
      {method === 'one' ? <RegisterForm begins={chosen === undefined} /> : <ImportForm />}
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
  label: string;
  time_zone: string;
  number_of_pills: number | '';
  /** The id of the bottle whose plan it is for; empty if it has its own. */
  plan_of: string;
  /** The steps of the plan; none if no schedule is added. */
  drafts: Draft[];
}

const EMPTY: Fields = {
  user_id: '',
  medication: '',
  label: '',
  time_zone: VIEWER_ZONE,
  number_of_pills: '',
  plan_of: '',
  drafts: [],
};

interface RegisterFormProps {
  /** The page was opened just now: the cursor is in the first field. */
  begins: boolean;
}

function RegisterForm({ begins }: RegisterFormProps) {
  const {
    values,
    set,
    saving: register,
    text,
    number,
  } = useForm({
    initial: EMPTY,
    save: (entered, key) => post<Registered>('/v1/bottles', bodyOf(entered), key),
  });
  const { time_zone, drafts } = values;
  const plan = useNewPlan(drafts, time_zone);
  const [schedule] = plan.schedules;
  const reset = (): void => {
    register.reset();
    set({ ...EMPTY, time_zone });
  };
  if (register.data) return <Result registered={register.data} fields={values} onReset={reset} />;
  const isDirty = values.user_id !== '' || values.medication !== '' || schedule !== undefined;
  return (
    <div className={schedule ? classes['columns'] : undefined}>
      <Panel title={t('New bottle')} className={schedule ? undefined : classes['narrow']}>
        {isDirty && !register.isPending && <Unsaved text={t('The bottle is not registered yet.')} />}
        <Form onSubmit={() => register.mutate()}>
          <div className={classes['row']}>
            <TextInput
              label={t('User ID')}
              description={t('The owner’s ID in your own system')}
              required
              maxLength={200}
              autoFocus={begins}
              {...text('user_id')}
            />
            <TextInput label={t('Medication')} required maxLength={200} {...text('medication')} />
          </div>
          <TextInput
            label={t('Label')}
            description={t('Optional, such as “blue, kitchen”: messages name the bottle by it')}
            maxLength={60}
            {...text('label')}
          />
          <div className={classes['row']}>
            <ZoneSelect label={t('Patient’s time zone')} {...text('time_zone')} />
            <NumberInput
              label={t('Pills in the bottle')}
              description={t('Optional')}
              min={0}
              max={100_000}
              step={1}
              {...number('number_of_pills')}
            />
          </div>
          <NewPlanFields
            plan={plan}
            drafts={drafts}
            zone={time_zone}
            error={register.error}
            onChange={(changed) => set({ drafts: changed })}
          />
          {!schedule && (
            <TextInput
              label={t('Plan of bottle')}
              description={t(
                'Optional: the ID of another bottle of this person and medication, whose doses may be taken from either',
              )}
              maxLength={24}
              {...text('plan_of')}
            />
          )}
          <FormError error={register.error} />
          <div>
            <Button type="submit" loading={register.isPending}>
              {t('Register bottle')}
            </Button>
          </div>
        </Form>
      </Panel>
      {schedule && (
        <NextDoses preview={plan.preview} schedule={schedule} zone={schedule.time_zone ?? time_zone} />
      )}
    </div>
  );
}

function bodyOf(entered: Fields): object {
  const { number_of_pills, plan_of, drafts, label, ...fields } = entered;
  return {
    ...fields,
    ...(label.trim() === '' ? {} : { label: label.trim() }),
    ...(plan_of.trim() === '' || drafts.length > 0 ? {} : { plan_of: plan_of.trim() }),
    ...(number_of_pills === '' ? {} : { number_of_pills }),
    ...planOf(schedulesOf(drafts, fields.time_zone)),
  };
}

interface ResultProps {
  registered: Registered;
  fields: Fields;
  onReset: () => void;
}

/** The new bottle: its token, a card to print, and who is notified. */
function Result({ registered: { bottle_id, token }, fields, onReset }: ResultProps) {
  const { medication, user_id, time_zone, drafts } = fields;
  const [seen, setSeen] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const print = (): void => {
    setSeen(true);
    window.print();
  };
  return (
    <div className={classes['result']}>
      <Panel title={t('Bottle registered')} className={classes['card']}>
        <p className={classes['done']}>
          {t('{{medication}} for {{user}}', { medication, user: user_id })}:{' '}
          <Link to="/bottles/$bottleId" params={{ bottleId: bottle_id }}>
            {bottle_id}
          </Link>
        </p>
        {schedulesOf(drafts, time_zone).map((schedule, index) => (
          <p key={index} className={classes['done']}>
            {scheduleText(schedule, time_zone, now())}.
          </p>
        ))}
        <TokenOnce token={token} name={t('Device token')} seen={seen} onSeen={() => setSeen(true)} />
        <div className={classes['buttons']} style={{ marginTop: 16 }}>
          <Button onClick={print}>{t('Print card')}</Button>
          <Button variant="default" onClick={() => (seen ? onReset() : setLeaving(true))}>
            {t('Register another bottle')}
          </Button>
        </div>
        {leaving && (
          <LeaveDialog
            text={unseenText(t('Device token'))}
            onStay={() => setLeaving(false)}
            onLeave={onReset}
          />
        )}
      </Panel>
      <Contacts userId={user_id} zone={time_zone} asksForNew />
    </div>
  );
}
