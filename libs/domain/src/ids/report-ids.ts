import { derivedId, derivedIdAt } from './derived-id.js';
import { DAY_MS } from '../time/durations.js';

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
 * retry has the same `_id` and collides, whatever endpoint it uses. So does another event with the same event id:
 * {@link reusedActionIds}.
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

/** Two events with one event id that are this far apart are two: the device was reset and counts again. Milliseconds. */
const REUSED_AFTER_MS = DAY_MS;

/** When an event happened: corrected, and by the device's clock if that differs. */
interface EventTime {
  time: Date;
  device_time?: Date;
}

type Contents = Partial<
  Pick<ReportedAction, 'action' | 'mass_of_contents' | 'number_of_pills' | 'pills_taken'>
>;

/** Whether two actions say the same of what happened, whenever it did. */
export function haveSameContents(one: Contents, other: Contents): boolean {
  return (
    one.action === other.action &&
    one.pills_taken === other.pills_taken &&
    one.number_of_pills === other.number_of_pills &&
    one.mass_of_contents === other.mass_of_contents
  );
}

/**
 * Whether two actions with one event id are one event. A retry by the same bytes is, however long after: its `sent_at`
 * is old by then, and so is its corrected time. A clock that begins anew with the count of events shows the same time
 * again for another one.
 */
export function isOneEvent(one: EventTime & Contents, other: EventTime & Contents): boolean {
  return (
    Math.abs(one.time.getTime() - other.time.getTime()) < REUSED_AFTER_MS ||
    (deviceTimeOf(one).getTime() === deviceTimeOf(other).getTime() && haveSameContents(one, other))
  );
}

/**
 * The ids under which an action is logged whose event id has named another event before: made of the event id and the
 * day. Two events within one day of UTC are one, so that copies that arrive at once collide.
 *
 * @returns its own; and all under which a copy of it may be in the log, of the days around it and of the device's day
 */
export function reusedActionIds(
  bottleId: string,
  eventId: string,
  event: EventTime,
): { own: string; possible: string[] } {
  const day = dayOf(event.time);
  const idOf = (of: number): string => derivedId('event', bottleId, eventId, String(of));
  const days = new Set([day - 1, day, day + 1, dayOf(deviceTimeOf(event))]);
  return { own: idOf(day), possible: [...days].map(idOf) };
}

function deviceTimeOf({ time, device_time }: EventTime): Date {
  return device_time ?? time;
}

function dayOf(time: Date): number {
  return Math.floor(time.getTime() / REUSED_AFTER_MS);
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
