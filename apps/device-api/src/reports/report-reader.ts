import { actionId, clockOffset, correctEventTime, heartbeatId } from '#domain';
import type { BottleAction, BottleHeartbeat, DeviceIdentity } from '#persistence';
import { definedOnly, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type { ActionDto } from '../actions/action.dto.js';
import type { HeartbeatDto } from '../heartbeats/heartbeat.dto.js';

/** A checked report, as it will be logged, and how far the device's clock was off (milliseconds, 0 if right). */
export type Report =
  | { kind: 'heartbeat'; document: BottleHeartbeat; clockOffset: number }
  | { kind: 'action'; document: BottleAction; clockOffset: number };

/** Makes documents of what devices say: names them, corrects their times, adds whose they are. */
@Injectable()
export class ReportReader {
  /**
   * @param clock the device's clock at sending, when the enclosing batch gives one. Inside a batch an item's
   *   own `sent_at` is history: it names a heartbeat and corrects nothing.
   */
  heartbeat(device: DeviceIdentity, body: HeartbeatDto, receivedAt: Date, clock?: Date): Report {
    const { sent_at, ...said } = definedOnly(body);
    const sentAt = sent_at === undefined ? undefined : new Date(sent_at);
    const id = heartbeatId(device._id.toHexString(), receivedAt, sentAt, said);
    return {
      kind: 'heartbeat',
      document: { _id: new Types.ObjectId(id), ...owner(device), time: receivedAt, ...said },
      clockOffset: clockOffset(clock, receivedAt),
    };
  }

  /** @throws Problem when the time cannot be meant, whatever the clock. */
  action(device: DeviceIdentity, body: ActionDto, receivedAt: Date, clock?: Date): Report {
    const { time, sent_at: _, ...said } = definedOnly(body);
    const reported = { ...said, time: new Date(time) };
    const offset = clockOffset(clock, receivedAt);
    const corrected = correctEventTime(reported.time, offset, receivedAt);
    if (!corrected) {
      throw Problem.field(
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
      clockOffset: offset,
    };
  }
}

function owner(device: DeviceIdentity): Pick<BottleAction, 'bottle_id' | 'user_id' | 'medication'> {
  return { bottle_id: device._id, user_id: device.user_id, medication: device.medication };
}
