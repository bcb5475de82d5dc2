import { contactAt, type ContactHistory } from './contact-plan.js';
import { whenNotified } from './coverage.js';
import { type BottleTruth, type ExpectedAlert, MINUTE, type ServiceFacts } from './facts.js';

/**
 * The reminders of a bottle's doses. A contact that has some keeps them.
 *
 * @param bottle its key
 */
export function remindersOf(
  bottle: string,
  { remindable }: BottleTruth,
  contact: ContactHistory,
  { notifying }: Pick<ServiceFacts, 'notifying'>,
): ExpectedAlert[] {
  // after an outage it is found at the next full minute, if the dose can still be reminded of by then
  const foundAt = (due: number): number => {
    const at = whenNotified(due, notifying);
    return at === due ? at : Math.ceil(at / MINUTE) * MINUTE;
  };
  return remindable.flatMap(({ dose, pills, spans }): ExpectedAlert[] => {
    const [first] = contactAt(contact, dose).reminders ?? [];
    if (first === undefined) return [];
    // one that ended does not begin again
    const span = spans.find(({ from, to }) => foundAt(Math.max(from, dose + first)) < to);
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
