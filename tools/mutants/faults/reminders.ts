import type { Fault } from '../fault.js';

const REMINDER = 'libs/domain/src/alerts/kinds/dose-reminder/dose-reminder.ts';
const MAY_BE_SENT = 'libs/domain/src/notifications/may-be-sent.ts';
const OWED = 'libs/domain/src/notifications/owed.ts';
const SPEC = 'libs/domain/src/alerts/kinds/dose-reminder/dose-reminder.spec.ts';

/** Reminders of doses before they are late. */
export const REMINDERS: readonly Fault[] = [
  {
    name: 'a person is reminded of a dose that was taken',
    file: REMINDER,
    find: '.filter(isPending)\n    .filter(({ slot }) => slot.scheduled_at.getTime() + first',
    replace: '.filter(({ slot }) => slot.scheduled_at.getTime() + first',
    caughtBy: ['taken-early-gets-no-reminder'],
  },
  {
    name: 'reminders go on when the dose is taken',
    file: REMINDER,
    find: "if (dose.outcome && isTaken(dose.outcome)) return 'taken';",
    replace: 'if (dose.outcome && isTaken(dose.outcome)) return undefined;',
    caughtBy: ['reminded-until-it-is-taken'],
  },
  {
    name: 'reminders go on when somebody stated the dose',
    file: REMINDER,
    find: "if (settledBy(reports.get(dose.slot.scheduled_at.getTime()))) return 'stated';",
    replace: '',
    caughtBy: ['stated-then-not-reminded'],
  },
  {
    name: 'a reminder waits for quiet hours to end, though its dose is late by then',
    file: MAY_BE_SENT,
    find: "if (alert.kind === 'dose_reminder' && now >= alert.evidence.late_at)",
    replace: "if (alert.kind === 'dose_reminder' && now >= new Date(8e15))",
    caughtBy: ['libs/domain/src/notifications/may-be-sent.spec.ts'],
  },
  {
    name: 'a reminder goes to the operator if its user has no address',
    file: OWED,
    find: 'return alertKindFacts(alert.kind).reminds ? addresses.filter(isUser) : addresses;',
    replace: 'return addresses;',
    caughtBy: ['reminder-for-nobody-else'],
  },
  {
    name: 'a reminder whose address is refused goes to somebody else',
    file: MAY_BE_SENT,
    find: 'if (alertKindFacts(alert.kind).reminds && !isUser(replacement))',
    replace: 'if (alertKindFacts(alert.kind).reminds && isUser(replacement))',
    caughtBy: ['libs/domain/src/notifications/may-be-sent.spec.ts'],
  },
  {
    name: 'the steps of a reminder count from when it was raised',
    file: OWED,
    find: "return alert.kind === 'dose_reminder' ? alert.evidence.scheduled_at : raisedAt;",
    replace: "return alert.kind === 'dose_reminder' ? raisedAt : raisedAt;",
    caughtBy: ['reminded-until-it-is-taken'],
  },
  {
    name: 'a policy of reminders only notifies nobody of what is wrong',
    file: OWED,
    find: 'stepsFor(set.length > 0 ? set :',
    replace: 'stepsFor(policy.length > 0 ? set :',
    caughtBy: [SPEC],
  },
  {
    name: 'a reminder does not say that the bottle is offline',
    file: REMINDER,
    find: "if (alert.kind !== 'dose_reminder' || !state) return alert;",
    replace: 'if (alert) return alert;',
    caughtBy: ['reminded-though-the-bottle-is-offline'],
  },
  {
    name: 'reminders that are saved do not hold before the next dose is judged',
    file: 'apps/support-api/src/contacts/contacts.service.ts',
    find: 'await this.states.changeOfUser(userId, onRemindersChange(now));',
    replace: 'void onRemindersChange;',
    caughtBy: ['reminders-that-are-set-later'],
  },
  {
    name: 'staff see reminders among the alerts',
    file: 'libs/persistence/src/alerts/alert-lists.repository.ts',
    find: "const ALARMING = { kind: { $nin: alertKindsThat('reminds') } } as const;",
    replace: "const ALARMING = { kind: { $nin: alertKindsThat('aboutFleet') } } as const;",
    caughtBy: ['test/support-api/triage.cases.ts'],
  },
];
