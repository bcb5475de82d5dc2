import fc from 'fast-check';
import { matchRemovals, openingsMatter, type Removal } from './match.js';
import { DAY_MS } from '../time/durations.js';
import { type Slot, slotsBetween } from './slots.js';
import { at, moments, rearranged, removal, removals, schedules, version } from './testing.js';

function match(schedule: object, removals: Removal[]) {
  const slots = slotsBetween([version(schedule)], [], at('2025-06-01T00:00Z'), at('2025-06-02T00:00Z'));
  const { slots: matches, extra } = matchRemovals(slots, removals);
  return { ids: matches.map(({ matched }) => matched.map((part) => part.removal_id)), matches, extra };
}

const MORNING = { kind: 'times_of_day', times: ['08:00'] };
const FOUR_HOURLY = { kind: 'times_of_day', times: ['08:00', '12:00'] };

describe('matchRemovals', () => {
  it.each([
    ['2025-06-01T05:59:59.999Z', false],
    ['2025-06-01T06:00:00Z', true],
    ['2025-06-01T12:00:00Z', true],
    ['2025-06-01T12:00:00.001Z', false],
  ])('at %s a removal counts for 08:00: %s', (time, counts) => {
    const { ids, extra } = match(MORNING, [removal('a', time)]);
    expect(ids).toEqual([counts ? ['a'] : []]);
    expect(extra.map(({ reason }) => reason)).toEqual(counts ? [] : ['outside_windows']);
  });

  it('a late dose does not swallow the next slot (did-i-take-my-meds#68)', () => {
    expect(match(FOUR_HOURLY, [removal('a', '2025-06-01T10:45Z')]).ids).toEqual([['a'], []]);
    const both = [removal('a', '2025-06-01T10:45Z'), removal('b', '2025-06-01T10:46Z')];
    expect(match(FOUR_HOURLY, both).ids).toEqual([['a'], ['b']]);
  });

  it.each([
    ['at three quarters of the time to the next one', '11:00:00', [['a'], []]],
    ['after it', '11:00:00.001', [[], ['a']]],
  ])('a slot ends, where windows overlap, %s', (_case, time, expected) => {
    expect(match(FOUR_HOURLY, [removal('a', `2025-06-01T${time}Z`)]).ids).toEqual(expected);
  });

  it('one missed dose shifts no other (MedTimer#1136)', () => {
    const times = ['11:58', '15:58', '19:58'];
    const day = { kind: 'times_of_day', times: ['08:00', '12:00', '16:00', '20:00'] };
    const taken = times.map((time) => removal(time, `2025-06-01T${time}Z`));
    expect(match(day, taken).ids).toEqual([[], ...times.map((time) => [time])]);
    const lasting = { ...MORNING, missed_after: '24h' };
    const slots = slotsBetween([version(lasting)], [], at('2025-06-01T00:00Z'), at('2025-06-04T00:00Z'));
    const daily = ['2025-06-02T07:58Z', '2025-06-03T07:58Z'].map((time) => removal(time, time));
    expect(matchRemovals(slots, daily).slots.map(({ pills_taken }) => pills_taken)).toEqual([0, 1, 1]);
  });

  it('a slot that ended is made up for when the next one is whole', () => {
    const taken = [removal('a', '2025-06-01T11:50Z'), removal('b', '2025-06-01T11:55Z')];
    expect(match(FOUR_HOURLY, taken).ids).toEqual([['b'], ['a']]);
  });

  it('a dose after midnight is not the next day’s (MedTimer#181)', () => {
    const slots = slotsBetween(
      [version({ kind: 'times_of_day', times: ['22:00'] })],
      [],
      at('2025-06-01T00:00Z'),
      at('2025-06-03T00:00Z'),
    );
    const { slots: matches } = matchRemovals(slots, [removal('a', '2025-06-02T00:30Z')]);
    expect(matches.map(({ pills_taken }) => pills_taken)).toEqual([1, 0]);
  });

  it('several small removals make one dose, whole at the last', () => {
    const halves = [removal('b', '2025-06-01T08:20Z'), removal('a', '2025-06-01T08:10Z')];
    const { matches, extra } = match({ ...MORNING, pills_per_dose: 2 }, halves);
    expect(matches[0]).toMatchObject({ pills_taken: 2, completed_at: at('2025-06-01T08:20Z') });
    expect(extra).toEqual([]);
  });

  it('a larger removal covers only its own slot; the rest is extra', () => {
    const { ids, extra } = match(FOUR_HOURLY, [removal('a', '2025-06-01T10:30Z', 2)]);
    expect(ids).toEqual([['a'], []]);
    expect(extra).toEqual([
      {
        removal_id: 'a',
        time: at('2025-06-01T10:30Z'),
        pills: 1,
        reason: 'beyond_dose',
        scheduled_at: at('2025-06-01T08:00Z'),
      },
    ]);
  });

  it.each([
    ['08:00 a part, a whole dose in the next early window', 'a', '10:00', 2, [['p'], ['a']]],
    ['just before the early window', 'a', '09:59:59.999', 2, [['p', 'a'], []]],
    ['a whole dose when the next is due', 'a', '12:00', 2, [['p'], ['a']]],
    ['the rest of the last dose', 'a', '10:40', 1, [['p', 'a'], []]],
    ['a part of the next dose', 'a', '11:58', 1, [['p'], ['a']]],
    ['more than one dose', 'a', '10:40', 3, [['p', 'a'], []]],
  ] as const)('when the last slot is partly taken: %s', (_case, id, time, pills, expected) => {
    const taken = [removal('p', '2025-06-01T08:05Z'), removal(id, `2025-06-01T${time}Z`, pills)];
    expect(match({ ...FOUR_HOURLY, pills_per_dose: 2 }, taken).ids).toEqual(expected);
  });

  it('a whole dose after a part is neither the rest of it nor extra', () => {
    const pair = { ...FOUR_HOURLY, pills_per_dose: 2 };
    const first = removal('p', '2025-06-01T08:05Z');
    const whole = removal('w', '2025-06-01T10:40Z', 2);
    expect(match(pair, [first, whole]).extra).toEqual([]);
    // nothing was taken of the last one: the whole dose is its late one
    expect(match(pair, [whole]).ids).toEqual([['w'], []]);
    // the next one is begun: nothing is left to prefer
    const begun = [first, removal('q', '2025-06-01T10:30Z', 2), whole];
    expect(match(pair, begun).ids).toEqual([['p', 'w'], ['q']]);
    // the rest can still come
    expect(match(pair, [first, whole, removal('r', '2025-06-01T10:45Z')]).ids).toEqual([['p', 'r'], ['w']]);
  });

  it.each([
    ['what the last slot lacks is the rest of it', 3, 2, 2, [['p', 'w'], []]],
    ['fewer than the last slot lacks is a part of the rest', 3, 1, 1, [['p', 'w'], []]],
    ['more than the last slot lacks is the next dose', 2, 2, 2, [['p'], ['w']]],
  ] as const)('when the next dose is another: %s', (_case, last, next, pills, expected) => {
    const versions = [
      version({ ...MORNING, pills_per_dose: last }),
      version({ kind: 'times_of_day', times: ['09:00'], pills_per_dose: next }, 'UTC', '2025-06-01T08:30Z'),
    ];
    const slots = slotsBetween(versions, [], at('2025-06-01T00:00Z'), at('2025-06-02T00:00Z'));
    const taken = [removal('p', '2025-06-01T08:05Z'), removal('w', '2025-06-01T08:40Z', pills)];
    const ids = matchRemovals(slots, taken).slots.map(({ matched }) =>
      matched.map((part) => part.removal_id),
    );
    expect(ids).toEqual(expected);
  });

  it.each([
    ['within the window', '08:01', ['2025-06-01T08:01:00.000Z']],
    ['before it', '05:00', ['2025-06-01T06:00:00.000Z']],
    ['at its end', '12:00', ['2025-06-01T12:00:00.000Z']],
    ['after it', '12:00:00.001', []],
  ])(
    'a removal that was closed after every window counts if the bottle was opened %s',
    (_case, opened, expected) => {
      const taken = { ...removal('a', '2025-06-01T12:30Z'), opened_at: at(`2025-06-01T${opened}Z`) };
      const { matches } = match(MORNING, [taken]);
      expect(matches[0]!.matched.map(({ time }) => time.toISOString())).toEqual(expected);
    },
  );

  it('a bottle that was open over two doses counts for the one at whose time it was opened', () => {
    const taken = { ...removal('a', '2025-06-01T17:00Z'), opened_at: at('2025-06-01T08:01Z') };
    expect(match(FOUR_HOURLY, [taken]).ids).toEqual([['a'], []]);
    expect(match(FOUR_HOURLY, [removal('m', '2025-06-01T08:00Z'), taken]).ids).toEqual([['m'], ['a']]);
  });

  const DAY = { kind: 'times_of_day', times: ['08:00', '14:00', '20:00'] };
  it.each([
    ['one pill', '12:30', 1, [['2025-06-01T07:58Z'], [], []]],
    ['one pill, into the middle of the next window', '14:01', 1, [['2025-06-01T07:58Z'], [], []]],
    ['two pills', '14:01', 2, [['2025-06-01T07:58Z'], ['2025-06-01T14:01Z'], []]],
    [
      'three pills, over the next window',
      '19:00',
      3,
      [['2025-06-01T07:58Z'], ['2025-06-01T12:00Z'], ['2025-06-01T19:00Z']],
    ],
  ] as const)('a bottle that was left open into the next window: %s', (_case, closed, pills, expected) => {
    const taken = { ...removal('a', `2025-06-01T${closed}Z`, pills), opened_at: at('2025-06-01T07:58Z') };
    const { matches, extra } = match(DAY, [taken]);
    expect(matches.map(({ matched }) => matched.map(({ time }) => time))).toEqual(
      expected.map((times) => times.map(at)),
    );
    expect(extra).toEqual([]);
  });

  it('a bottle that was left open into the next window: nothing is missing of the last dose', () => {
    const left = { ...removal('a', '2025-06-01T14:01Z'), opened_at: at('2025-06-01T09:00Z') };
    expect(match(DAY, [removal('m', '2025-06-01T08:00Z'), left]).ids).toEqual([['m'], ['a'], []]);
  });

  it('a bottle that was left open over a time in which no dose may be taken counts for the next one', () => {
    const twice = { kind: 'times_of_day', times: ['08:00', '20:00'] };
    const left = { ...removal('a', '2025-06-01T20:01Z'), opened_at: at('2025-06-01T07:58Z') };
    expect(match(twice, [left]).ids).toEqual([[], ['a']]);
  });

  it('a second dose of a bottle that was open for a moment is extra, where windows overlap, too', () => {
    const twice = { ...removal('a', '2025-06-01T10:30Z', 2), opened_at: at('2025-06-01T10:29Z') };
    expect(match(FOUR_HOURLY, [twice])).toMatchObject({ ids: [['a'], []], extra: [{ pills: 1 }] });
  });

  it('names the whole slot that a further removal falls into', () => {
    const twice = [removal('a', '2025-06-01T08:00Z'), removal('b', '2025-06-01T08:05Z')];
    expect(match(MORNING, twice).extra).toMatchObject([
      { removal_id: 'b', scheduled_at: at('2025-06-01T08:00Z') },
    ]);
  });

  it('an opening without pills is not a dose (the literature on cap-monitored adherence)', () => {
    const { ids, extra } = match(MORNING, [removal('a', '2025-06-01T08:00Z', 0)]);
    expect([ids, extra]).toEqual([[[]], []]);
  });

  const cases = fc.tuple(schedules, moments, moments).map(([schedule, one, other]) => {
    const [from, to] = one < other ? [one, other] : [other, one];
    return slotsBetween([version(schedule, 'Pacific/Apia')], [], from, to);
  });

  it('counts no pill twice and loses none: matched and extra add up to what was removed', () => {
    fc.assert(
      fc.property(cases, removals, (slots, removals) => {
        const { slots: matches, extra } = matchRemovals(slots, removals);
        const counted = new Map<string, number>();
        for (const { removal_id, pills } of [...matches.flatMap(({ matched }) => matched), ...extra]) {
          counted.set(removal_id, (counted.get(removal_id) ?? 0) + pills);
        }
        expect(counted).toEqual(new Map(removals.map(({ id, pills }) => [id, pills])));
      }),
    );
  });

  const opened = fc
    .tuple(removals, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })))
    .map(([all, shares]) => withSomeOpenings(all, shares));

  it.each([
    ['of removals of which no opening is known', removals, 250],
    ['of bottles that were left open', opened, 150],
  ])('is what its rule says, applied word by word, %s', (_case, removed, numRuns) => {
    fc.assert(
      fc.property(cases, removed, (slots, removals) => {
        const { slots: matches } = matchRemovals(slots, removals);
        expect(matches.map(({ matched }) => matched.map(({ removal_id }) => removal_id))).toEqual(
          byTheRule(slots, removals),
        );
      }),
      { numRuns },
    );
  });

  it('is the same without openings where these do not matter', () => {
    fc.assert(
      fc.property(cases, opened, (slots, removals) => {
        const without = removals.map(({ id, time, pills }) => ({ id, time, pills }));
        fc.pre(!openingsMatter(slots, without));
        expect(matchRemovals(slots, removals)).toEqual(matchRemovals(slots, without));
      }),
      { numRuns: 150 },
    );
  });

  it('is the same wherever judging begins after a time in which no dose may be taken', () => {
    fc.assert(
      fc.property(cases, opened, (slots, removals) => {
        const whole = matchRemovals(slots, removals).slots;
        for (const [index, { early_from }] of slots.entries()) {
          if (isJoined(slots, index)) continue;
          const since = removals.filter(({ time }) => time >= early_from);
          expect(matchRemovals(slots.slice(index), since).slots).toEqual(whole.slice(index));
        }
      }),
    );
  });

  it('gives each removal to one slot at most, inside its window and never beyond its dose', () => {
    fc.assert(
      fc.property(cases, removals, (slots, removals) => {
        const { slots: matches } = matchRemovals(slots, removals);
        const given = matches.flatMap(({ matched }) => matched.map((part) => part.removal_id));
        expect(new Set(given).size).toBe(given.length);
        for (const { slot, matched, pills_taken, completed_at } of matches) {
          expect(pills_taken).toBeLessThanOrEqual(slot.pills);
          expect(pills_taken).toBe(matched.reduce((sum, part) => sum + part.pills, 0));
          expect(completed_at !== undefined).toBe(pills_taken === slot.pills);
          expect(matched.every(({ time }) => slot.early_from <= time && time <= slot.missed_at)).toBe(true);
        }
      }),
    );
  });

  it('does not depend on order of arrival or repetition', () => {
    fc.assert(
      fc.property(cases, removals, fc.nat(50), (slots, removals, seed) => {
        expect(matchRemovals(rearranged(slots, seed), rearranged(removals, seed))).toEqual(
          matchRemovals(slots, removals),
        );
      }),
    );
  });
});

/** Some of the removals with an opening between the removal before and their own, the more often the shorter. */
function withSomeOpenings(removals: readonly Removal[], shares: Iterable<number>): Removal[] {
  const next = shares[Symbol.iterator]();
  const inOrder = [...removals].sort((one, other) => +one.time - +other.time);
  return inOrder.map((removal, index) => {
    const since = inOrder[index - 1]?.time ?? new Date(+removal.time - 3 * DAY_MS);
    const [isKnown, share] = [next.next().value as number, next.next().value as number];
    const opened_at = new Date(+removal.time - share ** 3 * (+removal.time - +since));
    return isKnown < 0.7 ? { ...removal, opened_at } : removal;
  });
}

/** Whether the windows from a slot on follow those before it without a gap. */
function isJoined(slots: readonly Slot[], index: number): boolean {
  const before = slots.slice(0, index);
  return slots.slice(index).some(({ early_from }) => before.some(({ missed_at }) => missed_at >= early_from));
}

/** DOSE-10 to DOSE-12, without regard to speed. */
function byTheRule(slots: readonly Slot[], removals: readonly Removal[]): string[][] {
  const ids = slots.map((): string[] => []);
  const lacking = slots.map(({ pills }) => pills);
  const inOrder = [...removals].sort((a, b) => a.time.getTime() - b.time.getTime() || (a.id < b.id ? -1 : 1));
  for (const { id, time, pills, opened_at } of inOrder) {
    const begun = slots.flatMap(({ early_from }, index) => (early_from <= time ? [index] : []));
    let first = begun.at(-1) ?? 0;
    while (first > 0 && isJoined(slots, first)) first -= 1;
    const searched = +(slots[first]?.early_from ?? time) - DAY_MS;
    const from = opened_at && +opened_at >= searched ? opened_at : time;
    const open = begun.filter(
      (index) => index >= first && from <= slots[index]!.missed_at && lacking[index]! > 0,
    );
    const endsLater = open.filter((index) => {
      const due = slots[index]!.scheduled_at.getTime();
      const next = slots[index + 1]?.scheduled_at.getTime();
      return next === undefined || from.getTime() - due <= 0.75 * (next - due);
    });
    const own = endsLater[0] ?? open.at(-1);
    if (own === undefined) continue;
    const isBegun = lacking[own]! < slots[own]!.pills;
    const untouched = open.find((index) => index >= own && lacking[index] === slots[index]!.pills);
    const passesOver =
      isBegun && pills > lacking[own]! && untouched !== undefined && slots[untouched]!.pills === pills;
    const chosen = passesOver ? untouched : own;
    let left = pills;
    for (const index of [chosen, ...open.filter((one) => one !== chosen && slots[one]!.early_from > from)]) {
      if (left <= 0) break;
      ids[index]!.push(id);
      const used = Math.min(left, lacking[index]!);
      lacking[index]! -= used;
      left -= used;
    }
  }
  return ids;
}
