import { actionId, clockOffset, correctEventTime, heartbeatId } from '#domain';
import type { BottleAction, BottleHeartbeat, DeviceIdentity } from '#persistence';
import { definedOnly, Problem } from '#platform';
import { Types } from 'mongoose';
import type { ActionDto } from '../actions/action.dto.js';
import type { HeartbeatDto } from '../heartbeats/heartbeat.dto.js';

/**
 * What a device said, in the right form, and which device it was.
 *
 * `clock` is the device's clock at sending. Inside a batch it is the batch's: an item's own `sent_at` is history,
 * it names a heartbeat and corrects nothing.
 */
export type Said =
  | { kind: 'heartbeat'; device: DeviceIdentity; body: HeartbeatDto; clock: Date | undefined }
  | { kind: 'action'; device: DeviceIdentity; body: ActionDto; clock: Date | undefined };

/** A report as it will be logged. */
export type Report = (
  { kind: 'heartbeat'; document: BottleHeartbeat } | { kind: 'action'; document: BottleAction }
) & {
  /** When it came this time: an action that was in the log before came then, too. */
  receivedAt: Date;
  /** How far the device's clock was off, in milliseconds; 0 if right. */
  clockOffset: number;
};

/**
 * Makes a document of what a device said: names it, corrects its times, adds whose it is.
 *
 * @returns a problem when its time cannot be meant, whatever the clock.
 */
export function readReport(said: Said, receivedAt: Date): Report | Problem {
  return said.kind === 'heartbeat'
    ? readHeartbeat(said.device, said.body, receivedAt, said.clock)
    : readAction(said.device, said.body, receivedAt, said.clock);
}

function readHeartbeat(
  device: DeviceIdentity,
  body: HeartbeatDto,
  receivedAt: Date,
  clock: Date | undefined,
): Report {
  const { sent_at, ...said } = definedOnly(body);
  const sentAt = sent_at === undefined ? undefined : new Date(sent_at);
  const id = heartbeatId(device._id.toHexString(), receivedAt, sentAt, said);
  return {
    kind: 'heartbeat',
    document: { _id: new Types.ObjectId(id), ...owner(device), time: receivedAt, ...said },
    receivedAt,
    clockOffset: clockOffset(clock, receivedAt),
  };
}

function readAction(
  device: DeviceIdentity,
  body: ActionDto,
  receivedAt: Date,
  clock: Date | undefined,
): Report | Problem {
  const { time, sent_at: _, ...said } = definedOnly(body);
  const reported = { ...said, time: new Date(time) };
  const offset = clockOffset(clock, receivedAt);
  const corrected = correctEventTime(reported.time, offset, receivedAt);
  if (!corrected) {
    return Problem.field(
      'time',
      'time_out_of_range',
      'time is more than a year away; send sent_at if the clock is wrong',
    );
  }
  const id = actionId(device._id.toHexString(), reported);
  return {
    kind: 'action',
    document: {
      _id: new Types.ObjectId(id),
      ...owner(device),
      ...said,
      ...corrected,
      received_at: receivedAt,
    },
    receivedAt,
    clockOffset: offset,
  };
}

function owner(device: DeviceIdentity): Pick<BottleAction, 'bottle_id' | 'user_id' | 'medication'> {
  return { bottle_id: device._id, user_id: device.user_id, medication: device.medication };
}
