import { derivedId, derivedIdAt } from './derived-id.js';

/** What a device says of an open or close, before anything is corrected. */
export interface ReportedAction {
  action: 'opened' | 'closed';
  /** The device's own time. */
  time: Date;
  mass_of_contents: number;
  number_of_pills: number;
  pills_taken?: number;
  event_id?: string;
}

/**
 * The `_id` of an action: made of the bottle and the device's own name for the event, or, where it has none,
 * of everything the device said. A retry says the same and collides, through whatever endpoint it comes.
 *
 * @returns 24 hex digits.
 */
export function actionId(bottleId: string, report: ReportedAction): string {
  if (report.event_id !== undefined) return derivedId('event', bottleId, report.event_id);
  const { action, time, mass_of_contents, number_of_pills, pills_taken } = report;
  return derivedId(
    'action',
    bottleId,
    action,
    time.toISOString(),
    String(mass_of_contents),
    String(number_of_pills),
    String(pills_taken ?? ''),
  );
}

/**
 * The `_id` of a heartbeat. One that says when it was sent is recognised by that when it comes again. One that
 * does not is named by its receipt, as a bottle is alive once in a moment, and by what it says: of two in one
 * batch neither is a repetition, whichever stands first.
 *
 * @returns 24 hex digits.
 */
export function heartbeatId(
  bottleId: string,
  receivedAt: Date,
  sentAt?: Date,
  vitals: Readonly<Record<string, number | undefined>> = {},
): string {
  if (sentAt) return derivedIdAt(sentAt, 'sent', bottleId, sentAt.toISOString());
  const said = Object.entries(vitals)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => `${field}=${value}`)
    .sort();
  return derivedIdAt(receivedAt, 'received', bottleId, receivedAt.toISOString(), ...said);
}
