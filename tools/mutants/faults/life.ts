import type { Fault } from '../fault.js';

const SERVICE = 'apps/support-api/src/bottles/life.service.ts';
const SENT = 'libs/domain/src/notifications/may-be-sent.ts';
const SLOTS = 'libs/domain/src/doses/slots.ts';

/** Bottles that are not in use. */
export const LIFE: readonly Fault[] = [
  {
    name: 'the alerts of a retired bottle stay open',
    file: SERVICE,
    find: 'await this.actions.closeOfBottle(await this.alerts.findOpenAlarms([id]), closing);',
    replace: '',
    caughtBy: ['retired-while-a-dose-is-late', 'carer-is-not-asked-about-a-retired-bottle'],
  },
  {
    name: 'a stored bottle has doses',
    file: SERVICE,
    find: 'const schedule_versions = endPlan(seen.schedule_versions, at);',
    replace: 'const { schedule_versions } = seen;',
    caughtBy: ['retired-while-a-dose-is-late', 'stored-bottle-alarms-nobody'],
  },
  {
    name: 'what waits for the morning is sent of a retired bottle',
    file: SENT,
    find: 'if (state?.life && alarms(delivery))',
    replace: 'if (!state)',
    caughtBy: ['missed-in-quiet-hours-then-retired'],
  },
  {
    name: 'the lid of a bottle in a cupboard alarms its last person',
    file: 'apps/notifier/src/alert-kinds/bottle-open/open-bottles.check.ts',
    find: 'if (state.life) return',
    replace: 'if (state.life && !state.open) return',
    caughtBy: ['test/notifier/open.cases.ts: of a bottle that nobody uses raises no alert'],
  },
  {
    name: 'the doses of a bottle in a cupboard alarm its last person',
    file: 'apps/notifier/src/doses/doses.check.ts',
    find: 'if (state.life) return this.settle(one, now);',
    replace: '',
    caughtBy: ['test/notifier/doses.cases.ts: of a bottle that nobody uses raise no alert'],
  },
  {
    name: 'the silence of a bottle in a cupboard alarms its last person',
    file: 'apps/notifier/src/alert-kinds/bottle-silent/silent-bottles.check.ts',
    find: 'if (!since || state.life) return',
    replace: 'if (!since) return',
    caughtBy: ['stored-bottle-alarms-nobody'],
  },
  {
    name: 'a plan that ended holds on',
    file: 'libs/domain/src/doses/as-needed.ts',
    find: 'return last?.ends_at && last.ends_at <= at ? undefined : last;',
    replace: 'return last;',
    caughtBy: [
      'libs/domain/src/doses/plan.spec.ts: and the next one, of whoever has the bottle then, begins when it is assigned',
    ],
  },
  {
    name: 'a dose that was not over when the bottle left use is missed',
    file: SLOTS,
    find: 'is_cut: true,\n  };',
    replace: '};',
    caughtBy: [
      'libs/domain/src/doses/judge.spec.ts: is unknown if the bottle left use before its end, unless it was taken by then: nothing was taken',
    ],
  },
  {
    name: 'a retired bottle reports on',
    file: 'apps/device-api/src/auth/retired.ts',
    find: "if (lifeOf(device) === 'retired') throw",
    replace: 'if (lifeOf(device) !== lifeOf(device)) throw',
    caughtBy: ['retired-bottle-is-refused-until-it-is-assigned'],
  },
  {
    name: 'a dose of the first user is another person’s',
    file: 'apps/notifier/src/alert-kinds/missed-dose/missed-dose.kind.ts',
    find: 'user_id: ownerAt(bottle, new Date(alert.subject))',
    replace: 'user_id: ownerAt(bottle, now)',
    caughtBy: ['handed-over-in-the-window-of-a-dose'],
  },
  {
    name: 'another person is reminded of a dose of the first user',
    file: 'apps/notifier/src/alert-kinds/dose-reminder/dose-reminder.kind.ts',
    find: 'one.unsettled.filter(({ slot }) => slot.scheduled_at >= owned)',
    replace: 'one.unsettled.filter(() => owned <= now)',
    caughtBy: ['handed-over-in-the-window-of-a-dose'],
  },
  {
    name: 'the silence of another person names a dose of the first user',
    file: 'apps/notifier/src/alert-kinds/bottle-silent/silence-evidence.ts',
    find: '.filter((dose) => dose >= owned)',
    replace: '.filter(() => owned <= now)',
    caughtBy: ['handed-over-in-the-window-of-a-dose'],
  },
  {
    name: 'a dose of the first user shows another person that the bottle has never reported',
    file: 'libs/domain/src/alerts/kinds/bottle-silent/never-reported.ts',
    find: "outcome === 'unknown' && slot.scheduled_at >= owned",
    replace: "outcome === 'unknown' && owned <= coverage.until",
    caughtBy: ['handed-over-in-the-window-of-a-dose'],
  },
  {
    name: 'the first user is sent when the pills of another person are refilled',
    file: 'apps/notifier/src/alert-kinds/low-supply/low-supply.kind.ts',
    find: 'open && isOfAnother(open, bottle)',
    replace: 'open && open.user_id === undefined',
    caughtBy: ['handed-over-with-open-alerts'],
  },
  {
    name: 'the first user is sent when another person closes the lid',
    file: 'apps/notifier/src/alert-kinds/bottle-open/open-bottles.check.ts',
    find: 'if (open && isOfAnother(open, state))',
    replace: 'if (open?.user_id === undefined && open)',
    caughtBy: ['handed-over-with-open-alerts'],
  },
  {
    name: 'another person is not sent that the battery is low',
    file: 'apps/notifier/src/alert-kinds/battery-low/battery-low.check.ts',
    find: 'if (open && isOfAnother(open, state))',
    replace: 'if (open?.user_id === undefined && open)',
    caughtBy: ['handed-over-with-open-alerts'],
  },
  {
    name: 'the row of the first user hides that of another person',
    file: 'apps/notifier/src/alert-kinds/doses-missed-in-a-row/doses-missed-in-a-row.kind.ts',
    find: 'rowsOf(one).find((row) => !isOfAnother(row, one.bottle))',
    replace: 'rowsOf(one)[0]',
    caughtBy: ['handed-over-with-open-alerts'],
  },
  {
    name: 'the row of the first user lasts',
    file: 'apps/notifier/src/alert-kinds/doses-missed-in-a-row/doses-missed-in-a-row.kind.ts',
    find: '.filter((row) => isOfAnother(row, one.bottle))',
    replace: '.filter((row) => row.user_id === undefined)',
    caughtBy: ['handed-over-with-open-alerts'],
  },
  {
    name: 'that weight and count differ is not sent to another person',
    file: 'libs/domain/src/alerts/kinds/count-mismatch/finding.ts',
    find: 'judged.since > owned ? judged.since : owned',
    replace: 'judged.since',
    caughtBy: [
      'test/notifier/count-mismatch.cases.ts: ends when the bottle gets another user, and is found anew by their weighings',
    ],
  },
  {
    name: 'what is open of a bottle lasts when it gets another user',
    file: 'libs/domain/src/bottle-state/on-checks.ts',
    find: 'open_overdue_at: at, battery_low_at: at }, set: { ...set, user_id }',
    replace: '}, set: { ...set, user_id }',
    caughtBy: ['handed-over-with-open-alerts'],
  },
];
