import { endingOf } from '../../alert-kinds/endings.js';
import { STATEMENT_EVENTS } from '../../alert-kinds/statement.js';
import type { AlertDetail, AlertEvent } from '../../api/schema.js';
import { t } from '../../i18n/i18n.js';

const EVENTS: Record<string, string> = {
  raised: t('Raised'),
  escalated: t('Reminder sent'),
  acknowledged: t('Acknowledged'),
  snoozed: t('Snoozed'),
  resolved: t('Ended'),
  closed_by_staff: t('Closed'),
  retracted: t('Retracted'),
  missed: t('Dose missed'),
  confirmed: t('Confirmed'),
  dismissed: t('Dismissed'),
  withdrawn: t('Decision withdrawn'),
  assigned: t('Assigned'),
  unassigned: t('Assigned to nobody'),
  noted: t('Note'),
};

/** The endings by what people say, which are no ends that the bottle measured. */
const REPORTED = /^reported_/;

/** Whether the step is that of a statement about a dose. */
export function isStatement({ event, note }: Pick<AlertEvent, 'event' | 'note'>): boolean {
  return event === 'resolved' && note !== null && note in STATEMENT_EVENTS;
}

/** What happened in a step of an alert's history; how it ended is known of its last end. */
export function eventText(
  entry: AlertEvent,
  alert: Pick<AlertDetail, 'state' | 'ended_as' | 'history'>,
): string {
  if (isStatement(entry)) return STATEMENT_EVENTS[entry.note!]!;
  const isLastEnd = alert.history.findLast(({ event }) => event === 'resolved') === entry;
  if (isLastEnd && alert.state === 'resolved' && alert.ended_as !== null && !REPORTED.test(alert.ended_as))
    return t('Ended: {{how}}', { how: endingOf(alert)!.label });
  return EVENTS[entry.event] ?? entry.event;
}
