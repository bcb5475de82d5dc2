import { type IntervalSchedule, parseDuration } from '../doses/schedule.js';
import { DAY_MS } from '../time/durations.js';

/** The first four bytes of the ids of canaries: as a time it is in 2106, so no other bottle's id begins so. */
const PREFIX = 'ffffffff';
const CANARY_USER = new RegExp(`^canary-${PREFIX}[0-9a-f]{16}$`);

/** The lowest id that a canary can have. An ObjectId in hex. */
export const FIRST_CANARY_ID = PREFIX.padEnd(24, '0');

/**
 * Whether a bottle is a canary: a watchdog's own bottle. Its id says so, so every index that contains the id can leave
 * canaries out, and nothing is stored for it in any other record.
 */
export function isCanary(id: { toHexString(): string }): boolean {
  return id.toHexString().startsWith(PREFIX);
}

/** @param random 16 hex digits */
export const canaryId = (random: string): string => PREFIX + random;

/** The user of a canary, who is nobody: their contact says where a watchdog gets its notifications. */
export const canaryUser = (id: { toHexString(): string }): string => `canary-${id.toHexString()}`;

/** Whether a user is a canary's. */
export const isCanaryUser = (userId: string): boolean => CANARY_USER.test(userId);

/** The doses of a canary, which nobody takes: one per cycle of a watchdog. */
export const CANARY_SCHEDULE: IntervalSchedule = {
  kind: 'interval',
  every: '15m',
  anchor: '2026-01-01T00:00:00Z',
  pills_per_dose: 1,
  early_window: '1m',
  late_after: '1m',
  missed_after: '4m',
};

/** A canary's cycle; it begins at a dose. Milliseconds. */
export const CANARY_CYCLE_MS = parseDuration(CANARY_SCHEDULE.every)!;

/** More pills than a canary's doses of any time that `LOW_SUPPLY_DAYS` can name. */
export const CANARY_PILLS = (100 * DAY_MS) / CANARY_CYCLE_MS;
