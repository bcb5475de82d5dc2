import { Button, MultiSelect, Select, Switch, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ALARMING_KINDS, alertKind } from '../../../alert-kinds/alert-kinds.js';
import { IF_NONE, ifMatch, request, type Versioned } from '../../../api/request.js';
import type { Carer, Contact, ContactDetails, EscalationStep } from '../../../api/schema.js';
import { queries } from '../../../app/services.js';
import { Conflict } from '../../../ui/conflict/Conflict.js';
import { Confirmed } from '../../../ui/Confirmed.js';
import { Form, FormError } from '../../../ui/Form.js';
import { notify } from '../../../ui/notify.js';
import { Panel } from '../../../ui/Panel.js';
import { Unsaved } from '../../../ui/Unsaved.js';
import {
  DEFAULT_STEPS,
  type EditedCarer,
  carersOf,
  FIRST_CARER,
  isEntered,
  isGroup,
  noStepText,
  stepsFor,
  targetsOf,
  withoutStep,
} from './carers.js';
import { CarerFields } from './CarerFields.js';
import { ChannelFields } from './ChannelFields.js';
import classes from './Contacts.module.css';
import { fieldError } from '../../../errors/error-text.js';
import { t } from '../../../i18n/i18n.js';
import { readContact } from '../../person/ContactLine.js';
import { NotSetUp } from './NotSetUp.js';
import { ReminderFields } from './reminders.js';

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
    carer: _first,
    carers: _carers,
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
  const [carers, setCarers] = useState<EditedCarer[]>(
    seen === null ? [{ id: FIRST_CARER, time_zone: bottleZone }] : carersOf(seen),
  );
  // whoever is new and has no carer leaves the fields blank
  const sent = carers.filter((carer) => !(isNew && carer.id === FIRST_CARER) || isEntered(carer));
  const [steps, setSteps] = useState<EscalationStep[]>(escalation ?? DEFAULT_STEPS);
  const [fills, setFills] = useState(fillsPillbox);
  const entered = JSON.stringify([user, carers, steps, fills]);
  const [initial] = useState(entered);
  const unnamed = withoutStep(sent, steps);
  const done = async (text: string): Promise<void> => {
    await queries.invalidateQueries({ queryKey: ['contact', userId] });
    notify(text);
    onClose();
  };
  const body: Entered = {
    ...user,
    ...(fills && { fills_pillbox: true }),
    ...(sent.length > 0 && { carers: byId(sent) }),
    escalation: steps,
  };
  const save = useMutation({
    mutationFn: (edited: { body: Entered; version: string | undefined }) =>
      request('PUT', path, {
        body: toBody(edited.body),
        headers: edited.version === undefined ? IF_NONE : ifMatch(edited.version),
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
        <NotSetUp />
        <ChannelFields channels={user} onChange={setUser} errorOf={errorOf} isFirst />
        <Switch
          label={t('Fills a pillbox every week')}
          description={t('When pills for later doses are removed, messages ask whether they are in it.')}
          checked={fills}
          onChange={(event) => setFills(event.currentTarget.checked)}
        />
      </Panel>
      <CarerFields
        carers={carers}
        onChange={(changed) => {
          setCarers(changed);
          // the steps that name nobody any more go with their carer
          const left = changed.length < carers.length ? stepsFor(changed, steps) : steps;
          setSteps(left.length > 0 ? left : DEFAULT_STEPS);
        }}
        errorOf={errorOf}
        zone={bottleZone}
        isNew={isNew}
      />
      <Panel title={t('Escalation')}>
        <StepFields steps={steps} carers={carers} onChange={setSteps} errorOf={errorOf} />
        {unnamed.length > 0 && <p className={classes['quiet']}>{noStepText(unnamed, sent)}</p>}
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

/** What the form has of a contact: carers by their id, so that what two people change of them is compared by field. */
type Entered = Omit<Contact, 'carer' | 'carers'> & { carers?: Record<string, Omit<Carer, 'id'>> };

function enteredOf({
  version: _version,
  warnings: _warnings,
  carer: _first,
  ...contact
}: Versioned<Contact>): Entered {
  const { carers, escalation = DEFAULT_STEPS, ...others } = contact;
  return { ...others, ...(carers && { carers: byId(carersOf({ carers })) }), escalation };
}

const byId = (carers: readonly EditedCarer[]): NonNullable<Entered['carers']> =>
  Object.fromEntries(carers.map(({ id, ...carer }) => [id, carer]));

function toBody({ carers, ...contact }: Entered): Partial<Contact> {
  const list = Object.entries(carers ?? {}).map(([id, carer]) => ({ id, ...carer }));
  return { ...contact, ...(list.length > 0 && { carers: list }) };
}

interface StepFieldsProps {
  steps: EscalationStep[];
  carers: EditedCarer[];
  onChange: (steps: EscalationStep[]) => void;
  errorOf: (field: string) => string | undefined;
}

const KINDS = ALARMING_KINDS.map((kind) => ({ value: kind, label: alertKind(kind).label }));

/** The steps of an escalation. */
function StepFields({ steps, carers, onChange, errorOf }: StepFieldsProps) {
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
              w={200}
              data={targetsOf(carers)}
              value={step.to}
              error={stepError(index, 'to')}
              onChange={(chosen) => {
                const to = chosen ?? 'user';
                const { in_turn, ...others } = step;
                replace(index, { ...others, to, ...(isGroup(to) && in_turn !== undefined && { in_turn }) });
              }}
            />
            {isGroup(step.to) && (
              <TextInput
                label={t('One after another, every')}
                description={t('All at once if empty')}
                w={200}
                value={step.in_turn ?? ''}
                error={stepError(index, 'in_turn')}
                onChange={(event) => {
                  const in_turn = event.currentTarget.value.trim();
                  const { in_turn: _old, ...others } = step;
                  replace(index, in_turn === '' ? others : { ...others, in_turn });
                }}
              />
            )}
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
        <Button
          variant="default"
          onClick={() => onChange([...steps, { after: '30m', to: carers[0]?.id ?? FIRST_CARER }])}
        >
          {t('Add step')}
        </Button>{' '}
        <Button variant="default" onClick={() => onChange([...steps, { remind: '0m', to: 'user' }])}>
          {t('Add reminder')}
        </Button>
      </div>
    </div>
  );
}
