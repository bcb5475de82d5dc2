import type { ExtraDose } from '#domain';
import type { Bottle } from '#persistence';
import type { AlertToRaise } from '../../alerts/findings.js';

/** Removals longer ago are recorded, and nobody is notified of them. Milliseconds. */
const NOTIFIED_WITHIN_MS = 7 * 24 * 60 * 60_000;

/** Finds pills taken beyond the schedule, each removal once. */
export function findExtraDoses(bottle: Bottle, extra: readonly ExtraDose[], now: Date): AlertToRaise[] {
  return extra.map(({ time, pills, reason }) => {
    const notifiedUntil = new Date(time.getTime() + NOTIFIED_WITHIN_MS);
    return {
      bottle,
      kind: 'extra_dose',
      subject: time.toISOString(),
      cause: time,
      deadline: time,
      evidence: { rule: reason, removed_at: time, extra_pills: pills },
      ...(now > notifiedUntil && {
        end: { state: 'resolved', at: now, by: 'notifier', note: 'found more than 7 days later' },
        endsIfRaisedAfter: notifiedUntil,
      }),
    };
  });
}
