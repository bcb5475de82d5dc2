import { DAY_MS } from '../../../time/durations.js';
import type { Alert } from '../../alert.js';
import { sampleAlert } from '../../testing.js';
import { findExtraDoses } from './extra-dose.js';

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

  it('are no further alert when another judgement finds more of one removal extra', () => {
    expect(find([removal('a', 3)], raised([removal('a', 2)]))).toMatchObject([{ cause: time }]);
  });
});
