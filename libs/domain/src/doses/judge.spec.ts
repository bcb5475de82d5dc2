import { HOUR_MS } from '../time/durations.js';
import fc from 'fast-check';
import { RecordedCoverage } from '../coverage/recorded-coverage.js';
import {
  type DoseOutcome,
  judgeSlots,
  type JudgeInput,
  type OtherBottle,
  type SlotJudgement,
} from './judge.js';
import type { PeriodReason, UnmonitoredPeriod } from './periods.js';
import { slotsBetween } from './slots.js';
import { at, moments, rearranged, removal, removals, schedules, version } from './testing.js';

const DAY = '2025-06-01T';
const [slot] = slotsBetween(
  [version({ kind: 'times_of_day', times: ['08:00'], pills_per_dose: 2 })],
  [],
  at(`${DAY}00:00Z`),
  at(`${DAY}23:00Z`),
);
const clock = (text: string) => at(`${DAY}${text}Z`);

/** Half-hourly heartbeats from and to, both included. */
function heartbeats(from: string, to: string): Date[] {
  const beats: Date[] = [];
  for (let time = clock(from).getTime(); time <= clock(to).getTime(); time += HOUR_MS / 2)
    beats.push(new Date(time));
  return beats;
}

/** Judges the slot of 08:00 (two pills, late 09:00, missed 12:00) with an hour as silence. */
function judge(now: string, contacts: Date[], taken: [string, number][] = []): SlotJudgement {
  const removals = taken.map(([time, pills], index) => removal(String(index), `${DAY}${time}Z`, pills));
  const input = { slots: [slot!], removals, contacts, now: clock(now), silent_after_ms: HOUR_MS };
  return judgeSlots(input).slots[0]!;
}

describe('a dose that is taken', () => {
  it.each([
    ['06:00', 'taken_early'],
    ['07:59:59.999', 'taken_early'],
    ['08:00', 'taken_on_time'],
    ['09:00', 'taken_on_time'],
    ['09:00:00.001', 'taken_late'],
    ['12:00', 'taken_late'],
  ])('whole at %s is %s at once, whatever the contacts (calendula#121)', (time, outcome) => {
    const expected = { phase: 'judged', outcome, taken_at: clock(time), awaiting_contact: false };
    expect(judge('06:00', [], [[time, 2]])).toMatchObject(expected);
    expect(judge('18:00', heartbeats('00:00', '18:00'), [[time, 2]])).toMatchObject(expected);
  });

  it('is timed by the removal that makes it whole', () => {
    const halves: [string, number][] = [
      ['07:50', 1],
      ['09:30', 1],
    ];
    expect(judge('10:00', [], halves)).toMatchObject({
      outcome: 'taken_late',
      taken_at: clock('09:30'),
      pills_taken: 2,
    });
  });
});

describe('a dose that is not taken', () => {
  it('is pending until late_at', () => {
    const pending = judge('08:59:59.999', heartbeats('00:00', '08:30'));
    expect(pending).toMatchObject({
      phase: 'pending',
      next_look_at: clock('09:00'),
      awaiting_contact: false,
    });
    expect(pending.outcome).toBeUndefined();
  });

  it('awaits a contact after late_at', () => {
    const expected = { phase: 'awaiting_contact', awaiting_contact: true, next_look_at: clock('12:00') };
    expect(judge('09:00', heartbeats('00:00', '09:00'))).toMatchObject(expected);
    expect(judge('09:20', heartbeats('00:00', '09:00'))).toMatchObject(expected);
  });

  it('is late at the first contact after late_at', () => {
    expect(judge('09:30', heartbeats('00:00', '09:30'))).toMatchObject({
      phase: 'late',
      confirmed_by: clock('09:30'),
      awaiting_contact: false,
      next_look_at: clock('12:00'),
    });
  });

  it('leaves two minutes for the backlog after a silence', () => {
    const back = [...heartbeats('00:00', '08:00'), clock('10:00'), clock('10:00:30')];
    const waiting = { phase: 'awaiting_contact', next_look_at: clock('10:02'), awaiting_contact: false };
    expect(judge('10:01:59.999', back)).toMatchObject(waiting);
    expect(judge('10:02', back)).toMatchObject({ phase: 'late', confirmed_by: clock('10:00') });
  });

  it('leaves them also when the silence ended just before late_at', () => {
    const back = [...heartbeats('00:00', '07:00'), clock('08:59'), clock('09:00:30')];
    expect(judge('09:00:30', back)).toMatchObject({
      phase: 'awaiting_contact',
      next_look_at: clock('09:01'),
    });
    expect(judge('09:01', back)).toMatchObject({ phase: 'late', confirmed_by: clock('09:00:30') });
  });

  it('takes the first contact ever for the end of a silence', () => {
    expect(judge('10:01', [clock('10:00')]).phase).toBe('awaiting_contact');
    expect(judge('10:02', [clock('10:00')]).phase).toBe('late');
  });

  it('is missed when there was contact on both sides of missed_at', () => {
    expect(judge('12:30', heartbeats('00:00', '12:30'))).toMatchObject({
      phase: 'judged',
      outcome: 'missed',
      confirmed_by: clock('12:30'),
      awaiting_contact: false,
    });
  });

  it('is partial then, when some of it was taken', () => {
    const partial = judge('12:30', heartbeats('00:00', '12:30'), [['08:00', 1]]);
    expect(partial).toMatchObject({ outcome: 'partial', pills_taken: 1, confirmed_by: clock('12:30') });
    expect(partial.taken_at).toBeUndefined();
  });

  it('stays late after missed_at until a contact, or until the silence is one', () => {
    const contacts = heartbeats('00:00', '11:30');
    const open = { phase: 'late', awaiting_contact: true, next_look_at: clock('12:30') };
    expect(judge('12:00', contacts)).toMatchObject(open);
    expect(judge('12:29:59.999', contacts)).toMatchObject(open);
    expect(judge('12:30', contacts)).toMatchObject({
      phase: 'judged',
      outcome: 'unknown',
      awaiting_contact: false,
    });
  });

  it('waits for the backlog also before it is missed', () => {
    const back = [...heartbeats('00:00', '08:00'), clock('11:59'), clock('12:00:30')];
    expect(judge('12:00:30', back)).toMatchObject({
      phase: 'awaiting_contact',
      next_look_at: clock('12:01'),
    });
    expect(judge('12:01', back)).toMatchObject({ outcome: 'missed', confirmed_by: clock('12:00:30') });
  });

  it('knows of a bottle with a contact just within the allowed silence', () => {
    const hourly = ['07:00', '08:00', '09:00', '10:00', '11:00', '12:00', '13:00'].map(clock);
    expect(judge('10:00', hourly)).toMatchObject({ phase: 'late', confirmed_by: clock('10:00') });
    expect(judge('13:00', hourly)).toMatchObject({ outcome: 'missed', confirmed_by: clock('13:00') });
  });

  it.each([
    ['never connected', [], []],
    ['silent before missed_at', heartbeats('00:00', '11:00'), []],
    ['silent, and back since', [...heartbeats('00:00', '11:00'), ...heartbeats('14:00', '15:00')], []],
    ['silent, and a part taken', heartbeats('00:00', '11:00'), [['08:00', 1]]],
  ] as [string, Date[], [string, number][]][])(
    'is unknown, never missed, when its end was not connected: %s (invariant 6)',
    (_case, contacts, taken) => {
      expect(judge('15:00', contacts, taken)).toMatchObject({ outcome: 'unknown', awaiting_contact: false });
    },
  );

  it('is judged again by data that arrives later', () => {
    const contacts = [...heartbeats('00:00', '11:00'), ...heartbeats('14:00', '15:00')];
    expect(judge('15:00', contacts, [['08:10', 2]])).toMatchObject({ outcome: 'taken_on_time' });
  });

  it('knows nothing of contacts after now', () => {
    const known = judge('09:10', heartbeats('00:00', '09:00'));
    expect(judge('09:10', heartbeats('00:00', '23:00'))).toEqual(known);
    expect(known.awaiting_contact).toBe(true);
  });
});

describe('an outage of ours', () => {
  /** Judges as above; device-api accepted reports up to `stop` and from `start` on, until `now`. */
  function judgeAmid(stop: string, start: string, now: string, contacts: Date[]): SlotJudgement {
    const spans = [
      { from: clock('00:00'), until: clock(stop) },
      ...(clock(start) <= clock(now) ? [{ from: clock(start), until: clock(now) }] : []),
    ];
    const coverage = new RecordedCoverage(spans, { since: clock('00:00'), now: clock(now) }, 0);
    const known = { slots: [slot!], removals: [], contacts, now: clock(now), silent_after_ms: HOUR_MS };
    return judgeSlots({ ...known, coverage }).slots[0]!;
  }
  const before = heartbeats('00:00', '11:30');

  it('over the end of a dose leaves two minutes for the backlog after the first contact', () => {
    const back = [...before, clock('12:03'), clock('12:03:30')];
    expect(judgeAmid('11:35', '12:01:30', '12:04:59.999', back)).toMatchObject({
      phase: 'late',
      next_look_at: clock('12:05'),
    });
    expect(judgeAmid('11:35', '12:01:30', '12:05', back)).toMatchObject({
      outcome: 'missed',
      confirmed_by: clock('12:03'),
    });
  });

  it('within those two minutes interrupts them', () => {
    const back = [...before, clock('12:03')];
    const spans = [
      { from: clock('00:00'), until: clock('11:35') },
      { from: clock('12:01:30'), until: clock('12:04') },
    ];
    const coverage = new RecordedCoverage(spans, { since: clock('00:00'), now: clock('12:06') }, 0);
    const known = { slots: [slot!], removals: [], contacts: back, silent_after_ms: HOUR_MS, coverage };
    expect(judgeSlots({ ...known, now: clock('12:06') }).slots[0]).toMatchObject({
      phase: 'late',
      next_look_at: clock('12:07'),
    });
  });

  it('between the contacts does not count as their silence', () => {
    const back = [...before, clock('13:03')];
    expect(judgeAmid('12:01', '12:40', '13:05', back)).toMatchObject({ outcome: 'missed' });
    // an hour was listened, which is allowed; and a moment more, which is not
    expect(judgeAmid('12:01', '12:34', '13:05', back)).toMatchObject({ outcome: 'missed' });
    expect(judgeAmid('12:01', '12:33:59', '13:05', back)).toMatchObject({ outcome: 'unknown' });
  });

  it('since the last contact does not, either', () => {
    expect(judgeAmid('12:01', '12:40', '13:08:59', before)).toMatchObject({
      phase: 'late',
      next_look_at: clock('13:09'),
      awaiting_contact: true,
    });
    expect(judgeAmid('12:01', '12:40', '13:09', before)).toMatchObject({ outcome: 'unknown' });
  });

  it('elsewhere changes nothing', () => {
    expect(judgeAmid('01:00', '02:00', '12:00:30', [...before, clock('12:00:10')])).toMatchObject({
      outcome: 'missed',
    });
  });
});

describe('a dose whose contacts are no longer kept', () => {
  const [slot] = slotsBetween(
    [version({ kind: 'times_of_day', times: ['08:00'], pills_per_dose: 2 }, 'UTC')],
    [],
    at('2026-03-02T00:00Z'),
    at('2026-03-02T23:00Z'),
  );
  const late = (recorded: DoseOutcome | undefined, pills: number): DoseOutcome | undefined =>
    judgeSlots({
      slots: [slot!],
      removals: pills > 0 ? [{ id: 'a', time: at('2026-03-02T08:05Z'), pills }] : [],
      contacts: [at('2026-03-22T08:00Z')],
      now: at('2026-03-22T09:00Z'),
      silent_after_ms: HOUR_MS,
      ...(recorded && { recorded: new Map([[slot!.scheduled_at.getTime(), recorded]]) }),
    }).slots[0]!.outcome;

  it.each<[DoseOutcome | undefined, number, DoseOutcome]>([
    [undefined, 0, 'unknown'],
    ['unknown', 0, 'unknown'],
    ['missed', 0, 'missed'],
    ['missed', 1, 'partial'],
    ['missed', 2, 'taken_on_time'],
    ['partial', 0, 'missed'],
    ['partial', 1, 'partial'],
    ['taken_late', 0, 'unknown'],
  ])('and on record as %s is, with %d pills found, %s', (recorded, pills, outcome) =>
    expect(late(recorded, pills)).toBe(outcome),
  );
});

describe('properties', () => {
  const inputs: fc.Arbitrary<JudgeInput> = fc
    .record({
      schedule: schedules,
      removals,
      contacts: fc.array(moments, { maxLength: 200 }),
      now: moments,
      silent_after_ms: fc.constantFrom(HOUR_MS, 6 * HOUR_MS),
    })
    .map(({ schedule, ...rest }) => {
      const from = at('2011-12-25T00:00Z');
      const slots = slotsBetween([version(schedule, 'Pacific/Apia')], [], from, at('2012-01-04T00:00Z'));
      return { ...rest, slots };
    });

  it('judges each slot once, with an outcome exactly when judged', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const { slots } = judgeSlots(input);
        expect(slots.map((judged) => judged.slot)).toEqual(input.slots);
        for (const { phase, outcome } of slots) expect(outcome !== undefined).toBe(phase === 'judged');
      }),
    );
  });

  it('does not depend on order of arrival or repetition', () => {
    fc.assert(
      fc.property(inputs, fc.nat(50), (input, seed) => {
        const again = judgeSlots({
          ...input,
          slots: rearranged(input.slots, seed),
          removals: rearranged(input.removals, seed),
          contacts: rearranged(input.contacts, seed),
        });
        expect(again).toEqual(judgeSlots(input));
      }),
    );
  });

  it('says late, partial or missed only with a contact after the moment in question', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const silence = input.silent_after_ms;
        for (const { slot, phase, outcome, confirmed_by } of judgeSlots(input).slots) {
          const ended = outcome === 'missed' || outcome === 'partial';
          expect(confirmed_by !== undefined).toBe(ended || phase === 'late');
          if (!confirmed_by) continue;
          expect(input.contacts).toContainEqual(confirmed_by);
          expect(confirmed_by > (ended ? slot.missed_at : slot.late_at) && confirmed_by <= input.now).toBe(
            true,
          );
          const close = (contact: Date) =>
            contact <= slot.missed_at && confirmed_by.getTime() - contact.getTime() <= silence;
          if (ended) expect(input.contacts.some(close)).toBe(true);
        }
      }),
    );
  });

  it('more contacts never change what is taken, partial or missed, nor what is pending', () => {
    const rank = { pending: 0, awaiting_contact: 1, late: 2, judged: 3 };
    fc.assert(
      fc.property(inputs, fc.array(moments, { maxLength: 50 }), (input, more) => {
        const before = judgeSlots(input).slots;
        const after = judgeSlots({ ...input, contacts: [...input.contacts, ...more] }).slots;
        before.forEach((judged, index) => {
          if (judged.outcome?.startsWith('taken')) expect(after[index]).toEqual(judged);
          if (judged.outcome && judged.outcome !== 'unknown')
            expect(after[index]!.outcome).toBe(judged.outcome);
          if (judged.phase === 'pending') expect(rank[after[index]!.phase]).toBe(rank.pending);
        });
      }),
    );
  });

  it('nothing changes before next_look_at without new data', () => {
    fc.assert(
      fc.property(inputs, fc.double({ min: 0, max: 1, noNaN: true }), (input, share) => {
        // Contacts that are still to come would be new data.
        const contacts = input.contacts.filter((contact) => contact <= input.now);
        const now = judgeSlots({ ...input, contacts });
        const until = now.next_look_at?.getTime() ?? input.now.getTime() + 400 * HOUR_MS;
        expect(until).toBeGreaterThan(input.now.getTime());
        const later = Math.floor(input.now.getTime() + share * (until - 1 - input.now.getTime()));
        expect(judgeSlots({ ...input, contacts, now: new Date(later) })).toEqual(now);
      }),
    );
  });
});

describe('a dose that ended in a silence, of which a part is known', () => {
  const contacts = [...heartbeats('06:00', '08:30'), ...heartbeats('12:30', '14:00')];
  const judgePart = (now: string, received: string): SlotJudgement =>
    judgeSlots({
      slots: [slot!],
      removals: [{ ...removal('a', `${DAY}08:05Z`, 1), received_at: clock(received) }],
      contacts,
      now: clock(now),
      silent_after_ms: HOUR_MS,
    }).slots[0]!;

  it('is unknown when the part was reported before its end, the end included', () => {
    expect(judgePart('13:30', '08:06')).toMatchObject({ outcome: 'unknown', pills_taken: 1 });
    expect(judgePart('13:30', '12:00')).toMatchObject({ outcome: 'unknown' });
  });

  it('is partial when the part was reported after its end, once the backlog has had its grace', () => {
    expect(judgePart('12:31', '12:30:30')).toMatchObject({
      phase: 'awaiting_contact',
      next_look_at: clock('12:32'),
    });
    expect(judgePart('12:32', '12:30:30')).toMatchObject({
      outcome: 'partial',
      confirmed_by: clock('12:30'),
    });
    expect(judgePart('13:30', '12:00:00.001')).toMatchObject({ outcome: 'partial' });
  });
});

describe('a dose in whose window nothing is clear of a closing', () => {
  const filledAt = (opened: string, closed: string): JudgeInput['counts'] => ({
    actions: [
      { action: 'opened', time: clock(opened), number_of_pills: 5 },
      { action: 'closed', time: clock(closed), number_of_pills: 34, pills_taken: 0 },
    ],
    heartbeats: [],
  });
  const judgeFilled = (
    now: string,
    counts: JudgeInput['counts'],
    taken: [string, number][] = [],
  ): SlotJudgement =>
    judgeSlots({
      slots: [slot!],
      removals: taken.map(([time, pills], index) => removal(String(index), `${DAY}${time}Z`, pills)),
      contacts: heartbeats('00:00', now),
      now: clock(now),
      silent_after_ms: HOUR_MS,
      counts: counts!,
    }).slots[0]!;

  it('cannot be confirmed as soon as it would be late, and when it would be missed', () => {
    const counts = filledAt('07:58', '08:02');
    expect(judgeFilled('08:30', counts).phase).toBe('pending');
    const expected = {
      phase: 'judged',
      outcome: 'unknown',
      unclear_closing: { at: clock('08:02'), why: 'filled' },
      awaiting_contact: false,
    };
    expect(judgeFilled('09:30', counts)).toMatchObject(expected);
    expect(judgeFilled('12:30', counts)).toMatchObject(expected);
    expect(judgeFilled('12:30', counts, [['08:30', 1]])).toMatchObject({ ...expected, pills_taken: 1 });
  });

  it('is taken if a removal is reported in it', () =>
    expect(judgeFilled('12:30', filledAt('07:58', '08:02'), [['08:30', 2]])).toMatchObject({
      outcome: 'taken_on_time',
    }));

  it('is missed if the bottle was filled outside of it', () => {
    const before = new Date(slot!.early_from.getTime() - 60_000);
    const text = before.toISOString().slice(11, 16);
    expect(judgeFilled('12:30', filledAt(text, text))).toMatchObject({ outcome: 'missed' });
    expect(judgeFilled('12:30', filledAt(text, slot!.early_from.toISOString().slice(11, 16)))).toMatchObject({
      outcome: 'unknown',
    });
  });
});

describe('a dose of which pills left by the count, and no closing reported them', () => {
  const counts = (...counted: [time: string, pills: number][]) => ({
    actions: [],
    heartbeats: counted.map(([time, number_of_pills]) => ({ time: clock(time), number_of_pills })),
  });
  const judgeCounted = (
    now: string,
    counted: JudgeInput['counts'],
    taken: [string, number][] = [],
  ): SlotJudgement => {
    const removals = taken.map(([time, pills], index) => removal(String(index), `${DAY}${time}Z`, pills));
    return judgeSlots({
      slots: [slot!],
      removals,
      contacts: heartbeats('00:00', now),
      now: clock(now),
      silent_after_ms: HOUR_MS,
      ...(counted && { counts: counted }),
    }).slots[0]!;
  };

  it('cannot be confirmed as soon as it would be late, if they are all that it lacks', () => {
    const both = counts(['07:30', 30], ['08:00', 28]);
    expect(judgeCounted('09:00', both).phase).toBe('awaiting_contact');
    expect(judgeCounted('09:30', both)).toMatchObject({
      phase: 'judged',
      outcome: 'unknown',
      pills_taken: 0,
      unreported: { pills: 2, from: clock('07:30'), until: clock('08:00') },
      awaiting_contact: false,
    });
    const one = counts(['07:30', 30], ['08:00', 29]);
    expect(judgeCounted('09:30', one)).toMatchObject({ phase: 'late' });
    expect(judgeCounted('09:30', one, [['08:30', 1]])).toMatchObject({ outcome: 'unknown', pills_taken: 1 });
  });

  it('is not missed, nor partly taken, if they may be any of it', () => {
    const one = counts(['07:30', 30], ['08:00', 29]);
    expect(judgeCounted('12:30', one)).toMatchObject({ outcome: 'unknown' });
    expect(judgeCounted('12:30', counts(['05:00', 30], ['05:30', 29]))).toMatchObject({ outcome: 'missed' });
    expect(judgeCounted('12:30', counts(['07:30', 30], ['08:00', 29], ['11:00', 30]))).toMatchObject({
      outcome: 'missed',
    });
  });

  it('is judged by what was counted up to the contact that proves its end, however late', () => {
    const back = counts(['07:30', 30], ['08:00', 29], ['13:00', 30]);
    expect(judgeCounted('12:30', back)).toMatchObject({ outcome: 'unknown' });
    expect(judgeCounted('20:00', back)).toMatchObject({ outcome: 'unknown' });
    expect(judgeCounted('20:00', counts(['12:30', 30], ['13:00', 29]))).toMatchObject({ outcome: 'missed' });
  });

  it('is looked at again within half a silence while it is late', () => {
    expect(judgeCounted('09:30', counts(['09:30', 30])).next_look_at).toEqual(clock('10:00'));
    expect(judgeCounted('09:30', undefined).next_look_at).toEqual(clock('12:00'));
  });

  it('is taken by what a closing reports', () => {
    const both = counts(['07:30', 30], ['08:00', 28]);
    expect(judgeCounted('09:30', both, [['08:30', 2]])).toMatchObject({ outcome: 'taken_on_time' });
  });
});

it.each<[string, [string, number][], DoseOutcome]>([
  ['nothing was taken', [], 'unknown'],
  ['a part was taken', [['08:05', 1]], 'unknown'],
  ['it was taken by then', [['09:59', 2]], 'taken_late'],
  ['it was taken after that', [['10:00:00.001', 2]], 'unknown'],
])(
  'is unknown if the bottle left use before its end, unless it was taken by then: %s',
  (_what, taken, outcome) => {
    const ended = {
      ...version({ kind: 'times_of_day', times: ['08:00'], pills_per_dose: 2 }),
      ends_at: clock('10:00'),
    };
    const slots = slotsBetween([ended], [], clock('00:00'), clock('23:00'));
    const removals = taken.map(([time, pills], index) => removal(String(index), `${DAY}${time}Z`, pills));
    const contacts = heartbeats('00:00', '18:00');
    const input = { slots, removals, contacts, now: clock('18:00'), silent_after_ms: HOUR_MS };
    expect(judgeSlots(input).slots).toMatchObject([{ phase: 'judged', outcome }]);
  },
);

describe('a plan of several bottles', () => {
  const always = [{ from: clock('00:00') }];
  const seen = (from: string, to: string, shared: OtherBottle['shared'] = always): OtherBottle => ({
    shared,
    contacts: heartbeats(from, to),
  });
  const judgeWith = (now: string, others: OtherBottle[], own = heartbeats('00:00', now)): SlotJudgement =>
    judgeSlots({
      slots: [slot!],
      removals: [],
      contacts: own,
      others,
      now: clock(now),
      silent_after_ms: HOUR_MS,
    }).slots[0]!;

  it('is late and missed by the bottle that reports last', () => {
    const waiting = { phase: 'awaiting_contact', awaiting_contact: true };
    expect(judgeWith('09:30', [seen('00:00', '09:00')])).toMatchObject(waiting);
    expect(judgeWith('09:30', [seen('00:00', '09:30')])).toMatchObject({ phase: 'late' });
    expect(judgeWith('12:30', [seen('00:00', '12:00')])).toMatchObject({ awaiting_contact: true });
    expect(judgeWith('13:00', [seen('00:00', '12:30'), seen('00:00', '13:00')])).toMatchObject({
      outcome: 'missed',
      confirmed_by: clock('12:30'),
    });
  });

  it.each([
    ['is silent', seen('00:00', '11:00'), '12:00', undefined],
    ['came back after a silence', seen('14:00', '14:30'), '14:30', clock('14:00')],
    ['has never reported', { shared: always, contacts: [] }, '12:00', undefined],
  ])('is unknown if one of them %s, whatever the others say', (_what, other, now, back_at) => {
    const judged = judgeWith(now, [other, seen('00:00', now)]);
    expect(judged).toMatchObject({ phase: 'judged', outcome: 'unknown' });
    expect(judged.back_at).toEqual(back_at);
    // and if that is the one that has the plan
    const own = judgeWith(now, [seen('00:00', now)], [...other.contacts]);
    expect(own).toMatchObject({ outcome: 'unknown' });
  });

  it.each([
    ['joined after it', [{ from: clock('12:00:00.001') }], 'missed'],
    ['joined by then', [{ from: clock('12:00') }], 'unknown'],
    ['left before its window', [{ from: clock('00:00'), until: slot!.early_from }], 'missed'],
    ['left in its window, silent', [{ from: clock('00:00'), until: clock('12:00') }], 'unknown'],
    ['left in its window, seen just before', [{ from: clock('00:00'), until: clock('07:59') }], 'missed'],
    ['left after it', [{ from: clock('00:00'), until: clock('12:00:00.001') }], 'unknown'],
  ])('the end of a dose needs no contact with a bottle that %s', (_what, shared, outcome) =>
    expect(judgeWith('12:30', [seen('00:00', '07:00', shared)])).toMatchObject({ outcome }),
  );

  it('is not late, and then unknown, after a bottle left in its window that was silent', () => {
    const left = seen('00:00', '07:00', [{ from: clock('00:00'), until: clock('08:30') }]);
    expect(judgeWith('09:30', [left])).toMatchObject({ phase: 'awaiting_contact', awaiting_contact: false });
    expect(judgeWith('12:30', [left])).toMatchObject({ outcome: 'unknown', back_at: clock('12:30') });
    // one that never reported, and was for the plan for a moment, has nothing to say
    const brief = { shared: [{ from: clock('08:00'), until: clock('08:10') }], contacts: [] };
    expect(judgeWith('12:30', [brief])).toMatchObject({ outcome: 'missed' });
  });

  it('is given up when the first of those that have not reported is silent', () => {
    const judged = judgeWith('12:40', [seen('00:00', '12:00')], heartbeats('00:00', '12:30'));
    expect(judged.next_look_at).toEqual(clock('13:00'));
  });

  it('is unknown if the count of any of them says that pills left it', () => {
    const other = {
      ...seen('00:00', '12:30'),
      counts: {
        actions: [],
        heartbeats: [
          { time: clock('07:30'), number_of_pills: 30 },
          { time: clock('08:30'), number_of_pills: 28 },
        ],
      },
    };
    expect(judgeWith('12:30', [other])).toMatchObject({
      outcome: 'unknown',
      unreported: { pills: 2, from: clock('07:30'), until: clock('08:30') },
    });
  });

  it.each([
    ['of the silent one', 1, 'partial'],
    ['of the other one, which was in contact', 0, 'unknown'],
  ])(
    'that ended in a silence of one bottle is partial by a part that was reported later %s',
    (_what, bottle, outcome) => {
      const part = { ...removal('p', `${DAY}08:05Z`, 1), bottle, received_at: clock('12:30:30') };
      const silent = { shared: always, contacts: [...heartbeats('00:00', '10:00'), clock('12:30')] };
      const [judged] = judgeSlots({
        slots: [slot!],
        removals: [part],
        contacts: heartbeats('00:00', '13:30'),
        others: [silent],
        now: clock('13:30'),
        silent_after_ms: HOUR_MS,
      }).slots;
      expect(judged).toMatchObject({ outcome, pills_taken: 1 });
    },
  );

  const period = (reason: PeriodReason, from: string, to?: string): UnmonitoredPeriod => ({
    reason,
    from: clock(from),
    recorded_at: clock('00:30'),
    ...(to && { to: clock(to) }),
  });
  const within = (...periods: UnmonitoredPeriod[]): OtherBottle => ({ ...seen('00:00', '06:00'), periods });

  it.each<[string, OtherBottle, string]>([
    ['in a pause', within(period('pause', '06:10', '20:00')), 'missed'],
    ['in hospital', within(period('hospital', '06:10')), 'missed'],
    ['while nobody uses it', within(period('not_in_use', '06:10')), 'missed'],
    ['in one that began in the window, when it was silent', within(period('pause', '08:00')), 'unknown'],
    ['in one that begins after the dose', within(period('pause', '12:00:00.001')), 'unknown'],
    [
      'in two, one after the other',
      within(period('pause', '06:10', '09:00'), period('hospital', '09:00')),
      'missed',
    ],
    ['after one that ended in the window', within(period('pause', '06:10', '11:00')), 'unknown'],
  ])('does not ask a bottle that is silent in a period of its own: %s', (_what, other, outcome) =>
    expect(judgeWith('12:30', [other])).toMatchObject({ outcome }),
  );

  it.each<[PeriodReason, string, string | undefined, string]>([
    ['travel', '06:10', undefined, 'unknown'],
    ['device_fault', '06:10', undefined, 'unknown'],
    ['pillbox', '06:10', undefined, 'unknown'],
    ['other_container', '06:10', undefined, 'unknown'],
    ['travel', '01:00', '06:00', 'missed'],
    ['travel', '01:00', '06:00:00.001', 'unknown'],
    ['travel', '12:00', undefined, 'unknown'],
    ['travel', '12:00:00.001', undefined, 'missed'],
  ])('is unknown if it may have been taken unseen: %s from %s to %s', (reason, from, to, outcome) => {
    // though it reports
    const other = { ...seen('00:00', '13:00'), periods: [period(reason, from, to)] };
    const judged = judgeWith('12:30', [other]);
    expect(judged).toMatchObject({ phase: 'judged', outcome, awaiting_contact: false });
    expect(judged.period).toEqual(outcome === 'unknown' ? { reason, at: clock('00:30') } : undefined);
  });

  it('is not late if it may have been taken unseen by then', () => {
    const other = (from: string): OtherBottle => ({
      ...seen('00:00', '13:00'),
      periods: [period('travel', from)],
    });
    expect(judgeWith('09:30', [other('08:59')])).toMatchObject({
      phase: 'awaiting_contact',
      awaiting_contact: false,
      next_look_at: clock('12:00'),
    });
    expect(judgeWith('09:30', [other('09:00:00.001')])).toMatchObject({ phase: 'late' });
  });

  it('is judged the same whichever bottle is which, and in whatever order they come', () => {
    const any = fc.subarray(heartbeats('00:00', '14:00'), { minLength: 1 });
    fc.assert(
      fc.property(any, any, any, (one, other, third) => {
        const of = (own: Date[], ...others: Date[][]): SlotJudgement =>
          judgeWith(
            '14:00',
            others.map((contacts) => ({ shared: always, contacts })),
            own,
          );
        const expected = of(one, other, third);
        expect(of(third, one, other)).toEqual(expected);
        expect(of(other.toReversed(), third, one)).toEqual(expected);
      }),
    );
  });
});
