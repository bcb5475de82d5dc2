import { Button, Select, Switch, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldError } from '../../../api/http.js';
import { put, remove } from '../../../api/request.js';
import type { Contact, ContactDetails, EscalationStep } from '../../../api/types.js';
import { queries } from '../../../app/services.js';
import { ADDRESS_FIELDS } from '../../../channels.js';
import { ZoneSelect } from '../../../time/ZoneSelect.js';
import { Form, FormError } from '../../../ui/Form.js';
import { notify } from '../../../ui/notify.js';
import { Panel } from '../../../ui/Panel.js';
import classes from './Contacts.module.css';

/** The escalation of a contact that sets none. */
export const DEFAULT_STEPS: EscalationStep[] = [{ after: '0m', to: 'user' }];

interface ContactEditorProps {
  userId: string;
  path: string;
  contact: Contact | null;
  bottleZone: string;
  onClose: () => void;
}

/** Replaces the whole contact, or deletes it. */
export function ContactEditor({ userId, path, contact, bottleZone, onClose }: ContactEditorProps) {
  const { carer: oldCarer, escalation, ...channels } = contact ?? { time_zone: bottleZone };
  const [user, setUser] = useState<ContactDetails>(channels);
  const [carer, setCarer] = useState<ContactDetails | undefined>(oldCarer);
  const [steps, setSteps] = useState<EscalationStep[]>(escalation ?? DEFAULT_STEPS);
  const done = async (text: string): Promise<void> => {
    await queries.invalidateQueries({ queryKey: ['contact', userId] });
    notify(text);
    onClose();
  };
  const save = useMutation({
    mutationFn: () => put(path, { ...user, ...(carer ? { carer } : {}), escalation: steps }),
    onSuccess: () => done('Contact saved.'),
  });
  const deletion = useMutation({
    mutationFn: () => remove(path),
    onSuccess: () => done('Contact deleted. Alerts now go to the operator.'),
  });
  const errorOf = (field: string): string | undefined => fieldError(save.error, field);
  return (
    <Form onSubmit={() => save.mutate()} className={classes['form']}>
      <Panel title={`User ${userId}`}>
        <ChannelFields channels={user} onChange={setUser} errorOf={errorOf} />
      </Panel>
      <Panel title="Carer">
        <div className={classes['group']}>
          <Switch
            label="Has a carer"
            checked={carer !== undefined}
            onChange={(event) =>
              setCarer(event.currentTarget.checked ? { time_zone: bottleZone } : undefined)
            }
          />
          {carer && (
            <ChannelFields
              channels={carer}
              onChange={setCarer}
              errorOf={(field) => errorOf(`carer.${field}`)}
            />
          )}
        </div>
      </Panel>
      <Panel title="Escalation">
        <StepFields steps={steps} onChange={setSteps} errorOf={errorOf} />
      </Panel>
      <FormError error={save.error ?? deletion.error} />
      <div className={classes['row']}>
        <Button type="submit" loading={save.isPending}>
          Save contact
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        {contact && (
          <Button variant="subtle" color="red" loading={deletion.isPending} onClick={() => deletion.mutate()}>
            Delete contact
          </Button>
        )}
      </div>
    </Form>
  );
}

interface ChannelFieldsProps {
  channels: ContactDetails;
  onChange: (channels: ContactDetails) => void;
  errorOf: (field: string) => string | undefined;
}

const NIGHT = { from: '22:00', to: '07:00' };

/** How and when one person is notified. */
function ChannelFields({ channels, onChange, errorOf }: ChannelFieldsProps) {
  const { quiet_hours } = channels;
  /** Sets a field, or removes it if the value is undefined. */
  const set = <K extends keyof ContactDetails>(field: K, value: ContactDetails[K] | undefined): void => {
    const { [field]: _old, ...others } = channels;
    onChange(value === undefined ? others : { ...others, [field]: value });
  };
  return (
    <div className={classes['group']}>
      {ADDRESS_FIELDS.filter(({ input }) => input === 'switch').map(({ key, title, label = title }) => (
        <Switch
          key={key}
          label={label}
          checked={channels[key] === true}
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
              value={String(channels[key] ?? '')}
              error={errorOf(key)}
              onChange={(event) => set(key, event.currentTarget.value.trim() || undefined)}
            />
          ),
        )}
        <ZoneSelect
          width={240}
          value={channels.time_zone ?? ''}
          error={errorOf('time_zone')}
          onChange={(zone) => set('time_zone', zone || undefined)}
        />
      </div>
      <Switch
        label="Quiet hours"
        description="Non-critical notifications wait until quiet hours end."
        checked={quiet_hours !== undefined}
        onChange={(event) => set('quiet_hours', event.currentTarget.checked ? NIGHT : undefined)}
      />
      {quiet_hours && (
        <div className={classes['row']}>
          {(['from', 'to'] as const).map((end) => (
            <TextInput
              key={end}
              type="time"
              label={end === 'from' ? 'From' : 'To'}
              required
              value={quiet_hours[end]}
              error={errorOf(`quiet_hours.${end}`)}
              onChange={(event) => set('quiet_hours', { ...quiet_hours, [end]: event.currentTarget.value })}
            />
          ))}
        </div>
      )}
    </div>
  );
}

interface StepFieldsProps {
  steps: EscalationStep[];
  onChange: (steps: EscalationStep[]) => void;
  errorOf: (field: string) => string | undefined;
}

const RECIPIENTS = [
  { value: 'user', label: 'User' },
  { value: 'carer', label: 'Carer' },
];

/** The steps of an escalation. */
function StepFields({ steps, onChange, errorOf }: StepFieldsProps) {
  const replace = (index: number, step: EscalationStep): void =>
    onChange(steps.map((other, place) => (place === index ? step : other)));
  const stepError = (index: number, field: string): string | undefined =>
    errorOf(`escalation[${index}].${field}`) ?? errorOf(`escalation.${index}.${field}`);
  return (
    <div className={classes['group']}>
      {steps.map((step, index) => (
        <fieldset
          key={index}
          className={`${classes['row']} ${classes['step']}`}
          aria-label={`Step ${index + 1}`}
        >
          <TextInput
            label="After"
            description="For example 30m, 2h"
            w={150}
            value={step.after}
            error={stepError(index, 'after')}
            onChange={(event) => replace(index, { ...step, after: event.currentTarget.value.trim() })}
          />
          <Select
            label="Notify"
            w={130}
            data={RECIPIENTS}
            value={step.to}
            onChange={(to) => replace(index, { ...step, to: (to ?? 'user') as EscalationStep['to'] })}
          />
          <TextInput
            label="Repeat every"
            description="Optional"
            w={150}
            value={step.repeat ?? ''}
            error={stepError(index, 'repeat')}
            onChange={(event) => {
              const repeat = event.currentTarget.value.trim();
              const { repeat: _old, ...others } = step;
              replace(index, repeat === '' ? others : { ...others, repeat });
            }}
          />
          <Button
            variant="subtle"
            color="gray"
            mt={24}
            onClick={() => onChange(steps.filter((_, place) => place !== index))}
            disabled={steps.length === 1}
          >
            Remove
          </Button>
        </fieldset>
      ))}
      <div>
        <Button variant="default" onClick={() => onChange([...steps, { after: '30m', to: 'carer' }])}>
          Add step
        </Button>
      </div>
    </div>
  );
}
