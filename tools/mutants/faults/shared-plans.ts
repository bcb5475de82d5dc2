import type { Fault } from '../fault.js';

const CONTACTS = 'libs/domain/src/doses/contacts.ts';
const SHARED = 'libs/domain/src/doses/shared-plan.ts';
const BOTTLES = 'libs/domain/src/doses/plan-bottles.ts';
const ASKED = 'libs/domain/src/doses/asked-bottles.ts';
const CORRECTIONS = 'libs/domain/src/alerts/kinds/missed-dose/corrections.ts';
const HANDOVER = 'apps/notifier/src/doses/plan-handover.ts';
const SUPPLY = 'libs/domain/src/alerts/kinds/low-supply/finding.ts';
const ON_CHECKS = 'libs/domain/src/bottle-state/on-checks.ts';
const JUDGE = 'libs/domain/src/doses/judge.spec.ts';
const STATES = 'libs/domain/src/bottle-state/on-checks.spec.ts';

/** Plans of several bottles (PLAN). */
export const SHARED_PLANS: readonly Fault[] = [
  {
    name: 'a dose of a plan is late by the first bottle that reports',
    file: CONTACTS,
    find: 'first: Math.max(',
    replace: 'first: Math.min(',
    caughtBy: [JUDGE],
  },
  {
    name: 'a dose of a plan waits for no other bottle',
    file: CONTACTS,
    find: '[{ log: this.own, place: 0 }, ...asked]',
    replace: '[{ log: this.own, place: 0 }]',
    caughtBy: ['plan-is-missed-when-both-bottles-say-so'],
  },
  {
    name: 'a dose of a plan is missed while one of its bottles is silent',
    file: CONTACTS,
    find: 'all.some((each) => each.afterSilence)',
    replace: 'all.every((each) => each.afterSilence)',
    caughtBy: ['plan-with-a-silent-bottle-is-unknown'],
  },
  {
    name: 'a bottle that left the plan is still waited for',
    file: CONTACTS,
    find: 'from <= instant && instant < until',
    replace: 'from <= instant',
    caughtBy: [JUDGE, 'plan-that-a-bottle-leaves'],
  },
  {
    name: 'a dose is missed though a bottle left the plan in its window, silent',
    file: CONTACTS,
    find: 'return leftSilent ? { ...found, afterSilence: true, leftSilent } : found;',
    replace: 'return found;',
    caughtBy: [JUDGE, 'plan-that-a-silent-bottle-leaves'],
  },
  {
    name: 'the open silence of a bottle that left the plan hides that a dose is unknown',
    file: 'libs/domain/src/alerts/kinds/missed-dose/silence-unseen.ts',
    find: '(isOpenSilence(alert) && getsDose(dose))',
    replace: 'isOpenSilence(alert)',
    caughtBy: [
      'libs/domain/src/alerts/kinds/missed-dose/silence-unseen.spec.ts',
      'plan-that-a-silent-bottle-leaves',
    ],
  },
  {
    name: 'what is removed after a bottle left the plan counts for it',
    file: SHARED,
    find: 'from <= at && (until === undefined || at < until)',
    replace: 'from <= at',
    caughtBy: ['plan-that-a-bottle-leaves'],
  },
  {
    name: 'what a bottle of a plan removes counts for its own plan, too',
    file: BOTTLES,
    find: 'isOfPlan: (at) => !sharedPlanAt(bottle.shared_plans, at)',
    replace: 'isOfPlan: () => true',
    caughtBy: ['libs/domain/src/doses/shared-plan.spec.ts'],
  },
  {
    name: 'removals are not handed over',
    file: HANDOVER,
    find: 'own.some((each) => isWithin(each, time)),',
    replace: 'own.length === 0 && isWithin(own[0]!, time),',
    caughtBy: ['plan-corrected-by-the-other-bottle'],
  },
  {
    name: 'the bottle with the plan does not learn of reports of the others',
    file: HANDOVER,
    find: 'await this.states.change(leader, onPlanReport(removals, new Types.ObjectId(), now));',
    replace: '',
    caughtBy: ['plan-corrected-by-the-other-bottle', 'plan-is-missed-when-both-bottles-say-so'],
  },
  {
    name: 'nobody waits for the next contact of the other bottles',
    file: HANDOVER,
    find: '!state.life && isOfDoses(shared, judged)',
    replace: '!state.life && !isOfDoses(shared, judged)',
    caughtBy: ['plan-is-missed-when-both-bottles-say-so'],
  },
  {
    name: 'a contact that came while a plan was judged is waited for',
    file: ON_CHECKS,
    find: "otherwise: { set: { dose_wait: 'over' } },",
    replace: '',
    caughtBy: [STATES],
  },
  {
    name: 'a check of a bottle forgets that a plan waits for it',
    file: ON_CHECKS,
    find: '...(handsOver ? { dose_wait } : {}),',
    replace: '',
    caughtBy: [STATES],
  },
  {
    name: 'a judgement that has not seen a report of another bottle stands',
    file: ON_CHECKS,
    find: `      plan_report,
      dose_due_at,`,
    replace: '      dose_due_at,',
    caughtBy: [STATES],
  },
  {
    name: 'a bottle of a plan that never reports is never found',
    file: HANDOVER,
    find: "outcome === 'unknown' && askedAt([member], slot.missed_at).length > 0,",
    replace: "outcome === 'unknown' && askedAt([member], slot.missed_at).length === 0,",
    caughtBy: ['plan-with-a-bottle-that-never-reports'],
  },
  {
    name: 'the supply of a plan is that of one bottle',
    file: SUPPLY,
    find: 'pillsOfPlan([{ state, bottle }, ...others])',
    replace: 'pillsOfPlan([{ state, bottle }])',
    caughtBy: ['plan-whose-supply-adds-up'],
  },
  {
    name: 'pills that are put back into the other bottle are extra',
    file: 'apps/notifier/src/alert-kinds/extra-dose/extra-dose.kind.ts',
    find: '...closings.flatMap((own) => findPutBack(open, own, now)),',
    replace: '...findPutBack(open, closings[0]!, now),',
    caughtBy: ['plan-with-extra-pills-from-the-other-bottle'],
  },
  {
    name: 'a silence of another bottle names no dose of the plan',
    file: 'apps/notifier/src/alert-kinds/bottle-silent/doses-of-silences.ts',
    find: '[{ bottle, state }, ...askedAt(silent, slot.missed_at)]',
    replace: '[{ bottle, state }]',
    caughtBy: ['plan-with-a-silent-bottle-is-unknown'],
  },
  {
    name: 'a reminder does not wait for a removal from another bottle',
    file: 'libs/domain/src/notifications/unchecked.ts',
    find: '...(state.members ?? []).filter(({ set_aside }) => !set_aside)',
    replace: '',
    caughtBy: ['plan-taken-while-no-notifier-ran'],
  },
  {
    name: 'a coverage gap asks only the bottle that has the plan whether it has reported',
    file: 'apps/notifier/src/alert-kinds/coverage-gap/unconfirmed-doses.ts',
    find: 'lastSeen: seen.includes(undefined) ? undefined : earliest(...seen),',
    replace: 'lastSeen: seen[0],',
    caughtBy: ['plan-in-a-coverage-gap'],
  },
  {
    name: 'of an erased person the other bottles of a plan are erased before the one that has it',
    file: 'apps/support-api/src/personal-data/people.service.ts',
    find: '[true, false].map((leads) =>',
    replace: '[false, true].map((leads) =>',
    caughtBy: ['test/support-api/shared-plans.cases.ts'],
  },
  {
    name: 'a refused plan_of leaves the other facts of the request changed',
    file: 'apps/support-api/src/bottles/bottles.service.ts',
    find: 'if (planOf) await this.plans.leaderFor({ ...bottle, ...definedOnly(facts) }, planOf);',
    replace: '',
    caughtBy: ['test/support-api/shared-plans.cases.ts'],
  },
  {
    name: 'a file takes more bottles into a plan than there may be',
    file: 'apps/support-api/src/bottles/shared-plans.service.ts',
    find: '(leader.plan_members ?? []).length + more',
    replace: '(leader.plan_members ?? []).length',
    caughtBy: ['test/support-api/import.cases.ts: counts those of one file'],
  },
  {
    name: 'a file of plans does not say whose plan a bottle is for',
    file: 'apps/support-api/src/bottles/plans.service.ts',
    find: 'lastingPlan(shared_plans)?.of.toHexString() ?? null',
    replace: 'null',
    caughtBy: ['test/support-api/import.cases.ts: takes what the export gives'],
  },
  {
    name: 'a bottle of a plan is asked in a period of its own',
    file: ASKED,
    find: '.filter(({ period }) => !period)',
    replace: '.filter(() => true)',
    caughtBy: [JUDGE, 'plan-whose-other-bottle-is-not-in-use'],
  },
  {
    name: 'a dose that may have been taken from a bottle that travels is missed',
    file: 'libs/domain/src/doses/periods.ts',
    find: "travel: { text: 'travel', removals: 'not_judged', holdsLid: false, hidesDoses: true }",
    replace: "travel: { text: 'travel', removals: 'not_judged', holdsLid: false, hidesDoses: false }",
    caughtBy: [JUDGE, 'plan-whose-other-bottle-travels'],
  },
  {
    name: 'a dose that may have been taken from a bottle that is not monitored is sent to nobody',
    file: 'libs/domain/src/alerts/kinds/missed-dose/unknown-unseen.ts',
    find: "return outcome === 'unknown' && period ?",
    replace: "return outcome === 'missed' && period ?",
    caughtBy: ['plan-whose-other-bottle-travels'],
  },
  {
    name: 'a plan is not judged again when a period of another bottle of it is entered',
    file: 'apps/support-api/src/bottles/periods.service.ts',
    find: 'shared.filter(({ until }) => !until || from < until)',
    replace: 'shared.filter(({ until }) => until && from < until)',
    caughtBy: ['plan-whose-other-bottle-was-faulty'],
  },
  {
    name: 'whoever was notified that a dose is missed does not learn that another bottle was not monitored',
    file: CORRECTIONS,
    find: "return before === 'missed' || before === 'partial' ?",
    replace: "return before === 'partial' ?",
    caughtBy: ['plan-whose-other-bottle-was-faulty'],
  },
  {
    name: 'a dose is not missed after all when the period of another bottle is removed',
    file: CORRECTIONS,
    find: "return before === 'unknown' && isAgain ? { alert, end: judgedAgain(dose, now) } : undefined;",
    replace: 'return undefined;',
    caughtBy: ['plan-whose-other-bottle-was-faulty'],
  },
  {
    name: 'an erased bottle makes doses of its former plan missed',
    file: 'apps/support-api/src/personal-data/erasure.service.ts',
    find: 'await this.sharedPlans.noteErasure(bottle, this.clock.now());',
    replace: '',
    caughtBy: ['plan-whose-other-bottle-is-erased'],
  },
  {
    name: 'a dose that was taken from a bottle that is erased is unknown when it is judged again',
    file: 'apps/notifier/src/doses/dose-judgement.ts',
    find: 'slots.some((slot) => mayBeErased(',
    replace: 'slots.every((slot) => !mayBeErased(',
    caughtBy: ['plan-whose-other-bottle-is-erased'],
  },
  {
    name: 'a part from one bottle proves that another one, which was silent, kept its reports',
    file: 'libs/domain/src/doses/judge.ts',
    find: '(removal.bottle ?? 0) === bottle &&',
    replace: '',
    caughtBy: [JUDGE],
  },
  {
    name: 'a dose that a silent bottle hid is not missed once that bottle is not in use',
    file: CORRECTIONS,
    find: '(judgedAgainFrom && judgedAgainFrom <= dose.slot.missed_at)',
    replace: 'false',
    caughtBy: ['plan-whose-silent-bottle-was-not-in-use'],
  },
];
