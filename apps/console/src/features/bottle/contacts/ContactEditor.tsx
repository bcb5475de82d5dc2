import { Button, Select, Switch, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldError } from '../../../api/http.js';
import { put, remove } from '../../../api/request.js';
import type { Contact, EscalationStep, ContactChannels } from '../../../api/types.js';
import { queries } from '../../../app/services.js';
import { ADDRESS_FIELDS } from '../../../channels.js';
import { ZONES } from '../../../time/all-zones.js';
import { notify } from '../../../ui/notify.js';
import { Panel } from '../../../ui/Panel.js';
import { explain } from '../../../ui/States.js';
import classes from './Contacts.module.css';
import { DEFAULT_STEPS } from './ContactsTab.js';

interface ContactEditorProps {
  userId: string;
  path: string;
  contact: Contact | null;
  bottleZone: string;
  onClose: () => void;
}

/** Writes the whole contact: what is left out is no longer so. */
export function ContactEditor({ userId, path, contact, bottleZone, onClose }: ContactEditorProps) {
  const [user, setUser] = useState<ContactChannels>(() => channelsOf(contact ?? { time_zone: bottleZone }));
  const [carer, setCarer] = useState<ContactChannels | undefined>(contact?.carer);
  const [steps, setSteps] = useState<EscalationStep[]>(contact?.escalation ?? DEFAULT_STEPS);
  const done = async (text: string): Promise<void> => {
    await queries.invalidateQueries({ queryKey: ['contact', userId] });
    notify(text);
    onClose();
  };
  const save = useMutation({
    mutationFn: () => put(path, { ...user, ...(carer ? { carer } : {}), escalation: steps }),
    onSuccess: () => done('The contact has been saved.'),
  });
  const forget = useMutation({
    mutationFn: () => remove(path),
    onSuccess: () => done('The contact has been forgotten. Alerts go to the operator.'),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  const refused = save.error ?? forget.error;
  return (
    <form onSubmit={submit} className={classes['form']}>
      <Panel title={`User ${userId}`}>
        <ChannelFields contact={user} onChange={setUser} wrong={(field) => fieldError(save.error, field)} />
      </Panel>
      <Panel title="Carer">
        <div className={classes['group']}>
          <Switch
            label="Somebody looks after them"
            checked={carer !== undefined}
            onChange={(event) =>
              setCarer(event.currentTarget.checked ? { time_zone: bottleZone } : undefined)
            }
          />
          {carer && (
            <ChannelFields
              contact={carer}
              onChange={setCarer}
              wrong={(field) => fieldError(save.error, `carer.${field}`)}
            />
          )}
        </div>
      </Panel>
      <Panel title="Who is told when">
        <StepFields steps={steps} onChange={setSteps} wrong={(field) => fieldError(save.error, field)} />
      </Panel>
      {refused && (
        <p role="alert" className={classes['error']}>
          {explain(refused).join('. ')}
        </p>
      )}
      <div className={classes['row']}>
        <Button type="submit" loading={save.isPending}>
          Save the contact
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        {contact && (
          <Button variant="subtle" color="red" loading={forget.isPending} onClick={() => forget.mutate()}>
            Forget this contact
          </Button>
        )}
      </div>
    </form>
  );
}

const FIELDS = [...ADDRESS_FIELDS.map(({ key }) => key), 'time_zone', 'quiet_hours'] as const;

/** The user's own part of a contact. */
function channelsOf(contact: ContactChannels): ContactChannels {
  return Object.fromEntries(
    FIELDS.flatMap((field) => (contact[field] === undefined ? [] : [[field, contact[field]]])),
  );
}

interface ChannelFieldsProps {
  contact: ContactChannels;
  onChange: (contact: ContactChannels) => void;
  wrong: (field: string) => string | undefined;
}

const NIGHT = { from: '22:00', to: '07:00' };

/** Over which channels one person is notified, and when not. */
export function ChannelFields({ contact, onChange, wrong }: ChannelFieldsProps) {
  const { quiet_hours } = contact;
  const set = <Field extends keyof ContactChannels>(field: Field, value: ContactChannels[Field]): void => {
    const { [field]: _old, ...others } = contact;
    onChange(value === undefined ? others : { ...others, [field]: value });
  };
  return (
    <div className={classes['group']}>
      {ADDRESS_FIELDS.filter(({ input }) => input === 'switch').map(({ key, title, label = title }) => (
        <Switch
          key={key}
          label={label}
          checked={contact[key] === true}
          onChange={(event) => set(key, event.currentTarget.checked)}
        />
      ))}
      <div className={classes['row']}>
        {ADDRESS_FIELDS.filter(({ input }) => input !== 'switch').map(
          ({ key, title, label = title, input }) => (
            <TextInput
              key={key}
              label={label}
              type={input}
              w={280}
              value={String(contact[key] ?? '')}
              error={wrong(key)}
              onChange={(event) => set(key, event.currentTarget.value.trim() || undefined)}
            />
          ),
        )}
        <Select
          label="Time zone"
          w={240}
          searchable
          data={ZONES}
          value={contact.time_zone ?? null}
          error={wrong('time_zone')}
          onChange={(zone) => zone !== null && set('time_zone', zone)}
        />
      </div>
      <Switch
        label="Quiet hours: messages wait until they are over"
        checked={quiet_hours !== undefined}
        onChange={(event) => set('quiet_hours', event.currentTarget.checked ? NIGHT : undefined)}
      />
      {quiet_hours && (
        <div className={classes['row']}>
          <TextInput
            type="time"
            label="From"
            required
            withAsterisk={false}
            value={quiet_hours.from}
            error={wrong('quiet_hours.from')}
            onChange={(event) => set('quiet_hours', { ...quiet_hours, from: event.currentTarget.value })}
          />
          <TextInput
            type="time"
            label="To"
            required
            withAsterisk={false}
            value={quiet_hours.to}
            error={wrong('quiet_hours.to')}
            onChange={(event) => set('quiet_hours', { ...quiet_hours, to: event.currentTarget.value })}
          />
        </div>
      )}
    </div>
  );
}

interface StepFieldsProps {
  steps: EscalationStep[];
  onChange: (steps: EscalationStep[]) => void;
  wrong: (field: string) => string | undefined;
}

const WHO = [
  { value: 'user', label: 'the user' },
  { value: 'carer', label: 'the carer' },
];

/** The order in which people are told until somebody acknowledges. */
export function StepFields({ steps, onChange, wrong }: StepFieldsProps) {
  const replace = (index: number, step: EscalationStep): void =>
    onChange(steps.map((other, place) => (place === index ? step : other)));
  return (
    <div className={classes['group']}>
      {steps.map((step, index) => (
        <fieldset
          key={index}
          className={classes['row']}
          style={{ border: 0, margin: 0, padding: 0 }}
          aria-label={`Step ${index + 1}`}
        >
          <TextInput
            label="After (such as 30m, 2h)"
            w={160}
            value={step.after}
            error={wrong(`escalation[${index}].after`) ?? wrong(`escalation.${index}.after`)}
            onChange={(event) => replace(index, { ...step, after: event.currentTarget.value.trim() })}
          />
          <Select
            label="tell"
            w={130}
            data={WHO}
            value={step.to}
            onChange={(to) => replace(index, { ...step, to: (to ?? 'user') as EscalationStep['to'] })}
          />
          <TextInput
            label="again every (may be empty)"
            w={180}
            value={step.repeat ?? ''}
            error={wrong(`escalation[${index}].repeat`) ?? wrong(`escalation.${index}.repeat`)}
            onChange={(event) => {
              const repeat = event.currentTarget.value.trim();
              const { repeat: _old, ...others } = step;
              replace(index, repeat === '' ? others : { ...others, repeat });
            }}
          />
          <Button
            variant="subtle"
            color="gray"
            onClick={() => onChange(steps.filter((_, place) => place !== index))}
            disabled={steps.length === 1}
          >
            Take away
          </Button>
        </fieldset>
      ))}
      <div>
        <Button variant="default" onClick={() => onChange([...steps, { after: '30m', to: 'carer' }])}>
          Add a step
        </Button>
      </div>
    </div>
  );
}
