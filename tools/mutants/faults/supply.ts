import type { Fault } from '../fault.js';

const LOW_SUPPLY = 'libs/domain/src/alerts/kinds/low-supply/low-supply.ts';
const COUNT = 'libs/domain/src/alerts/kinds/count-mismatch/count-mismatch.ts';

/** Pills, weights and batteries. */
export const SUPPLY: readonly Fault[] = [
  {
    name: 'a refill and its correction are two bottles',
    file: 'libs/domain/src/supply/doubtful-counts.ts',
    find: 'const RETURNS = 3;',
    replace: 'const RETURNS = 1;',
    caughtBy: ['libs/domain/src/supply/doubtful-counts.spec.ts'],
  },
  {
    name: 'more pills than were there are taken without a doubt',
    file: 'libs/domain/src/supply/doubtful-counts.ts',
    find: 'taken > Math.max(current, other ?? 0)',
    replace: 'taken > Math.max(current, 100_000)',
    caughtBy: ['test/notifier/doses.cases.ts: notes on the bottle which counts can hardly be so'],
  },
  {
    name: 'a doubtful count is noted again with each later removal',
    file: 'apps/notifier/src/doses/count-doubts.ts',
    find: '.filter(({ time }) => unjudged.has(removalFrom(time, own)))',
    replace: '.filter(({ time }) => unjudged.size > 0 && time <= now)',
    caughtBy: ['test/notifier/doses.cases.ts: notes on the bottle which counts can hardly be so'],
  },
  {
    name: 'a count that an opening reports is not doubted',
    file: 'apps/notifier/src/doses/count-doubts.ts',
    find: 'unjudged.has(removalFrom(time, own))',
    replace: 'unjudged.has(time.getTime())',
    caughtBy: ['two-bottles-with-one-token'],
  },
  {
    name: 'two bottles that are opened once a day are one',
    file: 'apps/notifier/src/doses/count-doubts.ts',
    find: 'const LOOKED_BACK_MS = 3 * DAY_MS;',
    replace: 'const LOOKED_BACK_MS = 2 * DAY_MS;',
    caughtBy: ['two-bottles-with-one-token'],
  },
  {
    name: 'the patient is notified of a copied token',
    file: 'apps/notifier/src/delivery/recipients.ts',
    find: 'alert && !FOR_OPERATOR.includes(alert.kind) ?',
    replace: 'alert && FOR_OPERATOR.length > 0 ?',
    caughtBy: ['two-bottles-with-one-token'],
  },
  {
    name: "the operator is reminded of a copied token by the user's policy",
    file: 'libs/domain/src/notifications/owed.ts',
    find: 'goesToOperator ? [] : alertingSteps(policy)',
    replace: 'alertingSteps(policy)',
    caughtBy: ['two-bottles-with-one-token'],
  },
  {
    name: 'counts under an earlier token are doubted after it was replaced',
    file: 'apps/notifier/src/doses/count-doubts.ts',
    find: 'since: bottle.token_replaced_at ?? from',
    replace: 'since: bottle.token_replaced_at ? from : from',
    caughtBy: ['test/notifier/shared-token.cases.ts: ends when the token is replaced'],
  },
  {
    name: 'a copied token is over 7 days after it was seen first',
    file: 'libs/domain/src/alerts/kinds/shared-token/shared-token.ts',
    find: '?.last_at;',
    replace: '?.first_at;',
    caughtBy: [
      'two-bottles-with-one-token',
      'libs/domain/src/alerts/kinds/shared-token/shared-token.spec.ts',
    ],
  },
  {
    name: 'a dose that was taken early still needs its pills',
    file: LOW_SUPPLY,
    find: 'pills: pills - (taken.get(at.getTime()) ?? 0)',
    replace: 'pills',
    caughtBy: ['low-supply-counts-what-is-not-taken'],
  },
  {
    name: 'exactly the pills that are needed are too few',
    file: LOW_SUPPLY,
    find: '!refilled : pills < needed;',
    replace: '!refilled : pills <= needed;',
    caughtBy: ['low-supply-and-refill', 'libs/domain/src/alerts/kinds/low-supply/low-supply.spec.ts'],
  },
  {
    name: 'a low supply ends when fewer pills are needed, and begins again',
    file: LOW_SUPPLY,
    find: 'const low = state?.low ? !refilled : pills < needed;',
    replace: 'const low = pills < needed;',
    caughtBy: ['libs/domain/src/alerts/kinds/low-supply/low-supply.spec.ts'],
  },
  {
    name: 'one bad weighing is a wrong count',
    file: COUNT,
    find: 'const TO_TURN = 2;',
    replace: 'const TO_TURN = 1;',
    caughtBy: [
      'weight-and-count-differ',
      'libs/domain/src/alerts/kinds/count-mismatch/count-mismatch.spec.ts',
    ],
  },
  {
    name: 'a scale that creeps with the heat is a wrong count',
    file: 'libs/domain/src/alerts/kinds/count-mismatch/tolerance.ts',
    find: 'return Math.max(PILLS, SHARE * number_of_pills);',
    replace: 'return 0.02 * number_of_pills;',
    caughtBy: ['libs/domain/src/alerts/kinds/count-mismatch/count-mismatch.spec.ts'],
  },
  {
    name: 'a large count has the tolerance of a small one',
    file: 'libs/domain/src/alerts/kinds/count-mismatch/tolerance.ts',
    find: 'return Math.max(PILLS, SHARE * number_of_pills);',
    replace: 'return PILLS;',
    caughtBy: ['libs/domain/src/alerts/kinds/count-mismatch/count-mismatch.spec.ts'],
  },
  {
    name: 'a battery exactly at the threshold is low',
    file: 'libs/domain/src/alerts/kinds/battery-low/battery.ts',
    find: 'findLastIndex(({ percent }) => percent >= threshold)',
    replace: 'findLastIndex(({ percent }) => percent > threshold)',
    caughtBy: ['libs/domain/src/alerts/kinds/battery-low/battery.spec.ts'],
  },
  {
    name: 'a bottle that is off in a period has a low battery',
    file: 'libs/domain/src/alerts/kinds/battery-low/finding.ts',
    find: 'coverage.since(last_heard_at) >= silentAfter',
    replace: '!state.silent_at || state.silent_at <= now',
    caughtBy: ['battery-of-a-bottle-that-is-off-in-a-period'],
  },
  {
    name: 'an outage of ours hides a low battery',
    file: 'libs/domain/src/alerts/kinds/battery-low/finding.ts',
    find: 'coverage.since(last_heard_at) >= silentAfter',
    replace: 'now.getTime() - last_heard_at.getTime() >= silentAfter',
    caughtBy: ['battery-low-during-an-outage-of-ours'],
  },
  {
    name: 'a bottle that is low again with the same count is not sent',
    file: 'libs/domain/src/alerts/kinds/low-supply/finding.ts',
    find: 'cause: now, deadline',
    replace: 'cause: deadline, deadline',
    caughtBy: ['low-supply-again-after-a-pause'],
  },
];
