import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { alertKind } from '../../../alert-kinds/alert-kinds.js';
import { useMay } from '../../../api/session.js';
import { get } from '../../../api/request.js';
import type {
  Contact,
  ContactDetails,
  EscalationStep,
  NextDose,
  NotifiedPlan,
  NotifiedStep,
} from '../../../api/schema.js';
import { ADDRESS_FIELDS, unverifiedFields } from '../../../channels.js';
import { Facts } from '../../../ui/Facts.js';
import { useNow } from '../../../time/clock.js';
import { wallTime } from '../../../time/format.js';
import { Panel } from '../../../ui/Panel.js';
import { Empty, Pending } from '../../../ui/States.js';
import { contactPath, useContact } from '../../person/ContactLine.js';
import { TestMessage } from '../../notifications/TestMessage.js';
import { useBottle } from '../queries.js';
import { durationText } from '../schedule/schedule-text.js';
import { reminderText } from './reminders.js';
import { AddressProblems } from './AddressProblems.js';
import {
  DEFAULT_STEPS,
  carersOf,
  carerName,
  type EditedCarer,
  noStepText,
  targetText,
  withoutStep,
} from './carers.js';
import { ContactEditor } from './ContactEditor.js';
import { LANGUAGE_LABELS } from './languages.js';
import classes from './Contacts.module.css';
import { lateDoseText, reachedText } from './plan-text.js';
import { unreachableText, warningTexts } from './unreachable-text.js';
import { t, joinList } from '../../../i18n/i18n.js';

/** How the bottle's user and their carers are notified. */
export function ContactsTab() {
  const { user_id, time_zone, next_dose } = useBottle();
  return <Contacts userId={user_id} zone={time_zone} dose={next_dose} />;
}

interface ContactsProps {
  userId: string;
  /** The time zone of a new contact. */
  zone: string;
  /** The next dose, where a bottle's page shows the contact. */
  dose?: NextDose | null;
  /** Whoever has no contact is to get one now. */
  asksForNew?: boolean;
}

export function Contacts({
  userId: user_id,
  zone: time_zone,
  dose = null,
  asksForNew = false,
}: ContactsProps) {
  const isSupport = useMay('support');
  const [chosen, setEditing] = useState<boolean>();
  const query = useContact(user_id);
  const contact = query.data;
  if (contact === undefined) return <Pending query={query} />;
  const editing = chosen ?? (asksForNew && isSupport && contact === null);
  if (editing) {
    return (
      <ContactEditor
        userId={user_id}
        path={contactPath(user_id)}
        contact={contact}
        bottleZone={time_zone}
        onClose={() => setEditing(false)}
      />
    );
  }
  const edit = isSupport && (
    <Button variant="default" onClick={() => setEditing(true)}>
      {contact ? t('Edit') : t('Add contact')}
    </Button>
  );
  if (contact)
    return <ContactView userId={user_id} contact={contact} dose={dose} zone={time_zone} edit={edit} />;
  return (
    <Panel title={t('User {{userId}}', { userId: user_id })} aside={edit}>
      <Empty title={t('No contact')}>{t('Alerts go to the operator.')}</Empty>
    </Panel>
  );
}

interface ContactViewProps {
  userId: string;
  contact: Contact;
  dose: NextDose | null;
  /** Of the bottle. */
  zone: string;
  edit: ReactNode;
}

function ContactView({ userId, contact, dose, zone, edit }: ContactViewProps) {
  const carers = carersOf(contact);
  const present = useNow();
  const unnamed = withoutStep(carers, contact.escalation ?? DEFAULT_STEPS);
  const late_at = dose?.late_at;
  // with the contact, as an address is verified or refused
  const plan = useQuery({
    queryKey: ['contact', userId, 'plan', contact, late_at],
    queryFn: ({ signal }) => get<NotifiedPlan>(`${contactPath(userId)}/plan`, { query: { late_at }, signal }),
  });
  return (
    <div className={classes['page']}>
      <Panel title={t('User {{userId}}', { userId })} aside={edit}>
        {warningTexts(contact).map((text) => (
          <p key={text} className={classes['warning']}>
            {text}
          </p>
        ))}
        <ChannelFacts contact={contact} carers={carers} />
        {contact.fills_pillbox && <p>{t('Fills a pillbox every week.')}</p>}
      </Panel>
      {carers.length === 0 && (
        <Panel title={t('Carer')}>
          <p>{t('None. Notifications for a carer go to the user.')}</p>
        </Panel>
      )}
      {carers.map((carer) => (
        <Panel
          key={carer.id}
          title={carers.length === 1 ? t('Carer') : t('Carer: {{name}}', { name: carerName(carer) })}
        >
          <ChannelFacts contact={carer} carers={carers} />
          {(carer.relation ?? carer.groups) !== undefined && (
            <p className={classes['quiet']}>
              {joinList([
                ...(carer.relation ? [carer.relation] : []),
                ...(carer.groups ?? []).map((name) => t('Group {{name}}', { name })),
              ])}
            </p>
          )}
        </Panel>
      ))}
      <TestMessage userId={userId} contact={contact} />
      <Panel title={t('Escalation')}>
        <ol className={classes['steps']}>
          {plan.data
            ? plan.data.steps.map((step, index) => <li key={index}>{stepText(stepOf(step), step)}</li>)
            : (contact.escalation ?? DEFAULT_STEPS).map((step, index) => (
                <li key={index}>{stepText(step, carers)}</li>
              ))}
        </ol>
        {dose && plan.data && (
          <p>{lateDoseText(dose, plan.data.steps, contact.time_zone ?? zone, present)}</p>
        )}
        {unnamed.length > 0 && <p className={classes['warning']}>{noStepText(unnamed, carers)}</p>}
        <p className={classes['quiet']}>
          {t(
            'Escalation stops when someone acknowledges the alert or it ends. A missed dose goes to everyone.',
          )}
        </p>
      </Panel>
    </div>
  );
}

function ChannelFacts({ contact, carers }: { contact: ContactDetails; carers: EditedCarer[] }) {
  const { time_zone, quiet_hours, language, push } = contact;
  const unreachable = unreachableText(contact, carers);
  return (
    <>
      {unreachable && <p className={classes['warning']}>{unreachable}</p>}
      <AddressProblems of={contact} />
      <Facts
        rows={[
          ...ADDRESS_FIELDS.map(
            ({ key, title, input }) =>
              [
                title,
                input === 'switch'
                  ? contact[key]
                    ? t('Yes')
                    : t('No')
                  : (contact[key] ?? t('None', { context: 'contact' })),
              ] as const,
          ),
          ...unverifiedFields(contact).map(
            ({ verification }) => [t('Not verified'), verification.missing] as const,
          ),
          [
            t('Browsers'),
            push
              ? t('Show messages; the person added them on the page of one')
              : t('None', { context: 'browsers' }),
          ],
          [t('Time zone'), time_zone ?? t('Same as the bottle')],
          [t('Language'), language ? LANGUAGE_LABELS[language] : t('English; pages: that of the browser')],
          [
            t('Quiet hours'),
            quiet_hours
              ? t('{{from}} to {{to}}; non-critical notifications wait until they end', {
                  from: wallTime(quiet_hours.from),
                  to: wallTime(quiet_hours.to),
                })
              : t('None', { context: 'quiet_hours' }),
          ],
        ]}
      />
    </>
  );
}

/** A step to one person, as the plan has it. */
function stepOf({ after, remind, to, repeat, kinds }: NotifiedStep): EscalationStep {
  return {
    to,
    ...(after !== null && { after }),
    ...(remind !== null && { remind }),
    ...(repeat !== null && { repeat }),
    ...(kinds.length > 0 && { kinds: kinds as NonNullable<EscalationStep['kinds']> }),
  };
}

/** @param reached the carers of the contact; or whom the step reaches at the moment */
function stepText(
  { after = '0m', remind, to, in_turn, repeat, kinds }: EscalationStep,
  reached: EditedCarer[] | NotifiedStep,
): string {
  const isKnown = !Array.isArray(reached);
  if (remind !== undefined)
    return [reminderText(remind), ...(isKnown ? [reachedText(reached)] : [])].join(': ');
  const when = after.startsWith('0')
    ? t('Immediately')
    : t('After {{span}}', { span: durationText(after, 'dative') });
  const kindNames = joinList((kinds ?? []).map((kind) => t('“{{text}}”', { text: alertKind(kind).label })));
  return [
    `${when}: ${isKnown ? reachedText(reached) : targetText(to, reached)}`,
    ...(in_turn === undefined
      ? []
      : [t('one after another, every {{span}}', { span: durationText(in_turn) })]),
    ...(repeat === undefined ? [] : [t('then every {{span}}', { span: durationText(repeat) })]),
    ...(kinds === undefined ? [] : [t('for {{kinds}}', { kinds: kindNames })]),
  ].join(', ');
}
