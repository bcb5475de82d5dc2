import { DAY_MS } from '../../../time/durations.js';
import type { Alert } from '../../alert.js';
import { sampleAlert } from '../../testing.js';
import { findChangedExtra, findDisproved, findExtraDoses } from './extra-dose.js';

const time = new Date('2026-03-02T08:05:00Z');
const bottle = { _id: { toHexString: () => 'b1' }, user_id: 'anna', medication: 'Cordrazine' };

it('pills removed up to 7 days ago are sent, the end included; older ones are recorded as over', () => {
  const extra = [{ removal_id: 'a', time, pills: 1, reason: 'beyond_dose' as const }];
  const ends = [7 * DAY_MS, 7 * DAY_MS + 1].map(
    (age) => findExtraDoses(bottle, extra, [], new Date(time.getTime() + age))[0]?.end,
  );
  expect(ends).toEqual([undefined, expect.objectContaining({ state: 'resolved' })]);
  expect(ends[1]).not.toHaveProperty('owed');
});

describe('two removals of one second', () => {
  const removal = (removal_id: string, pills: number, at = time) => ({
    removal_id,
    time: at,
    pills,
    reason: 'beyond_dose' as const,
  });
  const find = (extra: Parameters<typeof findExtraDoses>[1], open: Alert<'extra_dose'>[] = []) =>
    findExtraDoses(bottle, extra, open, time);
  const raised = (extra: Parameters<typeof findExtraDoses>[1]): Alert<'extra_dose'>[] =>
    find(extra).map(({ evidence, subject }) => sampleAlert('extra_dose', { evidence, subject }));

  it('are one alert with the pills of both', () => {
    expect(
      find([removal('a', 1), removal('b', 2), removal('c', 1, new Date(time.getTime() + 1_000))]),
    ).toMatchObject([
      { cause: time, evidence: { extra_pills: 3, removals: 2 } },
      { evidence: { extra_pills: 1 } },
    ]);
  });

  it('of which the second is judged later are two alerts, each with its pills, and found again they are no more', () => {
    const first = raised([removal('a', 2)]);
    const [second, ...more] = find([removal('a', 1), removal('b', 2)], first);
    expect(more).toEqual([]);
    expect(second).toMatchObject({ evidence: { removed_at: time, extra_pills: 1 } });
    expect(second!.cause).not.toEqual(time);
    const both = [
      ...first,
      sampleAlert('extra_dose', { evidence: second!.evidence, subject: second!.subject }),
    ];
    expect(find([removal('a', 1), removal('b', 2)], both).map(({ cause }) => cause)).toEqual([time]);
  });

  it('of which more pills prove to be extra are a further alert with these, if all that makes them extra was read', () => {
    const first = raised([removal('a', 2)]);
    const more = (from?: Date) => findExtraDoses(bottle, [removal('a', 3)], first, time, from);
    expect(more(time)).toMatchObject([{ evidence: { extra_pills: 1, pills_in_all: 3 } }]);
    expect(more(time)[0]!.cause).not.toEqual(time);
    expect(more(new Date(time.getTime() + 1))).toMatchObject([{ cause: time }]);
    expect(more()).toMatchObject([{ cause: time }]);
  });

  it('say what is known now: how many pills, and why', () => {
    const first = raised([removal('a', 2)]);
    const changed = (extra: Parameters<typeof findExtraDoses>[1], from: Date | undefined = time) =>
      findChangedExtra(first, extra, from).map(({ evidence }) => evidence);
    expect(changed([removal('a', 2)])).toEqual([]);
    expect(changed([removal('a', 3)])).toEqual([]);
    expect(changed([])).toEqual([]);
    expect(changed([removal('a', 1)])).toMatchObject([{ extra_pills: 1, rule: 'beyond_dose' }]);
    expect(changed([removal('a', 1)], new Date(time.getTime() + 1))).toEqual([]);
    const again = { ...removal('a', 2), reason: 'several_doses' as const, next_dose_at: time };
    expect(changed([again])).toMatchObject([{ rule: 'several_doses', extra_pills: 2, next_dose_at: time }]);
  });

  it('of which fewer pills are extra keep the first, and the others are retracted', () => {
    const both = [
      sampleAlert('extra_dose', {
        subject: time.toISOString(),
        evidence: { rule: 'beyond_dose', removed_at: time, extra_pills: 1 },
      }),
      sampleAlert('extra_dose', {
        subject: new Date(time.getTime() + 1).toISOString(),
        evidence: { rule: 'beyond_dose', removed_at: time, extra_pills: 1, pills_in_all: 2 },
      }),
    ];
    const disproved = (extra: Parameters<typeof findExtraDoses>[1]) =>
      findDisproved(both, extra, time, [], time).map(({ alert }) => alert);
    expect(disproved([removal('a', 2)])).toEqual([]);
    expect(disproved([removal('a', 1)])).toEqual([both[1]]);
    expect(disproved([])).toEqual(both);
  });
});
