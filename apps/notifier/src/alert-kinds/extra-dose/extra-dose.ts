import type { ExtraDose } from '#domain';
import type { Bottle } from '#persistence';
import type { AlertToRaise } from '../../alerts/alerts.service.js';

/** A removal longer ago is history: late data never notifies of the past (xDrip#289). Milliseconds. */
const NOTIFIED_WITHIN_MS = 24 * 60 * 60_000;

/** Finds pills taken beyond the schedule, each removal once. */
export function findExtraDoses(bottle: Bottle, extra: readonly ExtraDose[], now: Date): AlertToRaise[] {
  return extra
    .filter(({ time }) => now.getTime() - time.getTime() <= NOTIFIED_WITHIN_MS)
    .map(({ time, pills, reason }) => ({
      bottle,
      kind: 'extra_dose',
      subject: time.toISOString(),
      cause: time,
      deadline: time,
      evidence: { rule: reason, removed_at: time, extra_pills: pills },
    }));
}
