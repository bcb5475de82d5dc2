import { MINUTE_MS } from '#domain';
import type { TestBottle, TestNotifier } from '../../tools/harness/services.js';
import { Random } from '../../tools/random.js';
import { NotifierHarness } from './notifier-harness.js';

describe('a plan of two bottles', () => {
  let harness: NotifierHarness;
  let second: TestNotifier;

  beforeAll(async () => {
    harness = await NotifierHarness.start('shared-plans');
    second = await harness.addNotifier();
  });
  afterAll(() => harness?.stop());

  beforeEach(() => harness.begin());

  /** Due at 08:00, 10:00 and 12:00 UTC. */
  const SCHEDULE = {
    kind: 'times_of_day',
    times: ['08:00', '10:00', '12:00'],
    pills_per_dose: 2,
    time_zone: 'UTC',
    early_window: '30m',
    late_after: '30m',
    missed_after: '80m',
  };
  /** Minutes after 06:00 at which a pill is removed, by the bottle: whole, in parts from both, and a part. */
  const REMOVED: [bottle: 'home' | 'work', minute: number][] = [
    ['home', 121],
    ['work', 125],
    ['work', 235],
    ['work', 250],
    ['home', 362],
  ];
  const END = 12 * 60;

  /** Lives the same hours; each removal is reported so many minutes after it. */
  async function live(delays: readonly number[]): Promise<object> {
    const home = await harness.register({ schedule: SCHEDULE, number_of_pills: 90 });
    const work = await harness.register({ plan_of: home.id, number_of_pills: 90 });
    const bottles: Record<'home' | 'work', TestBottle> = { home, work };
    const began = harness.clock.now().getTime();
    const at = (minute: number): string => new Date(began + minute * MINUTE_MS).toISOString();
    for (let minute = 5; minute <= END; minute += 5) {
      await harness.pass(5 * MINUTE_MS);
      await harness.heartbeat(home, work);
      for (const [index, [key, removed]] of REMOVED.entries()) {
        const arrives = removed + delays[index]!;
        if (arrives <= minute && arrives > minute - 5)
          await harness.backlog(bottles[key], [
            { type: 'action', action: 'closed', time: at(removed), pills_taken: 1, number_of_pills: 30 },
          ]);
      }
      // both notifiers, at once
      if (minute % 10 === 0)
        await Promise.all([harness.notifier, second].map((notifier) => notifier.runAll()));
    }
    const outcomes = await harness.outcomes(home);
    return {
      outcomes: outcomes
        .map(({ scheduled_at, outcome, taken_at, pills_taken }) => ({
          scheduled: (scheduled_at as Date).getTime() - began,
          outcome: outcome as string,
          taken: taken_at && (taken_at as Date).getTime() - began,
          pills_taken: pills_taken as number,
        }))
        .sort((one, other) => one.scheduled - other.scheduled),
      own: await harness.outcomes(work),
      open: (await harness.alerts(home, 'missed_dose')).filter(({ open }) => open === true).length,
    };
  }

  it('is judged the same in whatever order its bottles report, and however late', async () => {
    const expected = await live(REMOVED.map(() => 0));
    expect(expected).toEqual({
      outcomes: [
        { scheduled: 120 * MINUTE_MS, outcome: 'taken_on_time', taken: 125 * MINUTE_MS, pills_taken: 2 },
        { scheduled: 240 * MINUTE_MS, outcome: 'taken_on_time', taken: 250 * MINUTE_MS, pills_taken: 2 },
        { scheduled: 360 * MINUTE_MS, outcome: 'partial', taken: undefined, pills_taken: 1 },
      ],
      own: [],
      open: 0,
    });
    const random = new Random('plan of two bottles');
    for (let round = 0; round < 3; round += 1) {
      await harness.begin();
      expect(await live(REMOVED.map(() => random.integer(0, 300)))).toEqual(expected);
    }
  });
});
