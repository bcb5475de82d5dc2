import type { Fault } from '../fault.js';

const CORRECTIONS = 'libs/domain/src/alerts/kinds/missed-dose/corrections.ts';
const SILENT = 'apps/notifier/src/alert-kinds/bottle-silent/silent-bottles.check.ts';
const OF_SILENCES = 'apps/notifier/src/alert-kinds/bottle-silent/doses-of-silences.ts';
const OPEN = 'libs/domain/src/alerts/kinds/bottle-open/finding.ts';
const EXTRA = 'libs/domain/src/doses/extra-doses.ts';
const EXTRA_KIND = 'libs/domain/src/alerts/kinds/extra-dose/extra-dose.ts';
const JUDGEMENT = 'apps/notifier/src/doses/dose-judgement.ts';
const ROW = 'apps/notifier/src/alert-kinds/doses-missed-in-a-row/doses-missed-in-a-row.kind.ts';

/** Periods without monitoring. */
export const PERIODS: readonly Fault[] = [
  {
    name: 'pills are judged by what a period is now, not by what it was when they were removed',
    file: 'libs/domain/src/doses/periods.ts',
    find: '.map((period) => period.earlier?.find(({ until }) => time < until) ?? period)',
    replace: '.map((period) => period)',
    caughtBy: ['period-changed-over-a-dose-that-was-taken'],
  },
  {
    name: 'a dose in a period gets its outcome only if it is judged at its very moment',
    file: JUDGEMENT,
    find: 'open ? unrecordedFrom(bottle, open.slot.scheduled_at, now) : now',
    replace: 'open?.slot.scheduled_at ?? now',
    caughtBy: ['dose-not-monitored-found-after-a-restart'],
  },
  {
    name: 'nobody is notified that a missed dose was not monitored',
    file: CORRECTIONS,
    find: "return alert.state === 'resolved' ? { alert, end: endWith(dose, now) } : undefined;",
    replace: 'return undefined;',
    caughtBy: ['hospital-stay-entered-afterwards'],
  },
  {
    name: 'a dose stays retracted when its period is removed',
    file: CORRECTIONS,
    find: 'return dose.outcome === before ? undefined : monitoredAfterAll(alert, dose, now);',
    replace: 'return undefined;',
    caughtBy: ['period-removed-again'],
  },
  {
    name: 'a late dose of a removed period is sent only when it is missed',
    file: CORRECTIONS,
    find: "if (dose?.phase === 'late') return",
    replace: "if (dose?.phase === 'late' && !wasNotMonitored(alert)) return",
    caughtBy: ['period-removed-while-the-dose-is-late'],
  },
  {
    name: 'a dose of a removed period is missed, though it is reported taken',
    file: CORRECTIONS,
    find: "(alert.state !== 'resolved' && !isBack)",
    replace: "alert.state !== 'resolved'",
    caughtBy: ['period-removed-while-the-dose-is-late'],
  },
  {
    name: 'a dose that was monitored again ends unnoticed',
    file: 'apps/notifier/src/alert-kinds/missed-dose/missed-dose.kind.ts',
    find: 'isWithoutAlert(one);',
    replace: 'false;',
    caughtBy: ['period-removed-while-the-dose-is-late'],
  },
  {
    name: 'a dose of a removed period is not found',
    file: 'libs/domain/src/alerts/kinds/missed-dose/missed-dose.ts',
    find: '(judgedAgainFrom && slot.missed_at >= judgedAgainFrom) ||',
    replace: '',
    caughtBy: ['libs/domain/src/alerts/kinds/missed-dose/missed-dose.spec.ts'],
  },
  {
    name: 'a dose that was taken late is not missed when its pills prove to be a dose of a removed period',
    file: CORRECTIONS,
    find: 'if (before === undefined || before === dose.outcome) return undefined;',
    replace:
      "if (before === undefined || before === dose.outcome || before === 'taken_late') return undefined;",
    caughtBy: ['period-removed-and-its-pills-were-another-dose'],
  },
  {
    name: 'a device that is switched off in a period is silent',
    file: SILENT,
    find: 'if (period) return',
    replace: 'if (period && now < period.from) return',
    caughtBy: ['switched-off-in-a-long-pause'],
  },
  {
    name: 'a silence begins before the end of a period',
    file: SILENT,
    find: 'held && held > since ? held : undefined',
    replace: 'held && held < since ? held : undefined',
    caughtBy: ['not-silent-in-a-period'],
  },
  {
    name: 'a silence does not end when a period is entered',
    file: OF_SILENCES,
    find: 'if (period && silent)',
    replace: 'if (period && silent && now < period.from)',
    caughtBy: ['silence-ends-when-a-period-is-entered'],
  },
  {
    name: 'that a bottle has never reported is raised in a period in which its dose ends',
    file: OF_SILENCES,
    find: '    if (held && found.length > 0) return { state: held };\n',
    replace: '',
    caughtBy: ['not-silent-in-a-period'],
  },
  {
    name: 'a lid is held in every period',
    file: OPEN,
    find: 'if (period && PERIOD_RULES[reasonOf(period)].holdsLid)',
    replace: 'if (period && PERIOD_RULES[reasonOf(period)])',
    caughtBy: ['lid-open-in-a-period'],
  },
  {
    name: 'a lid is held in no period',
    file: OPEN,
    find: 'if (period && PERIOD_RULES[reasonOf(period)].holdsLid)',
    replace: 'if (period && !PERIOD_RULES[reasonOf(period)])',
    caughtBy: ['lid-open-in-a-period'],
  },
  {
    name: 'a period of an earlier version that begins later by now was never entered',
    file: 'libs/domain/src/doses/periods.ts',
    find: 'recorded_at = earlier?.[0]?.from ?? from }',
    replace: 'recorded_at = earlier === undefined ? from : from }',
    caughtBy: ['libs/domain/src/doses/periods.spec.ts'],
  },
  {
    name: 'a period makes extra what was removed before it was entered',
    file: 'libs/domain/src/doses/periods.ts',
    find: '({ from, earlier, recorded_at = earlier?.[0]?.from ?? from }) => recorded_at <= time',
    replace: '({ from, earlier, recorded_at = earlier?.[0]?.from ?? from }) => recorded_at <= time || true',
    caughtBy: ['libs/domain/src/doses/extra-doses.spec.ts'],
  },
  {
    name: 'a pill that is removed on a journey is extra',
    file: EXTRA,
    find: 'if (removalIn(plan.periods, removed.time)?.isExtra === false) continue;',
    replace: '',
    caughtBy: ['libs/domain/src/doses/extra-doses.spec.ts'],
  },
  {
    name: 'nobody is offered that several pills are in a pillbox',
    file: EXTRA_KIND,
    find: 'filling.doses < (pillbox.isFilledWeekly ? 1 : 2)',
    replace: 'filling.doses < (pillbox.isFilledWeekly ? 1 : 99)',
    caughtBy: ['week-of-pills-into-a-pillbox'],
  },
  {
    name: 'an extra dose stands when its pills are in a pillbox',
    file: EXTRA_KIND,
    find: 'if (isExplained(periods, alert.evidence.removed_at)) return true;',
    replace: 'if (isExplained(periods, alert.evidence.removed_at)) return false;',
    caughtBy: ['week-of-pills-into-a-pillbox'],
  },
  {
    name: 'a question about a pillbox wakes the night',
    file: 'libs/domain/src/alerts/kinds/extra-dose/facts.ts',
    find: 'asks_pillbox !== true',
    replace: 'asks_pillbox !== undefined',
    caughtBy: ['pillbox-that-is-filled-every-week'],
  },
  {
    name: 'a dose in a period has no outcome while nothing else is to be judged',
    file: JUDGEMENT,
    find: 'nextNotMonitored(bottle, now),',
    replace: 'undefined,',
    caughtBy: ['switched-off-in-a-long-pause'],
  },
  {
    name: 'a row stands though its doses were not monitored',
    file: ROW,
    find: "(outcome === 'unknown' || outcome === 'not_monitored') &&",
    replace: "outcome === 'unknown' &&",
    caughtBy: ['pause-from-six-days-ago'],
  },
  {
    name: 'a change of a period disproves pills removed after it',
    file: 'apps/notifier/src/alert-kinds/extra-dose/extra-dose.kind.ts',
    find: "slots.find(({ outcome }) => outcome !== 'not_monitored')",
    replace: 'slots.at(0)',
    caughtBy: ['extra-after-a-period-that-is-changed'],
  },
];
