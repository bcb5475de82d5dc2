import { MINUTE_MS } from '../../../time/durations.js';
import type { BottleState } from '../../../bottle-state/bottle-state.js';
import { RecordedCoverage } from '../../../coverage/recorded-coverage.js';
import type { SlotJudgement } from '../../../doses/judge.js';
import type { UnmonitoredPeriod } from '../../../doses/periods.js';
import { findNeverReported } from './never-reported.js';

const START = Date.parse('2026-03-02T06:00:00Z');
const at = (minutes: number): Date => new Date(START + minutes * MINUTE_MS);
const bottle = {
  _id: { toHexString: () => 'b1' },
  user_id: 'anna',
  medication: 'Cordrazine',
  registered_at: at(0),
  pauses: [] as UnmonitoredPeriod[],
};
const unheard = { _id: bottle._id } as BottleState;

/** A dose that ended so many minutes after the bottle was registered. */
const dose = (ended: number, outcome: SlotJudgement['outcome'] = 'unknown'): SlotJudgement =>
  ({ outcome, slot: { scheduled_at: at(ended - 30), missed_at: at(ended) } }) as SlotJudgement;

/** Reports were accepted all the time, except in a gap of ours. */
function coverage(now: number, gap: [number, number] = [-2, -1]): RecordedCoverage {
  const spans = [
    { from: at(-9), until: at(gap[0]) },
    { from: at(gap[1]), until: at(now) },
  ];
  return new RecordedCoverage(spans, { since: at(-9), now: at(now) }, 1_000);
}

const found = (doses: SlotJudgement[], now: number, gap?: [number, number]) =>
  findNeverReported(bottle, unheard, doses, coverage(now, gap), 60 * MINUTE_MS);

describe('a bottle that has never reported', () => {
  it('is found at the end of its first dose that nobody could confirm', () => {
    expect(found([dose(120)], 120)).toMatchObject([
      {
        kind: 'bottle_silent',
        deadline: at(120),
        evidence: { rule: 'never_reported', unconfirmed_doses: [at(90)] },
      },
    ]);
    expect(found([dose(120, 'taken_on_time')], 120)).toEqual([]);
  });

  it('is not looked for once it has reported', () =>
    expect(
      findNeverReported(
        bottle,
        { ...unheard, last_heard_at: at(130) },
        [dose(120)],
        coverage(131),
        60 * MINUTE_MS,
      ),
    ).toEqual([]));

  it.each([
    ['exactly long enough', 60, undefined, 1],
    ['a minute less', 59, undefined, 0],
    ['long enough without a gap of ours', 120, [20, 80], 1],
    ['a minute less without a gap of ours', 120, [20, 81], 0],
  ] as [string, number, [number, number] | undefined, number][])(
    'is found if we had listened for %s until the dose ended',
    (_, ended, gap, times) => expect(found([dose(ended)], 200, gap)).toHaveLength(times),
  );

  it('that is found later is the same alert, and names every dose since', () => {
    const [once] = found([dose(120)], 120);
    const [later] = found([dose(59), dose(120), dose(180)], 300);
    expect(later!.cause).toEqual(once!.cause);
    expect(later).toMatchObject({
      deadline: at(120),
      evidence: { unconfirmed_doses: [at(29), at(90), at(150)] },
    });
  });

  it('whose alert ended for a period is found anew by a dose long enough after it', () => {
    const pauses = [{ from: at(130), to: at(400) }];
    const since = (doses: SlotJudgement[], noted: Date, periods: UnmonitoredPeriod[]) =>
      findNeverReported(
        { ...bottle, pauses: periods },
        { ...unheard, silence_counts_from: noted },
        doses,
        coverage(600),
        60 * MINUTE_MS,
      );
    const doses = [dose(120), dose(459), dose(460)];
    expect(since(doses.slice(0, 2), at(190), pauses)).toEqual([]);
    expect(since(doses, at(190), pauses)).toMatchObject([
      { cause: at(400), deadline: at(460), evidence: { unconfirmed_doses: [at(429), at(430)] } },
    ]);
    // the period was removed: it held the silence until the moment that was noted
    expect(since(doses, at(190), [])).toMatchObject([{ cause: at(190), deadline: at(459) }]);
  });
});
