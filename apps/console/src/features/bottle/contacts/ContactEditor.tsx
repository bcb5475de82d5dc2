import { Button, MultiSelect, Select, Switch, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ALARMING_KINDS, alertKind } from '../../../alert-kinds/alert-kinds.js';
import { IF_NONE, ifMatch, request, type Versioned } from '../../../api/request.js';
import type { Contact, ContactDetails, EscalationStep } from '../../../api/schema.js';
import { queries } from '../../../app/services.js';
import { ADDRESS_FIELDS, unverifiedFields, withAddress } from '../../../channels.js';
import { ZoneSelect } from '../../../time/ZoneSelect.js';
import { Conflict } from '../../../ui/conflict/Conflict.js';
import { Confirmed } from '../../../ui/Confirmed.js';
import { Form, FormError } from '../../../ui/Form.js';
import { notify } from '../../../ui/notify.js';
import { Panel } from '../../../ui/Panel.js';
import { Unsaved } from '../../../ui/Unsaved.js';
import classes from './Contacts.module.css';
import { fieldError } from '../../../errors/error-text.js';
import { t } from '../../../i18n/i18n.js';
import { readContact } from '../../person/ContactLine.js';
import { LANGUAGE_LABELS } from './languages.js';
import { ReminderFields } from './reminders.js';

/** The escalation of a contact that sets none. */
export const DEFAULT_STEPS: EscalationStep[] = [{ after: '0m', to: 'user' }];

interface ContactEditorProps {
  userId: string;
  path: string;
  contact: Versioned<Contact> | null;
  bottleZone: string;
  onClose: () => void;
}

/** Replaces the whole contact, or deletes it, on condition that it is as it was when the editor was opened. */
export function ContactEditor({ userId, path, contact, bottleZone, onClose }: ContactEditorProps) {
  const [seen] = useState(contact);
  const {
    carer: oldCarer,
    escalation,
    version,
    warnings: _warnings,
    fills_pillbox: fillsPillbox = false,
    ...channels
  }: Versioned<Contact> = seen ?? {
    time_zone: bottleZone,
  };
  const [user, setUser] = useState<ContactDetails>(channels);
  const isNew = seen === null;
  const [carer, setCarer] = useState<ContactDetails | undefined>(
    isNew ? { time_zone: bottleZone } : oldCarer,
  );
  // whoever is new and has no carer leaves the fields blank
  const sentCarer = isNew && carer && !hasAddress(carer) ? undefined : carer;
  const [steps, setSteps] = useState<EscalationStep[]>(escalation ?? DEFAULT_STEPS);
  const [fills, setFills] = useState(fillsPillbox);
  const entered = JSON.stringify([user, carer, steps, fills]);
  const [initial] = useState(entered);
  const done = async (text: string): Promise<void> => {
    await queries.invalidateQueries({ queryKey: ['contact', userId] });
    notify(text);
    onClose();
  };
  const body: Partial<Contact> = {
    ...user,
    ...(fills && { fills_pillbox: true }),
    ...(sentCarer ? { carer: sentCarer } : {}),
    escalation: steps,
  };
  const save = useMutation({
    mutationFn: (sent: { body: Partial<Contact>; version: string | undefined }) =>
      request('PUT', path, {
        body: sent.body,
        headers: sent.version === undefined ? IF_NONE : ifMatch(sent.version),
      }),
    onSuccess: () => done(t('Contact saved.')),
  });
  const deletion = useMutation({
    mutationFn: () => request('DELETE', path, { headers: ifMatch(version) }),
    onSuccess: () => done(t('Contact deleted. Alerts now go to the operator.')),
  });
  const errorOf = (field: string): string | undefined => fieldError(save.error, field);
  return (
    <Form onSubmit={() => save.mutate({ body, version })} className={classes['form']}>
      {entered !== initial && <Unsaved text={t('The changes of the contact are not saved.')} />}
      <Panel title={t('User {{userId}}', { userId })}>
        <ChannelFields channels={user} onChange={setUser} errorOf={errorOf} isFirst />
        <Switch
          label={t('Fills a pillbox every week')}
          description={t('When pills for later doses are removed, messages ask whether they are in it.')}
          checked={fills}
          onChange={(event) => setFills(event.currentTarget.checked)}
        />
      </Panel>
      <Panel title={t('Carer')}>
        <div className={classes['group']}>
          {isNew ? (
            <p className={classes['quiet']}>{t('Leave blank if there is none.')}</p>
          ) : (
            <Switch
              label={t('Has a carer')}
              checked={carer !== undefined}
              onChange={(event) =>
                setCarer(event.currentTarget.checked ? { time_zone: bottleZone } : undefined)
              }
            />
          )}
          {carer && (
            <ChannelFields
              channels={carer}
              onChange={setCarer}
              errorOf={(field) => errorOf(`carer.${field}`)}
            />
          )}
        </div>
      </Panel>
      <Panel title={t('Escalation')}>
        <StepFields steps={steps} onChange={setSteps} errorOf={errorOf} />
        {sentCarer && steps.every(({ to }) => to !== 'carer') && (
          <p className={classes['quiet']}>{t('No step goes to the carer: they are not notified.')}</p>
        )}
      </Panel>
      <FormError error={save.error ?? deletion.error} />
      <Conflict
        error={save.error}
        base={seen ? enteredOf(seen) : {}}
        mine={save.variables?.body ?? body}
        read={async () => {
          const now = await readContact(path);
          return { value: now && enteredOf(now), version: now?.version };
        }}
        isSaving={save.isPending}
        onSave={(merged, latest) => save.mutate({ body: merged, version: latest })}
      />
      <div className={classes['row']}>
        <Button type="submit" loading={save.isPending}>
          {t('Save contact')}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t('Cancel')}
        </Button>
        {contact && (
          <Confirmed
            label={t('Delete contact')}
            action={t('Delete the contact')}
            text={t('Alerts then go to the operator.')}
            variant="subtle"
            color="red"
            pending={deletion.isPending}
            onConfirm={() => deletion.mutate()}
          />
        )}
      </div>
    </Form>
  );
}

/** What the form has of a contact. */
function enteredOf({
  version: _version,
  warnings: _warnings,
  ...contact
}: Versioned<Contact>): Partial<Contact> {
  return { ...contact, escalation: contact.escalation ?? DEFAULT_STEPS };
}

const hasAddress = (details: ContactDetails): boolean =>
  ADDRESS_FIELDS.some(({ key }) => Boolean(details[key]));

interface ChannelFieldsProps {
  channels: ContactDetails;
  onChange: (channels: ContactDetails) => void;
  errorOf: (field: string) => string | undefined;
  /** The cursor begins here. */
  isFirst?: boolean;
}

const LANGUAGE_CHOICES = [
  { value: '', label: t('That of the browser') },
  ...Object.entries(LANGUAGE_LABELS).map(([value, label]) => ({ value, label })),
];

const NIGHT = { from: '22:00', to: '07:00' };

/** How and when one person is notified. */
function ChannelFields({ channels, onChange, errorOf, isFirst = false }: ChannelFieldsProps) {
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
        {ADDRESS_FIELDS.filter(({ input }) => input !== 'switch').map((field, index) => (
          <TextInput
            key={field.key}
            autoFocus={isFirst && index === 0}
            label={field.label ?? field.title}
            type={field.input}
            w={280}
            value={String(channels[field.key] ?? '')}
            error={errorOf(field.key)}
            onChange={({ currentTarget }) => onChange(withAddress(channels, field, currentTarget.value))}
          />
        ))}
        <ZoneSelect
          width={240}
          value={channels.time_zone ?? ''}
          error={errorOf('time_zone')}
          onChange={(zone) => set('time_zone', zone || undefined)}
        />
        <Select
          label={t('Language of pages')}
          description={t('Behind the links in messages')}
          w={240}
          data={LANGUAGE_CHOICES}
          value={channels.language ?? ''}
          allowDeselect={false}
          onChange={(language) => set('language', (language || undefined) as ContactDetails['language'])}
        />
      </div>
      {unverifiedFields(channels).map(({ key, verification: { label, description } }) => (
        <Switch
          key={key}
          label={label}
          description={description}
          checked={channels[`${key}_verified`] === true}
          onChange={(event) => set(`${key}_verified`, event.currentTarget.checked || undefined)}
        />
      ))}
      {channels.push !== undefined && (
        <Switch
          label={t('Their browsers show messages')}
          description={t('Once off, the person must add each browser again, on the page of a message.')}
          checked={channels.push}
          onChange={(event) => set('push', event.currentTarget.checked)}
        />
      )}
      <Switch
        label={t('Quiet hours')}
        description={t('Non-critical notifications wait until quiet hours end.')}
        checked={quiet_hours !== undefined}
        onChange={(event) => set('quiet_hours', event.currentTarget.checked ? NIGHT : undefined)}
      />
      {quiet_hours && (
        <div className={classes['row']}>
          {(['from', 'to'] as const).map((end) => (
            <TextInput
              key={end}
              type="time"
              label={end === 'from' ? t('From') : t('To')}
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

const KINDS = ALARMING_KINDS.map((kind) => ({ value: kind, label: alertKind(kind).label }));

const RECIPIENTS = [
  { value: 'user', label: t('User') },
  { value: 'carer', label: t('Carer') },
];

/** The steps of an escalation. */
function StepFields({ steps, onChange, errorOf }: StepFieldsProps) {
  const replace = (index: number, step: EscalationStep): void =>
    onChange(steps.map((other, place) => (place === index ? step : other)));
  const stepError = (index: number, field: string): string | undefined =>
    errorOf(`escalation[${index}].${field}`) ?? errorOf(`escalation.${index}.${field}`);
  const labelOf = (index: number): string => t('Step {{number}}', { number: index + 1 });
  const remove = (index: number): void => onChange(steps.filter((_, place) => place !== index));
  return (
    <div className={classes['group']}>
      {steps.map((step, index) =>
        step.remind !== undefined ? (
          <ReminderFields
            key={index}
            label={labelOf(index)}
            remind={step.remind}
            error={stepError(index, 'remind')}
            onChange={(changed) => replace(index, changed)}
            onRemove={() => remove(index)}
          />
        ) : (
          <fieldset
            key={index}
            className={`${classes['row']} ${classes['step']}`}
            aria-label={labelOf(index)}
          >
            <TextInput
              label={t('After')}
              description={t('For example 30m, 2h')}
              w={150}
              value={step.after ?? ''}
              error={stepError(index, 'after')}
              onChange={(event) => replace(index, { ...step, after: event.currentTarget.value.trim() })}
            />
            <Select
              label={t('Notify')}
              w={130}
              data={RECIPIENTS}
              value={step.to}
              onChange={(to) => replace(index, { ...step, to: (to ?? 'user') as EscalationStep['to'] })}
            />
            <TextInput
              label={t('Repeat every')}
              description={t('Optional')}
              w={150}
              value={step.repeat ?? ''}
              error={stepError(index, 'repeat')}
              onChange={(event) => {
                const repeat = event.currentTarget.value.trim();
                const { repeat: _old, ...others } = step;
                replace(index, repeat === '' ? others : { ...others, repeat });
              }}
            />
            <MultiSelect
              label={t('Only for')}
              description={t('All kinds if empty')}
              w={300}
              data={KINDS}
              value={step.kinds ?? []}
              error={stepError(index, 'kinds')}
              onChange={(kinds) => {
                const { kinds: _old, ...others } = step;
                replace(index, kinds.length === 0 ? others : { ...others, kinds });
              }}
            />
            <Button
              variant="subtle"
              color="gray"
              mt={24}
              onClick={() => remove(index)}
              disabled={steps.filter(({ remind }) => remind === undefined).length === 1}
            >
              {t('Remove')}
            </Button>
          </fieldset>
        ),
      )}
      <div>
        <Button variant="default" onClick={() => onChange([...steps, { after: '30m', to: 'carer' }])}>
          {t('Add step')}
        </Button>{' '}
        <Button variant="default" onClick={() => onChange([...steps, { remind: '0m', to: 'user' }])}>
          {t('Add reminder')}
        </Button>
      </div>
    </div>
  );
}
