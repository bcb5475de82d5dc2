import { actionId, clockOffset, correctEventTime, heartbeatId } from '#domain';
import type { BottleAction, BottleHeartbeat, DeviceIdentity } from '#persistence';
import { Problem, type RequestContext, traceparentOf } from '#platform';
import { Types } from 'mongoose';
import type { ActionDto, HeartbeatDto } from './report.dto.js';
import type { IgnoredField } from './understand.js';

/**
 * A report after validation, with the identity of its device.
 *
 * `clock` is the device's clock at sending. In a batch it is the batch's: an item's own `sent_at` is history, it
 * names a heartbeat and corrects nothing.
 */
export type IncomingReport = {
  device: DeviceIdentity;
  clock: Date | undefined;
  request: RequestContext;
  /** What was left out of it. */
  ignored?: readonly IgnoredField[];
} & ({ kind: 'heartbeat'; body: HeartbeatDto } | { kind: 'action'; body: ActionDto });

/** A report in the queue of the writer. */
export interface ReceivedReport {
  incoming: IncomingReport;
  /** That of its group, once it has one: see `shareReceiptTimes`. */
  receivedAt: Date;
}

/** A report as it will be logged. */
export type Report = (
  | { kind: 'heartbeat'; document: BottleHeartbeat }
  | { kind: 'action'; document: BottleAction }
) & {
  /** Receipt time of this copy; an action that is in the log already was received before, too. */
  receivedAt: Date;
  /** Device clock minus ours, in milliseconds; 0 if right. */
  clockOffset: number;
};

/** A report that is in the log, as it stands there; `duplicate` if it was there before. */
export interface Stored {
  kind: 'stored';
  report: Report;
  duplicate: boolean;
}

/** A report that is not logged, or not acknowledged. */
export interface Refused {
  kind: 'refused';
  problem: Problem;
}

/** What became of a report; `erased` if its bottle was, meanwhile. Only a stored report is acknowledged. */
export type ReportResult = Stored | Refused | { kind: 'erased' };

/**
 * Makes the document for the log: its id, its corrected times, its owner. Refuses a report whose time cannot be right,
 * whatever the clock.
 */
export function identify({ incoming, receivedAt }: ReceivedReport): Report | Refused {
  return incoming.kind === 'heartbeat'
    ? toHeartbeat(incoming.device, incoming.body, receivedAt, incoming.clock)
    : toAction(incoming, incoming.body, receivedAt);
}

function toHeartbeat(
  device: DeviceIdentity,
  body: HeartbeatDto,
  receivedAt: Date,
  clock: Date | undefined,
): Report {
  const { sent_at, ...vitals } = body;
  const sentAt = sent_at === undefined ? undefined : new Date(sent_at);
  const id = heartbeatId(device._id.toHexString(), receivedAt, sentAt, vitals);
  return {
    kind: 'heartbeat',
    document: { _id: new Types.ObjectId(id), ...ownerOf(device), time: receivedAt, ...vitals },
    receivedAt,
    clockOffset: clockOffset(clock, receivedAt),
  };
}

function toAction(
  { device, clock, request }: IncomingReport,
  body: ActionDto,
  receivedAt: Date,
): Report | Refused {
  const { time, sent_at: _, ...fields } = body;
  const reported = { ...fields, time: new Date(time) };
  const offset = clockOffset(clock, receivedAt);
  const corrected = correctEventTime(reported.time, offset, receivedAt);
  if (!corrected) {
    const message = clock
      ? 'time is more than a year away by the clock of sent_at, too; it was recorded by another clock'
      : 'time is more than a year away; send sent_at if the clock is wrong';
    return { kind: 'refused', problem: Problem.field('time', 'time_out_of_range', message) };
  }
  const id = actionId(device._id.toHexString(), reported);
  return {
    kind: 'action',
    document: {
      _id: new Types.ObjectId(id),
      ...ownerOf(device),
      ...fields,
      ...corrected,
      received_at: receivedAt,
      ...(request.span && { traceparent: traceparentOf(request.span) }),
    },
    receivedAt,
    clockOffset: offset,
  };
}

function ownerOf(device: DeviceIdentity): Pick<BottleAction, 'bottle_id' | 'user_id' | 'medication'> {
  return { bottle_id: device._id, user_id: device.user_id, medication: device.medication };
}

/** A token is cached for some seconds; its bottle was erased meanwhile. */
export function tokenOfErased(): Problem {
  return new Problem(401, 'token_unknown', 'The bottle was erased.');
}

/** The database refused this report alone. */
export function notStored(): Refused {
  const problem = Problem.unavailable('not_stored', 'The database refused this report; send it again.');
  return { kind: 'refused', problem };
}
