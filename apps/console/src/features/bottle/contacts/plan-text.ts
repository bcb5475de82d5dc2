import type { NextDose, NotifiedStep } from '../../../api/schema.js';
import { channelName } from '../../../channels.js';
import { joinList, t } from '../../../i18n/i18n.js';
import { dayAndTime, dayOnly, localDay, timeOnly } from '../../../time/format.js';

const REASONS: Record<NonNullable<NotifiedStep['reason']>, string> = {
  no_address: t('no address'),
  email_unverified: t('e-mail address not verified'),
  email_not_set_up: t('no mail server'),
  email_refused: t('e-mail address refused the last message'),
  sms_unverified: t('number not verified'),
  sms_not_set_up: t('no gateway for SMS'),
  sms_refused: t('number refused the last SMS'),
  sms_paused: t('replied STOP'),
  push_not_set_up: t('no key for messages in the browser'),
  push_refused: t('none of their browsers takes them'),
  webhook_refused: t('webhook takes none for this person'),
  webhook_not_taken: t('no webhook endpoint takes any'),
  no_notifier: t('no notifier is running'),
};

const ROLES: Readonly<Record<string, string>> = {
  user: t('the user'),
  carer: t('the carer'),
  operator: t('the operator'),
};

/** Of a carer without a name: the first one, or another. */
const roleText = (person: string): string => ROLES[person] ?? t('the carer {{name}}', { name: person });

/** Whom a step reaches: `Anna by SMS`, `Jonas (e-mail address not verified: goes to the operator by webhook)`. */
export function reachedText({ to, named, goes_to, name, addresses, reason }: NotifiedStep): string {
  const step = named ?? roleText(to);
  const channels = joinList(addresses.map(({ channel }) => channelName(channel)));
  if (reason === null) return t('{{person}} by {{channels}}', { person: step, channels });
  if (goes_to === null)
    return t('{{person}} ({{reason}}: goes to nobody)', { person: step, reason: REASONS[reason] });
  return t('{{person}} ({{reason}}: goes to {{other}} by {{channels}})', {
    person: step,
    reason: REASONS[reason],
    other: name ?? roleText(goes_to),
    channels,
  });
}

/**
 * Who is notified of a dose that is late, and when: `If the dose of 08:00 CET is late: at 09:00 Anna by SMS; at 09:30 Jonas
 * (e-mail address not verified: goes to the operator by webhook).`
 *
 * @param steps of the plan, asked for with when the dose is late
 * @param zone IANA name: the person's
 * @param present epoch milliseconds
 */
export function lateDoseText(
  { scheduled_at }: Pick<NextDose, 'scheduled_at'>,
  steps: readonly NotifiedStep[],
  zone: string,
  present: number,
): string {
  const due = Date.parse(scheduled_at);
  const dose = dayAndTime(due, zone, present);
  const sent = steps
    .flatMap((step) => (step.at === null ? [] : [{ step, at: Date.parse(step.at) }]))
    .sort((one, other) => one.at - other.at)
    .map(({ step, at }) => {
      const texts = { time: timeOnly(at, zone), reached: reachedText(step) };
      return localDay(at, zone) === localDay(due, zone)
        ? t('at {{time}} {{reached}}', texts)
        : t('on {{day}} at {{time}} {{reached}}', { ...texts, day: dayOnly(at, zone, present) });
    });
  if (sent.length === 0) return t('If the dose of {{dose}} is late, no step is for it.', { dose });
  return t('If the dose of {{dose}} is late: {{steps}}.', { dose, steps: sent.join('; ') });
}
