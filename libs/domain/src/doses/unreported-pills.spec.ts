import type { CountedAction } from '../supply/doubtful-counts.js';
import type { Slot } from './slots.js';
import { countsMatterFrom, mayBeTaken, unreportedPills } from './unreported-pills.js';

const at = (time: string): Date => new Date(`2026-03-02T${time}:00Z`);
const counted = (time: string, number_of_pills: number) => ({ time: at(time), number_of_pills });
const opened = (time: string, number_of_pills?: number): CountedAction => ({
  action: 'opened',
  time: at(time),
  ...(number_of_pills !== undefined && { number_of_pills }),
});
const closed = (time: string, number_of_pills: number, pills_taken = 0): CountedAction => ({
  action: 'closed',
  time: at(time),
  number_of_pills,
  pills_taken,
});
const found = (actions: CountedAction[], ...heartbeats: ReturnType<typeof counted>[]): string[] =>
  unreportedPills({ actions, heartbeats }, at('20:00')).map(
    ({ pills, from, until }) =>
      `${pills} ${from.toISOString().slice(11, 16)}-${until.toISOString().slice(11, 16)}`,
  );

describe('pills that no closing reported', () => {
  it.each<[string, string[], string[]]>([
    ['a closing was lost', found([opened('08:01', 30)], counted('08:05', 29)), ['1 08:01-08:05']],
    [
      'nobody reported anything but the count',
      found([], counted('07:35', 30), counted('08:05', 29)),
      ['1 07:35-08:05'],
    ],
    [
      'the next opening counts fewer',
      found([closed('07:00', 30), opened('08:20', 29)], counted('07:35', 30), counted('09:00', 29)),
      ['1 07:35-08:20'],
    ],
    [
      'a copy of the bottle reports other counts under its token',
      found(
        [opened('08:01', 30)],
        ...['09:00', '10:00', '11:00'].map((time) => counted(time, 30)),
        ...['09:30', '10:30', '11:30'].map((time) => counted(time, 12)),
      ),
      [],
    ],
    [
      'pills left twice',
      found([opened('08:01', 30)], counted('08:05', 29), counted('12:05', 27)),
      ['1 08:01-08:05', '2 08:05-12:05'],
    ],
    ['a closing reports it', found([closed('08:02', 29, 1)], counted('07:35', 30), counted('08:05', 29)), []],
    [
      'a closing reports it after the heartbeat, by the clock of the bottle',
      found([opened('08:01', 30), closed('08:05', 29, 1)], counted('08:04', 29)),
      [],
    ],
    ['the count comes back', found([opened('08:01', 30)], counted('08:05', 29), counted('08:35', 30)), []],
    [
      'a part of it comes back',
      found([opened('08:01', 30)], counted('08:05', 27), counted('08:35', 29)),
      ['1 08:01-08:05'],
    ],
    [
      'it is refilled, and that closing was lost, too',
      found([opened('08:01', 30)], counted('08:05', 29), counted('09:05', 90), counted('12:05', 89)),
      ['1 08:01-08:05'],
    ],
    [
      'an older count arrives after the closing',
      found([closed('08:02', 29, 1)], counted('08:02', 30), counted('08:35', 29)),
      [],
    ],
    [
      'a backlog of heartbeats comes at one moment',
      found([closed('07:00', 30)], counted('08:05', 30), counted('08:05', 2), counted('08:35', 30)),
      [],
    ],
    [
      'the last action has no count',
      found([opened('08:01')], counted('08:05', 29), counted('08:35', 29)),
      [],
    ],
    ['no heartbeat has a count', found([closed('07:00', 30), opened('08:01', 29)]), []],
  ])('%s', (_what, shown, expected) => {
    expect(shown).toEqual(expected);
  });

  it('are those that were reported up to a moment, the moment included, in whatever order', () => {
    const actions = [opened('08:01', 30)];
    const heartbeats = [counted('08:35', 30), counted('08:05', 29)];
    expect(unreportedPills({ actions, heartbeats }, at('08:05'))).toHaveLength(1);
    expect(unreportedPills({ actions, heartbeats }, at('08:34'))).toHaveLength(1);
    expect(unreportedPills({ actions, heartbeats }, at('08:35'))).toHaveLength(0);
    expect(unreportedPills({ actions, heartbeats }, at('08:04'))).toHaveLength(0);
  });
});

describe('a dose that they may be', () => {
  const slot = (hour: number, pills: number): Slot => ({
    scheduled_at: at(`${String(hour).padStart(2, '0')}:00`),
    early_from: at(`${String(hour - 2).padStart(2, '0')}:00`),
    late_at: at(`${String(hour + 1).padStart(2, '0')}:00`),
    missed_at: at(`${String(hour + 4).padStart(2, '0')}:00`),
    pills,
  });
  const match = (hour: number, pills: number, pills_taken = 0) => ({
    slot: slot(hour, pills),
    matched: [],
    pills_taken,
  });
  const may = (
    matches: ReturnType<typeof match>[],
    ...falls: [pills: number, from: string, until: string][]
  ) => {
    const all = mayBeTaken(
      matches,
      falls.map(([pills, from, until]) => ({ pills, from: at(from), until: at(until) })),
    );
    return matches.map((each) => all.get(each)?.of_dose ?? 0);
  };

  it('is one whose window their time touches, both ends included', () => {
    expect(may([match(8, 1)], [1, '05:00', '06:00'])).toEqual([1]);
    expect(may([match(8, 1)], [1, '05:00', '05:59'])).toEqual([0]);
    expect(may([match(8, 1)], [1, '12:00', '13:00'])).toEqual([1]);
    expect(may([match(8, 1)], [1, '12:01', '13:00'])).toEqual([0]);
  });

  it('is the one that a removal then would be: each pill is of one dose only', () => {
    expect(may([match(8, 1), match(12, 1)], [1, '10:45', '11:15'])).toEqual([1, 0]);
    expect(may([match(8, 1), match(12, 1)], [1, '11:15', '11:45'])).toEqual([0, 1]);
    expect(may([match(8, 1), match(12, 1)], [2, '11:15', '11:45'])).toEqual([1, 1]);
    expect(may([match(8, 1), match(10, 1)], [1, '09:00', '09:30'])).toEqual([1, 0]);
    expect(may([match(8, 1, 1), match(10, 1)], [1, '09:00', '09:30'])).toEqual([0, 1]);
    expect(may([match(8, 2, 1), match(10, 1)], [3, '09:00', '09:30'])).toEqual([1, 1]);
    expect(may([match(8, 2)], [1, '08:00', '08:30'], [1, '09:00', '09:30'])).toEqual([2]);
  });

  it('has all pills that left', () => {
    const dose = match(8, 1);
    const found = mayBeTaken([dose], [{ pills: 6, from: at('08:00'), until: at('08:30') }]);
    expect(found.get(dose)).toMatchObject({ pills: 6, of_dose: 1 });
  });

  it('needs no count before it is late, nor when it is whole', () => {
    const rules = { now: at('09:00'), silentAfterMs: 60 * 60_000 };
    expect(countsMatterFrom([slot(8, 1)], [], rules)).toEqual(at('04:00'));
    expect(countsMatterFrom([slot(8, 1)], [], { ...rules, now: at('08:59') })).toBeUndefined();
    expect(countsMatterFrom([slot(8, 1)], [{ id: 'a', time: at('08:05'), pills: 1 }], rules)).toBeUndefined();
  });
});
