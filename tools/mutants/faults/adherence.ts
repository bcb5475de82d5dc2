import type { Fault } from '../fault.js';

const DAYS = 'libs/domain/src/adherence/dosing-days.ts';
const STUDY = 'libs/domain/src/adherence/adherence-study.spec.ts: every day, and the share of days';
const SPEC = (title: string): string => `libs/domain/src/adherence/dosing-days.spec.ts: ${title}`;

/** Which days have the prescribed amount. */
export const ADHERENCE: readonly Fault[] = [
  {
    name: 'a day is from midnight to midnight',
    file: DAYS,
    find: 'export const DAY_BEGINS_AT = { hours: 3 } as const;',
    replace: 'export const DAY_BEGINS_AT = { hours: 0 } as const;',
    caughtBy: [STUDY],
  },
  {
    name: 'a break within the plan is no day',
    file: DAYS,
    find: 'return hasLaterSlot || begins <= lastSlot || nextSlotAfter([version], [], begins) !== undefined;',
    replace: 'return false;',
    caughtBy: [STUDY],
  },
  {
    name: 'in the figures pills are of the dose at whose time the bottle was closed',
    file: 'apps/support-api/src/history/adherence.service.ts',
    find: 'removalsOfPlan(plan, since, { removed, openings })',
    replace: 'removalsOfPlan(plan, since, { removed })',
    caughtBy: ['test/support-api/taxonomy.cases.ts'],
  },
  {
    name: 'every day since the plan began is one of it',
    file: DAYS,
    find: 'return hasLaterSlot || begins <= lastSlot || nextSlotAfter([version], [], begins) !== undefined;',
    replace: 'return true;',
    caughtBy: [SPEC('has no day before the first step and after the last dose, nor one that is not over')],
  },
  {
    name: 'a day of which the bottle says nothing counts',
    file: DAYS,
    find: 'return period.from < day.midnight && endsAt(period) > day.from.getTime();',
    replace: 'return false;',
    caughtBy: ['libs/domain/src/adherence/dosing-days.spec.ts'],
  },
  {
    name: 'a day without a dose counts before the bottle has reported',
    file: DAYS,
    find: "return isUnseen ? 'unknown' : leftOut(doses, worded);",
    replace: 'return leftOut(doses, worded);',
    caughtBy: [SPEC('leaves out days without a dose that began before the first report: nobody saw them')],
  },
  {
    name: 'a period of whole days reaches into the day before',
    file: DAYS,
    find: 'return period.from < day.midnight && endsAt(period) > day.from.getTime();',
    replace: 'return period.from < day.to && endsAt(period) > day.from.getTime();',
    caughtBy: [STUDY],
  },
  {
    name: 'an unknown dose is one that was not taken',
    file: DAYS,
    find: "judged!.outcome === 'unknown' && !(worded && statement)",
    replace: 'false',
    caughtBy: [SPEC('leaves out days with a dose that is unknown or has no outcome')],
  },
  {
    name: 'pills that were no dose count',
    file: DAYS,
    find: 'corrected(removed - pillsOf(byDay.noDoses.get(day.local_date)), doses)',
    replace: 'corrected(removed, doses)',
    caughtBy: [STUDY],
  },
  {
    name: 'a dose from elsewhere is not added',
    file: DAYS,
    find: 'removed: removed + sum(elsewhere.map(({ pills }) => pills)) + less',
    replace: 'removed: removed + less',
    caughtBy: [STUDY],
  },
  {
    name: 'a pill that a statement says came from the bottle is added to one that was measured',
    file: DAYS,
    find: 'Math.max(0, more - ofNoDose)',
    replace: 'more',
    caughtBy: [SPEC('a pill from the bottle is one that was measured, if one was without a dose')],
  },
  {
    name: 'of several bottles one with the amount is enough',
    file: 'libs/domain/src/adherence/taxonomy.ts',
    find: 'figures.every(({ implemented }) => implemented === 1)',
    replace: 'figures.some(({ implemented }) => implemented === 1)',
    caughtBy: [
      SPEC('a day has the prescribed amount if each bottle has it, and is left out with one of them'),
    ],
  },
  {
    name: 'a treatment is over after a month of which the bottle says nothing',
    file: 'libs/domain/src/adherence/taxonomy.ts',
    find: '(isOver && isHidden)',
    replace: 'false',
    caughtBy: [SPEC('is discontinued after 30 days without a dose, all prescribed and known')],
  },
  {
    name: 'what is about no dose makes a dose at its instant one of which nobody reports anything',
    file: 'libs/domain/src/attestations/attestation.ts',
    find: 'const ordered = entries.filter(isOfDose).toSorted(byTime);',
    replace: 'const ordered = entries.toSorted(byTime);',
    caughtBy: [
      'libs/domain/src/attestations/attestation.spec.ts: what is about pills that were no dose says nothing of a dose at the same instant',
    ],
  },
];

const QUALITY = 'libs/domain/src/alerts/quality/alarm-quality.ts';
const QUALITY_SPEC = (title: string): string =>
  `libs/domain/src/alerts/quality/alarm-quality.spec.ts: ${title}`;

/** What alerts were worth. */
export const ALARM_QUALITY: readonly Fault[] = [
  {
    name: 'an alert of which nothing was sent counts',
    file: QUALITY,
    find: 'if (sent.length === 0) return counts;',
    replace: '',
    caughtBy: [QUALITY_SPEC('counts an alert without one')],
  },
  {
    name: 'an alert that was acknowledged after a reminder was so in time',
    file: QUALITY,
    find: "event !== 'escalated' || created_at >= acknowledged_at",
    replace: "event !== 'escalated' || created_at <= acknowledged_at",
    caughtBy: [QUALITY_SPEC('an alert is acknowledged in time after a reminder')],
  },
  {
    name: 'a bottle counts for the whole month of its registration',
    file: QUALITY,
    find: 'bottles * (to.getTime() - begin.getTime()) - offset_ms',
    replace: 'bottles * (to.getTime() - begin.getTime())',
    caughtBy: [QUALITY_SPEC('bottle-days are counted from registration, by fleet, medication and month')],
  },
];
