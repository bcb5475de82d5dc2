import type { Fault } from '../fault.js';

/** What people say about doses. */
export const STATEMENTS: readonly Fault[] = [
  {
    name: 'a dose of a silence is named by nobody when its statement is withdrawn',
    file: 'apps/notifier/src/alert-kinds/bottle-silent/doses-of-silences.ts',
    find: 'one.unsettled.filter(isUnknownInSilence)',
    replace:
      'one.unsettled.filter((dose) => one.judged.slots.some(({ slot }) => slot === dose.slot) && isUnknownInSilence(dose))',
    caughtBy: ['statement-withdrawn-while-silent'],
  },
  {
    name: 'an unknown dose whose statement is withdrawn is sent to nobody',
    file: 'libs/domain/src/alerts/kinds/missed-dose/silence-unseen.ts',
    find: '(slot.scheduled_at >= settledUntil ||\n        attested.some((each) => each.getTime() === slot.scheduled_at.getTime()))',
    replace: 'slot.scheduled_at >= settledUntil',
    caughtBy: ['statement-withdrawn-after-an-unseen-silence'],
  },
  {
    name: 'a dose that is reported taken is late all the same',
    file: 'libs/domain/src/alerts/kinds/missed-dose/missed-dose.ts',
    find: 'settledBy(reports.get(slot.scheduled_at.getTime())) === undefined',
    replace: 'reports !== undefined',
    caughtBy: ['reported-before-it-is-late'],
  },
  {
    name: 'a statement waits until the dose is judged',
    file: 'libs/domain/src/bottle-state/on-checks.ts',
    find: 'return { lower: { dose_due_at: at }, add: { attested_slots: [slot] } };',
    replace: 'return { add: { attested_slots: [slot] } };',
    caughtBy: ['reported-taken-ends-a-late-dose'],
  },
  {
    name: 'a second statement that agrees is sent again',
    file: 'libs/domain/src/alerts/kinds/missed-dose/corrections.ts',
    find: 'settled === before ? undefined',
    replace: 'report === undefined ? undefined',
    caughtBy: ['libs/domain/src/alerts/kinds/missed-dose/missed-dose.spec.ts: is reported alike'],
  },
  {
    name: 'missed is sent although the dose was reported taken meanwhile',
    file: 'libs/domain/src/notifications/notification-events.ts',
    find: "if (ends === 'resolved' && (settled === 'taken' || settled === 'skipped')) return false;",
    replace: '',
    caughtBy: ['reported-in-quiet-hours'],
  },
  {
    name: 'a second statement has the id of the first notification',
    file: 'libs/domain/src/notifications/owed.ts',
    find: 'return `${event}:${statementIn(evidence)!.entry}`;',
    replace: 'return event;',
    caughtBy: ['statement-corrected-and-withdrawn'],
  },
  {
    name: 'nobody gets the alert that a withdrawn statement withheld',
    file: 'libs/domain/src/alerts/kinds/missed-dose/missed-dose.ts',
    find: 'attested.some((each) => each.getTime() === slot.scheduled_at.getTime()) ||',
    replace: '',
    caughtBy: ['statement-withdrawn-after-the-end'],
  },
  {
    name: 'a statement that came, went and came again in quiet hours is sent twice',
    file: 'libs/domain/src/notifications/may-be-sent.ts',
    find: 'if (!last || !isTrueOf(last.event, alert)) return undefined;',
    replace: 'if (last || !last) return undefined;',
    caughtBy: ['statement-that-changes-in-quiet-hours'],
  },
  {
    name: 'a dose that was removed for later is not taken only until it is late',
    file: 'libs/domain/src/attestations/removed-for-later.ts',
    find: "if (now >= slot.missed_at) return { ...base, phase: 'judged', outcome: 'missed' };",
    replace: "if (now >= slot.missed_at) return { ...base, phase: 'judged', outcome: 'unknown' };",
    caughtBy: ['removed-for-later-is-missed'],
  },
  {
    name: 'pills removed after the statement that others were for later do not count for the dose',
    file: 'libs/domain/src/attestations/removed-for-later.ts',
    find: '!isRemovedSince(dose, unmatched, latest.at);',
    replace: 'true;',
    caughtBy: ['removed-for-later-is-missed'],
  },
  {
    name: 'nobody looks again at a dose that was removed for later',
    file: 'apps/notifier/src/alert-kinds/missed-dose/missed-dose.kind.ts',
    find: '...pending.map(({ next_look_at }) => next_look_at)',
    replace: '',
    caughtBy: ['removed-for-later-is-missed'],
  },
  {
    name: 'that no pills are left is sent only of a late dose',
    file: 'libs/domain/src/alerts/kinds/missed-dose/ran-out.ts',
    find: 'if (!isNew || isOpen ||',
    replace: 'if (isNew || isOpen ||',
    caughtBy: ['ran-out-before-it-is-late'],
  },
];
