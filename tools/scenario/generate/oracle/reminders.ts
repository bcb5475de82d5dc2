import { contactAt, type ContactHistory } from './contact-plan.js';
import type { BottleTruth, ExpectedAlert } from './facts.js';

/**
 * The reminders of a bottle's doses. A contact that has some keeps them.
 *
 * @param bottle its key
 */
export function remindersOf(
  bottle: string,
  { remindable }: BottleTruth,
  contact: ContactHistory,
): ExpectedAlert[] {
  return remindable.flatMap(({ dose, pills, spans }): ExpectedAlert[] => {
    const [first] = contactAt(contact, dose).reminders ?? [];
    if (first === undefined) return [];
    // one that ended does not begin again
    const span = spans.find(({ to }) => dose + first < to);
    if (!span) return [];
    const raisedAt = Math.max(span.from, dose + first);
    return [
      {
        bottle,
        kind: 'dose_reminder',
        raisedAt,
        raisedBy: raisedAt,
        ends: [{ at: span.to }],
        flapping: false,
        clear: [],
        facts: { dose, numbers: { pills_scheduled: pills } },
      },
    ];
  });
}
