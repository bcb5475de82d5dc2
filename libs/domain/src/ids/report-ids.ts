import { derivedId, derivedIdAt } from './derived-id.js';

/** An opening or closing as the device reports it, before corrections. */
export interface ReportedAction {
  action: 'opened' | 'closed';
  /** The device's own time. */
  time: Date;
  /** Absent if the bottle did not report it, or nothing that could be meant. */
  mass_of_contents?: number;
  number_of_pills?: number;
  pills_taken?: number;
  event_id?: string;
}

/**
 * The `_id` of an action: derived from the bottle and the device's event id, or, without one, from the whole report. A
 * retry has the same `_id` and collides, whatever endpoint it uses.
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
 * The `_id` of a heartbeat: derived from `sent_at` if it has one, so a retry collides. Otherwise from the receipt time
 * and the vitals: of two heartbeats in one batch, neither is a repetition of the other.
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
  const reported = Object.entries(vitals)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => `${field}=${value}`)
    .sort();
  return derivedIdAt(receivedAt, 'received', bottleId, receivedAt.toISOString(), ...reported);
}
