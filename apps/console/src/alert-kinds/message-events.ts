/** Labels of the events that a notification can be about, as the API names them. */
const MESSAGE_EVENTS: Record<string, string> = {
  raised: 'alert',
  escalated: 'reminder',
  missed: 'dose missed',
  partial: 'dose taken in part',
  corrected: 'correction: dose taken in part',
  summary: 'summary of missed doses',
  unknown: 'dose cannot be confirmed',
  resolved: 'all clear',
  closed_by_staff: 'alert closed',
  retracted: 'alert retracted',
};

/** The label of an event; one that only a newer server knows, as it is. */
export function messageEventLabel(event: string): string {
  return MESSAGE_EVENTS[event] ?? event.replaceAll('_', ' ');
}
