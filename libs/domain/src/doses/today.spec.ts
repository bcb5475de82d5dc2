import { HOUR_MS } from '../time/durations.js';
import fc from 'fast-check';
import type { UnmonitoredPeriod } from './periods.js';
import type { ScheduleVersion } from './schedule.js';
import { judgeSlots } from './judge.js';
import { localDayAt } from './local-day.js';
import { slotsBetween } from './slots.js';
import {
  at,
  instants,
  moments,
  rearranged,
  removal,
  removals,
  schedules,
  version,
  ZONES,
} from './testing.js';
import { judgeToday, planToday, type Today } from './today.js';

const DAILY = version({ kind: 'times_of_day', times: ['08:00', '20:00'] });

interface Facts {
  now: string | Date;
  versions?: ScheduleVersion[];
  periods?: UnmonitoredPeriod[];
  zone?: string;
  taken?: [time: string, pills?: number][];
  /** A heartbeat each half hour in this time, both ends included. */
  seen?: [from: string, to: string][];
  contacts?: string[];
  silent?: boolean;
}

/** The day of one bottle, by the evidence that its plan asks for and no other. */
function todayOf(facts: Facts): Today {
  const { versions = [DAILY], periods = [], zone = 'UTC', seen = [], silent = false } = facts;
  const now = new Date(facts.now);
  const plan = { versions, periods, time_zone: zone, now, silent_after_ms: HOUR_MS };
  const planned = planToday(plan);
  const contacts = [...seen.flatMap(heartbeats), ...(facts.contacts ?? []).map(at)];
  const last = Math.max(...contacts.map((contact) => contact.getTime()));
  return judgeToday(planned, {
    ...plan,
    removals: (facts.taken ?? [])
      .map(([time, pills], index) => removal(String(index), time, pills))
      .filter(({ time }) => planned.removals_since !== undefined && time >= planned.removals_since),
    contacts: contacts.filter(
      (contact) => planned.contacts_since !== undefined && contact >= planned.contacts_since,
    ),
    last_seen_at: Number.isFinite(last) ? new Date(last) : undefined,
    is_silent: silent,
  });
}

function heartbeats([from, to]: [string, string]): Date[] {
  const beats: Date[] = [];
  for (let time = Date.parse(from); time <= Date.parse(to); time += HOUR_MS / 2) beats.push(new Date(time));
  return beats;
}

/** `08:00 due`, `20:00 upcoming` of a day in UTC. */
const doses = ({ doses: of }: Today) =>
  of.map(({ slot, status }) => `${slot.scheduled_at.toISOString().slice(11, 16)} ${status}`);
const clock = (text: string) => `2025-06-01T${text}Z`;
const seenUntil = (to: string): Pick<Facts, 'seen'> => ({ seen: [['2025-05-31T00:00Z', clock(to)]] });

describe('a dose of the day', () => {
  it.each([
    ['07:59:59.999', '07:30', 'upcoming'],
    ['08:00', '08:00', 'due'],
    ['08:59:59.999', '08:30', 'due'],
    // a contact at late_at itself is no proof
    ['09:00', '09:00', 'due'],
    ['09:29:59.999', '09:00', 'due'],
    ['09:30', '09:30', 'late'],
    ['12:00', '12:00', 'late'],
    ['12:29:59.999', '12:00', 'late'],
    ['12:30', '12:30', 'missed'],
  ])('at %s, last seen at %s, is %s', (now, seen, status) => {
    expect(doses(todayOf({ now: clock(now), ...seenUntil(seen) }))).toEqual([
      `08:00 ${status}`,
      '20:00 upcoming',
    ]);
  });

  it.each([
    ['09:00:00.001', 'late'],
    ['09:00', 'due'],
  ])('is late from the first contact after late_at: %s', (contact, status) => {
    const facts = { now: clock('09:00:00.001'), ...seenUntil('08:30'), contacts: [clock(contact)] };
    expect(doses(todayOf(facts))[0]).toBe(`08:00 ${status}`);
  });

  it.each([
    ['12:00:00.001', 'missed'],
    ['12:00', 'late'],
  ])('is missed from the first contact after missed_at: %s', (contact, status) => {
    const facts = { now: clock('12:00:00.001'), ...seenUntil('11:30'), contacts: [clock(contact)] };
    expect(doses(todayOf(facts))[0]).toBe(`08:00 ${status}`);
  });

  it.each([
    ['05:59:59.999', 'late'],
    ['06:00', 'taken_early'],
    ['07:59:59.999', 'taken_early'],
    ['08:00', 'taken_on_time'],
    ['09:00', 'taken_on_time'],
    ['09:00:00.001', 'taken_late'],
    ['12:00', 'taken_late'],
  ])('removed at %s is %s', (time, status) => {
    const today = todayOf({ now: clock('12:00'), ...seenUntil('12:00'), taken: [[clock(time)]] });
    expect(doses(today)[0]).toBe(`08:00 ${status}`);
    expect(today.doses[0]!.taken_at).toEqual(status === 'late' ? undefined : at(clock(time)));
  });

  it('is missed when its removal comes 1 ms after missed_at', () => {
    const today = todayOf({ now: clock('12:30'), ...seenUntil('12:30'), taken: [[clock('12:00:00.001')]] });
    expect(today.doses[0]).toMatchObject({ status: 'missed', pills_taken: 0 });
  });

  it('is taken at the moment of the removal, before any contact or notifier', () => {
    const today = todayOf({ now: clock('08:03'), ...seenUntil('08:00'), taken: [[clock('08:03')]] });
    expect(doses(today)).toEqual(['08:00 taken_on_time', '20:00 upcoming']);
  });

  it('says how much of it was taken while it is due and late, and is partial at its end', () => {
    const versions = [version({ kind: 'times_of_day', times: ['08:00'], pills_per_dose: 2 })];
    const of = (now: string) =>
      todayOf({ versions, now: clock(now), ...seenUntil(now), taken: [[clock('08:00')]] }).doses;
    expect(of('08:30')).toMatchObject([{ status: 'due', pills_taken: 1 }]);
    expect(of('09:30')).toMatchObject([{ status: 'late', pills_taken: 1 }]);
    expect(of('12:30')).toMatchObject([{ status: 'partial', pills_taken: 1 }]);
  });
});

describe('a dose of a silent bottle', () => {
  const silent = { ...seenUntil('06:30'), silent: true };
  const since = at(clock('06:30'));

  it('cannot be known from its time on', () => {
    expect(doses(todayOf({ now: clock('07:59:59.999'), ...silent }))[0]).toBe('08:00 upcoming');
    for (const now of ['08:00', '08:59:59.999', '09:00', '11:59:59.999', '12:00', '15:00'])
      expect(todayOf({ now: clock(now), ...silent }).doses[0]).toMatchObject({
        status: 'unknown',
        offline: { since },
      });
  });

  it('stays taken when it was taken before the silence', () => {
    const today = todayOf({ now: clock('15:00'), ...silent, taken: [[clock('06:15')]] });
    expect(today.doses[0]).toMatchObject({ status: 'taken_early' });
    expect(today.doses[0]).not.toHaveProperty('offline');
  });

  it('stays late if it was late before the silence, with the silence', () => {
    const today = todayOf({ now: clock('11:00'), ...seenUntil('09:30'), silent: true });
    expect(today.doses[0]).toMatchObject({ status: 'late', offline: { since: at(clock('09:30')) } });
  });

  it('has no beginning of the silence if the bottle never reported', () => {
    expect(todayOf({ now: clock('08:00'), silent: true }).doses[0]).toMatchObject({
      status: 'unknown',
      offline: {},
    });
  });

  it('stays unknown when the bottle is back without a removal, and becomes taken with one', () => {
    const back: Facts = {
      now: clock('14:00'),
      seen: [
        ['2025-05-31T00:00Z', clock('06:30')],
        [clock('13:30'), clock('14:00')],
      ],
    };
    expect(todayOf(back).doses[0]).toMatchObject({
      status: 'unknown',
      offline: { since, until: at(clock('13:30')) },
    });
    expect(doses(todayOf({ ...back, taken: [[clock('08:10')]] }))[0]).toBe('08:00 taken_on_time');
  });

  it('is due, not late, while the backlog of the silence may still arrive', () => {
    const back = {
      seen: [['2025-05-31T00:00Z', clock('07:00')]],
      contacts: [clock('10:00')],
    } as Partial<Facts>;
    expect(doses(todayOf({ now: clock('10:01:59.999'), ...back }))[0]).toBe('08:00 due');
    expect(doses(todayOf({ now: clock('10:02'), ...back }))[0]).toBe('08:00 late');
  });
});

describe('the day', () => {
  const times = (versions: ScheduleVersion[], zone: string, now: string) =>
    instants(todayOf({ versions, zone, now }).doses.map(({ slot }) => slot));

  it('is the patient’s: from 00:00, inclusive, to the next 00:00, exclusive', () => {
    const versions = [version({ kind: 'times_of_day', times: ['00:00', '23:59'] }, 'America/New_York')];
    const monday = ['2025-06-02T04:00:00.000Z', '2025-06-03T03:59:00.000Z'];
    expect(times(versions, 'America/New_York', '2025-06-02T04:00Z')).toEqual(expect.arrayContaining(monday));
    expect(times(versions, 'America/New_York', '2025-06-03T03:59:59.999Z')).toEqual(monday);
    expect(times(versions, 'America/New_York', '2025-06-02T03:59:59.999Z')).not.toContain(monday[0]);
  });

  it.each([
    ['spring', '2025-03-30', 23, ['2025-03-30T01:30:00.000Z', '2025-03-30T21:30:00.000Z']],
    ['autumn', '2025-10-26', 25, ['2025-10-26T00:30:00.000Z', '2025-10-26T22:30:00.000Z']],
  ])('has all its doses when clocks change in %s', (_, date, hours, expected) => {
    const versions = [version({ kind: 'times_of_day', times: ['02:30', '23:30'] }, 'Europe/Berlin')];
    const { from, to } = localDayAt(at(`${date}T12:00Z`), 'Europe/Berlin');
    expect(to.getTime() - from.getTime()).toBe(hours * HOUR_MS);
    for (const now of [from.getTime(), from.getTime() + 1, to.getTime() - 1])
      expect(times(versions, 'Europe/Berlin', new Date(now).toISOString()).slice(-2)).toEqual(expected);
  });

  it('keeps a dose of yesterday while it has no outcome', () => {
    const versions = [version({ kind: 'times_of_day', times: ['23:00'] })];
    const of = (now: string, seen: string) =>
      doses(todayOf({ versions, now: clock(now), ...seenUntil(seen) }));
    expect(of('00:00', '00:00')).toEqual(['23:00 due', '23:00 upcoming']);
    expect(of('00:30', '00:30')).toEqual(['23:00 late', '23:00 upcoming']);
    expect(of('03:00', '03:00')).toEqual(['23:00 late', '23:00 upcoming']);
    expect(of('03:30', '03:30')).toEqual(['23:00 upcoming']);
    const taken = todayOf({
      versions,
      now: clock('00:30'),
      ...seenUntil('00:30'),
      taken: [['2025-05-31T23:10Z']],
    });
    expect(doses(taken)).toEqual(['23:00 upcoming']);
  });

  it('keeps one whose window ended just before midnight and that awaits a contact', () => {
    const versions = [version({ kind: 'times_of_day', times: ['19:45'] })];
    const seen: Facts['seen'] = [['2025-05-31T00:00Z', '2025-05-31T23:30Z']];
    expect(doses(todayOf({ versions, now: clock('00:15'), seen }))).toEqual(['19:45 late', '19:45 upcoming']);
  });

  it('has doses that are not monitored in a period, whatever was removed', () => {
    const periods = [{ from: at(clock('07:00')), to: at(clock('21:00')), reason: 'travel' as const }];
    const today = todayOf({ now: clock('12:00'), periods, taken: [[clock('08:05')]], ...seenUntil('12:00') });
    expect(today.doses.map(({ status, period }) => [status, period?.reason])).toEqual(
      today.doses.map(() => ['not_monitored', 'travel']),
    );
    expect(today.doses).not.toEqual([]);
  });

  it('has no doses and asks for no evidence without a schedule', () => {
    const plan = {
      versions: [],
      periods: [],
      time_zone: 'UTC',
      now: at(clock('12:00')),
      silent_after_ms: HOUR_MS,
    };
    const planned = planToday(plan);
    expect(planned).toMatchObject({ slots: [] });
    expect(planned).not.toHaveProperty('removals_since');
    expect(planned).not.toHaveProperty('contacts_since');
  });
});

describe('the next dose', () => {
  const next = (facts: Facts) => todayOf(facts).next?.scheduled_at.toISOString();

  it('is strictly after now', () => {
    expect(next({ now: clock('07:59:59.999') })).toBe('2025-06-01T08:00:00.000Z');
    expect(next({ now: clock('08:00') })).toBe('2025-06-01T20:00:00.000Z');
  });

  it('is not one that was taken early', () => {
    const today = todayOf({ now: clock('19:00'), ...seenUntil('19:00'), taken: [[clock('18:30')]] });
    expect(today.next!.scheduled_at).toEqual(at('2025-06-02T08:00Z'));
    expect(today.progress).toMatchObject([{ slot: { scheduled_at: at(clock('20:00')) }, pills_taken: 1 }]);
  });

  it('is found beyond the slots that a removal can reach', () => {
    const weekly = version({ kind: 'times_of_day', times: ['08:00'], days_of_week: ['mon'] });
    // a Monday
    expect(next({ versions: [weekly], now: '2025-06-02T08:00Z' })).toBe('2025-06-09T08:00:00.000Z');
    const early = version({ kind: 'times_of_day', times: ['08:00'], early_window: '24h' });
    expect(next({ versions: [early], now: clock('08:00'), taken: [[clock('08:00')]] })).toBe(
      '2025-06-02T08:00:00.000Z',
    );
  });
});

describe('as needed', () => {
  const versions = [version({ kind: 'as_needed', max_per_day: 2, pills_per_dose: 2 }, 'Europe/Berlin')];
  const midnight = '2025-05-31T22:00Z';

  it('counts the pills of the last 24 hours, and the limit', () => {
    const taken: Facts['taken'] = [
      ['2025-05-31T11:59:59.999Z', 3],
      [midnight, 1],
      ['2025-06-01T10:00Z', 4],
    ];
    const today = todayOf({ versions, zone: 'Europe/Berlin', now: clock('12:00'), taken });
    expect(today).toMatchObject({
      doses: [],
      as_needed: { since: at('2025-05-31T12:00Z'), pills_taken: 5, doses: 2, max_pills: 4, extra_pills: 1 },
    });
  });

  it('counts a pill for 24 hours, and says when it does not any more', () => {
    const taken: Facts['taken'] = [['2025-05-31T21:00Z', 1]];
    const then = (now: string) => todayOf({ versions, now, taken });
    expect(then('2025-06-01T21:00Z')).toMatchObject({
      as_needed: { pills_taken: 1 },
      changes_at: at('2025-06-01T21:00:00.001Z'),
    });
    expect(then('2025-06-01T21:00:00.001Z')).toMatchObject({
      as_needed: { pills_taken: 0, doses: 0, max_pills: 4, extra_pills: 0 },
    });
  });

  it('does not count what was taken for a slot earlier that day', () => {
    const changed = [DAILY, { ...versions[0]!, effective_from: at(clock('10:00')) }];
    const taken: Facts['taken'] = [
      [clock('08:05'), 1],
      [clock('12:30'), 1],
    ];
    const today = todayOf({ versions: changed, now: clock('13:00'), ...seenUntil('13:00'), taken });
    expect(doses(today)).toEqual(['08:00 taken_on_time']);
    expect(today.as_needed).toMatchObject({ pills_taken: 1 });
  });
});

describe('changes_at', () => {
  const changesAt = (facts: Facts) => todayOf(facts).changes_at.toISOString().slice(11);

  it('is the next instant at which the day looks different without new data', () => {
    expect(changesAt({ now: clock('07:45'), ...seenUntil('07:30') })).toBe('08:00:00.000Z');
    expect(changesAt({ now: clock('08:00'), ...seenUntil('08:00') })).toBe('09:00:00.000Z');
    // the bottle becomes silent
    expect(changesAt({ now: clock('09:00'), ...seenUntil('08:30') })).toBe('09:30:00.000Z');
    expect(changesAt({ now: clock('20:30'), taken: [[clock('20:10')]] })).toBe('00:00:00.000Z');
    const periods = [{ from: at(clock('07:50')), to: at(clock('21:00')) }];
    expect(changesAt({ now: clock('07:45'), periods, ...seenUntil('07:30') })).toBe('07:50:00.000Z');
  });
});

it('agrees with a judgement of the whole history, by the evidence that its plan asks for alone', () => {
  fc.assert(
    fc.property(
      schedules,
      fc.constantFrom(...ZONES),
      removals,
      fc.array(moments, { maxLength: 60 }),
      moments,
      fc.nat(),
      (schedule, zone, all, contacts, now, seed) => {
        const versions = [{ effective_from: at('2011-12-20T00:00Z'), time_zone: zone, schedule }];
        const plan = { versions, periods: [], time_zone: zone, now, silent_after_ms: HOUR_MS };
        const planned = planToday(plan);
        const known = all.filter(({ time }) => time <= now);
        const seen = contacts.filter((contact) => contact <= now);
        const today = judgeToday(planned, {
          ...plan,
          removals: rearranged(known, seed).filter(({ time }) => time >= (planned.removals_since ?? now)),
          contacts: rearranged(seen, seed).filter((contact) => contact >= (planned.contacts_since ?? now)),
          last_seen_at: undefined,
          is_silent: false,
        });
        const slots = slotsBetween(versions, [], at('2011-12-01T00:00Z'), at('2012-01-20T00:00Z'));
        const history = judgeSlots({ ...plan, slots, removals: known, contacts: seen });
        const outcomes = new Map(history.slots.map((each) => [each.slot.scheduled_at.getTime(), each]));
        for (const { slot, status, pills_taken } of today.doses) {
          const truth = outcomes.get(slot.scheduled_at.getTime())!;
          expect([status, pills_taken]).toEqual([
            truth.outcome ?? (slot.scheduled_at > now ? 'upcoming' : truth.phase === 'late' ? 'late' : 'due'),
            truth.pills_taken,
          ]);
        }
        const { from, to } = planned.day;
        const missing = history.slots.filter(
          ({ slot, phase }) =>
            (slot.scheduled_at < from && phase !== 'judged') ||
            (slot.scheduled_at >= from && slot.scheduled_at < to),
        );
        expect(today.doses).toHaveLength(missing.length);
        const next = history.slots.find(({ slot, taken_at }) => slot.scheduled_at > now && !taken_at);
        if (next) expect(today.next).toEqual(next.slot);
      },
    ),
  );
});
