import { onRegistration } from '#domain';
import type { Registration } from '#persistence';
import { hashToken, newToken } from '#platform';
import { Types } from 'mongoose';
import type { RegisterBottleDto } from './bottle-requests.dto.js';
import { readVersion } from './schedules.service.js';

/**
 * A bottle as it is registered, and the token that its device is to send; nothing is stored yet.
 *
 * @throws Problem 400 when the schedule is wrong.
 */
export function newBottle(
  { user_id, medication, time_zone, number_of_pills, schedule }: RegisterBottleDto,
  now: Date,
): Registration & { token: string } {
  const versions = schedule === undefined ? [] : [readVersion(schedule, time_zone, now)];
  const _id = new Types.ObjectId();
  const token = newToken('pwb');
  return {
    token,
    state: onRegistration({ _id, user_id, medication }, versions.length > 0 ? now : undefined),
    bottle: {
      _id,
      user_id,
      medication,
      time_zone,
      registered_at: now,
      ...(number_of_pills === undefined ? {} : { initial_pills: number_of_pills }),
      token_hash: hashToken(token),
      revoked_token_hashes: [],
      schedule_versions: versions,
      pauses: [],
    },
  };
}
