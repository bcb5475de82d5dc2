import { actionId, heartbeatId } from '#domain';
import type { ActionBody, BatchItem, HeartbeatBody } from './bottle-client.js';

/** One report as it lies in a bottle's memory until it is acknowledged. */
export type Report = {
  /** When it was made, real time, epoch milliseconds. */
  madeAt: number;
  /** It was acknowledged before and is sent again all the same. */
  repeated?: boolean;
} & (
  | { type: 'heartbeat'; body: HeartbeatBody & { sent_at: string } }
  | { type: 'action'; body: ActionBody & { event_id: string } }
);

/** A report that device-api has answered for: from then on it must be in the log. */
export interface AcknowledgedReport {
  bottle_id: string;
  type: 'heartbeat' | 'action';
  /** 201 or 204 stored, 200 stored before. */
  status: number;
  /** Of an action: its `_id` in the log. */
  id?: string;
  /** Of an action: the device's own name for it. */
  event_id?: string;
  /** The device's own time: an action's `time`, the `sent_at` that names a heartbeat. */
  time: string;
}

/** The report as an item of a batch. */
export function asBatchItem(report: Report): BatchItem {
  return report.type === 'heartbeat'
    ? { type: 'heartbeat', ...report.body }
    : { type: 'action', ...report.body };
}

/** What is noted of a report once the answer has come. */
export function acknowledged(
  bottleId: string,
  report: Report,
  status: number,
  id?: string,
): AcknowledgedReport {
  const base = { bottle_id: bottleId, type: report.type, status };
  return report.type === 'heartbeat'
    ? { ...base, time: report.body.sent_at }
    : {
        ...base,
        ...(id === undefined ? {} : { id }),
        event_id: report.body.event_id,
        time: report.body.time,
      };
}

/** The id under which the log must hold an acknowledged report. @throws if it was acknowledged under another one */
export function loggedId({ bottle_id, type, id, event_id, time }: AcknowledgedReport): string {
  const at = new Date(time);
  if (type === 'heartbeat') return heartbeatId(bottle_id, at, at);
  // what has a name of its own is named by it alone
  const named = actionId(bottle_id, {
    action: 'opened',
    time: at,
    mass_of_contents: 0,
    number_of_pills: 0,
    event_id: event_id!,
  });
  if (id !== undefined && id !== named) throw new Error('acknowledged under another id');
  return named;
}
