import { t } from '../../i18n/i18n.js';

/** Why a notification is held or was cancelled, or an alert suppressed, as the notifier writes it. */
const REASONS: Record<string, string> = {
  'quiet hours': t('quiet hours'),
  snoozed: t('the alert is snoozed'),
  'fleet incident': t('a fleet incident is to be decided on'),
  "delayed: recipient's message limit reached": t('the recipient’s hourly limit is reached'),
  'the condition cleared and may return': t('the condition cleared and may return'),
  'the end is being recorded': t('the end of the alert is being recorded'),
  'an earlier notification of the alert is not sent yet': t(
    'an earlier notification of the alert is not sent yet',
  ),
  'other doses of the coverage gap are being found': t('other doses of the coverage gap are being found'),
  'other doses are being found': t('other doses are being found'),
  'what was reported since is being checked': t('what was reported since is being checked'),
  'a backlog may settle the dose': t('reports that come later may settle the dose'),
  'another notification may name the dose': t('another notification may name the dose'),
  'another notification names the dose': t('another notification names the dose'),
  'the alert was erased': t('the alert was erased'),
  'the bottle is no longer in use': t('the bottle is no longer in use'),
  'staff closed the alert before it was sent': t('staff closed the alert before it was sent'),
  'the alert had ended before it was sent': t('the alert had ended before it was sent'),
  'the alert was acknowledged before it was sent': t('the alert was acknowledged before it was sent'),
  'staff dismissed the fleet incident': t('staff dismissed the fleet incident'),
  'the alert was open meanwhile': t('the alert was raised again meanwhile'),
  'the alert was acknowledged meanwhile': t('the alert was acknowledged meanwhile'),
  'the alert was resolved meanwhile': t('the alert was resolved meanwhile'),
  'the alert was retracted meanwhile': t('the alert was retracted meanwhile'),
  'the alert was closed meanwhile': t('the alert was closed meanwhile'),
  'what is known of the dose changed meanwhile': t('what is known of the dose changed meanwhile'),
  'the recipient was notified of the same before': t('the recipient was notified of the same before'),
  'the recipient was notified that staff closed the alert': t(
    'the recipient was notified that staff closed the alert',
  ),
  'the recipient was not notified of the alert': t('the recipient was not notified of the alert'),
  'the recipient was not notified of the statement': t('the recipient was not notified of the statement'),
  'the dose has its outcome by now': t('the dose has its outcome by now'),
  'no dose since the last notification': t('no dose was due since the last notification'),
  'the same is still to be sent to another address': t(
    'the same is still to be sent to whoever stands for the recipient',
  ),
  'the same goes to another address': t('the same goes to another address of the recipient'),
  'the carer is no longer in the plan': t('the carer is no longer in the plan'),
  'no browser of this member of staff shows messages any more': t(
    'no browser of this member of staff shows messages any more',
  ),
  'withdraws the promise': t('withdrew the promise to take it later'),
  'the endpoint is paused': t('the endpoint is paused'),
  'the endpoint is disabled': t('the endpoint is disabled'),
  'the dose was late before it was sent': t('the dose was late before it was sent'),
  'the user cannot be reached, and a reminder goes to nobody else': t(
    'the user cannot be reached, and a reminder goes to nobody else',
  ),
  'the bottle is silent': t('the bottle is silent'),
};

/** What the services note in the history of an alert. */
const NOTES: Record<string, string> = {
  'the bottle is not in use': t('the bottle is not in use'),
  'ended by the hourly reconcile': t('ended by the hourly comparison with the log'),
  'there is another medication in the bottle': t('there is another medication in the bottle'),
  'found more than 7 days later': t('found more than 7 days later'),
  'cannot be confirmed': t('cannot be confirmed'),
  'not monitored': t('not monitored'),
  'another person’s bottle': t('another person’s bottle'),
  'monitored again': t('monitored again'),
  'not taken yet': t('dose not taken yet'),
  'will take it then': t('will take it then'),
};

/** A note in the page's language, if a service wrote it; else as it was written. */
export function noteText(note: string): string {
  return NOTES[note] ?? note;
}

/** A reason in the page's language; one that the console does not know, as the API sends it. */
export function reasonText(reason: string): string {
  const attempts = /^(\d+) attempts failed$/.exec(reason)?.[1];
  if (attempts !== undefined) return t('{{count, number}} attempts failed', { count: Number(attempts) });
  return REASONS[reason] ?? reason;
}
