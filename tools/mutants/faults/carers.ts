import type { Fault } from '../fault.js';

const ESCALATION = 'libs/domain/src/notifications/escalation.ts';
const RECIPIENTS = 'libs/domain/src/notifications/recipients.ts';
const ENTERED = 'apps/support-api/src/contacts/entered-carers.ts';
const ACTED = 'apps/support-api/src/links/acted.ts';
const CASES = 'test/support-api/carers.cases.ts';

/** Several carers, and groups of them. */
export const CARERS: readonly Fault[] = [
  {
    name: 'the carers of a group are all notified at once, though in turn was asked for',
    file: ESCALATION,
    find: 'const wait = parseDuration(in_turn) ?? 0;',
    replace: 'const wait = 0;',
    caughtBy: ['carers-in-turn', 'libs/domain/src/notifications/escalation.spec.ts'],
  },
  {
    name: 'of a group only the first carer is notified',
    file: ESCALATION,
    find: 'return carers.filter(({ groups }) => groups?.includes(group)).map(({ id }) => id);',
    replace: 'return carers.filter(({ groups }) => groups?.includes(group)).map(({ id }) => id).slice(0, 1);',
    caughtBy: ['group-of-carers-at-once'],
  },
  {
    name: 'a carer without an address is replaced by the user, though another carer comes next',
    file: RECIPIENTS,
    find: 'const others = [...persons.slice(next), ...persons.slice(0, next)];',
    replace: 'const others = to === USER ? persons : [];',
    caughtBy: ['carer-without-address-is-replaced-by-the-next'],
  },
  {
    name: 'of several carers the first one counts as the former carer',
    file: 'libs/domain/src/notifications/order.ts',
    find: 'const since = carer.details.carer_since;',
    replace: "const since = addressees.carers?.get('carer')?.details.carer_since;",
    caughtBy: ['another-person-in-a-carers-place'],
  },
  {
    name: 'an end that waits for the user in the place of a carer who is gone is sent',
    file: 'libs/domain/src/notifications/order.ts',
    find: '  if (!carer) return true;\n',
    replace: '  if (!carer) return false;\n',
    caughtBy: ['carer-removed-while-the-end-waits-elsewhere'],
  },
  {
    name: 'the quiet hours of the first carer are those of all',
    file: RECIPIENTS,
    find: 'return person === USER ? user.person : carers?.get(person);',
    replace: "return person === USER ? user.person : (carers?.get('carer') ?? carers?.get(person));",
    caughtBy: ['quiet-hours-of-one-carer-in-another-zone'],
  },
  {
    name: 'a request that knows one carer removes the others',
    file: ENTERED,
    find: 'const others = before ? carersOf(before).filter(({ id }) => id !== FIRST_CARER) : [];',
    replace: 'const others: Carer[] = [];',
    caughtBy: [`${CASES}: given as the one carer of before leave the others as they are`],
  },
  {
    name: 'a step may name a carer whom the contact does not have',
    file: ENTERED,
    find: 'if (!targets.includes(to))',
    replace: 'if (!targets.includes(to) && index > 99)',
    caughtBy: [CASES],
  },
  {
    name: 'what refuses the address of one carer is noted of another',
    file: 'libs/persistence/src/contacts/places.ts',
    find: "of: (fields) => ({ arrayFilters: [prefixed('one.', fields)] }),",
    replace: "of: () => ({ arrayFilters: [{ 'one.id': { $exists: true } }] }),",
    caughtBy: [CASES],
  },
  {
    name: 'whoever acknowledges second is thanked as if nobody had before',
    file: ACTED,
    find: "return alert.state === 'acknowledged' && lastStep(alert)?.by !== delivery.recipient;",
    replace: 'return false;',
    caughtBy: [`${CASES}: who act at once on one alert see who was first, by name`],
  },
  {
    name: 'staff who come second read the id of a carer in place of the name',
    file: 'apps/support-api/src/alerts/actor.ts',
    find: 'return isOther ? undefined : details?.name;',
    replace: 'return isOther ? undefined : by;',
    caughtBy: [`${CASES}: who act at once on one alert see who was first, by name`],
  },
  {
    name: 'a plan says that a late dose is sent in quiet hours',
    file: 'apps/support-api/src/contacts/reachability.service.ts',
    find: 'quietUntil(details.quiet_hours, details.time_zone, at)) ?? at',
    replace: 'undefined) ?? at',
    caughtBy: ['test/support-api/reachability.cases.ts'],
  },
  {
    name: 'alerts that somebody takes care of count as taken care of by nobody',
    file: 'libs/persistence/src/alerts/alert-lists.repository.ts',
    find: 'count(attention, kind) - (count(assigned, kind) - count(assignedSnoozed, kind))',
    replace: 'count(attention, kind)',
    caughtBy: [
      'test/support-api/triage.cases.ts: are assigned to a member of staff or to nobody, and have notes',
    ],
  },
  {
    name: 'who stands for a person whose address is refused is sent their own message and that one',
    file: 'libs/domain/src/notifications/may-be-sent.ts',
    find: 'if (there.some(mayHaveArrived)) return known;',
    replace: 'return undefined;',
    caughtBy: ['refused-address-in-a-group-of-carers'],
  },
  {
    name: 'what else goes to whom a first message moves to is not read',
    file: 'apps/notifier/src/delivery/send-context.ts',
    find: '[...notifications, ...ofMoving]',
    replace: 'notifications',
    caughtBy: ['refused-address-in-a-group-of-carers'],
  },
  {
    name: 'what moves is lost with the cancelled end of whom it moves to',
    file: 'libs/persistence/src/deliveries/outbox.repository.ts',
    find: 'if (moved.length > 0) await',
    replace: 'if (moved.length < 0) await',
    caughtBy: ['end-of-a-carer-whose-address-is-refused'],
  },
];
