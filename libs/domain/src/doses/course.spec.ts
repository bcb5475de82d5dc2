import fc from 'fast-check';
import { allExtraDoses } from './extra-doses.js';
import { checkCourse, dosesLeft, goingOn, overBefore } from './course.js';
import { scheduleStateAt } from './schedule-state.js';
import { nextSlotAfter, slotsBetween } from './slots.js';
import { at, daily, instants, moments, removal, schedules, version, ZONES } from './testing.js';

const slotsOf = (schedule: object, from: string, to: string, zone = 'UTC', begins = '2026-01-01T00:00Z') =>
  slotsBetween([version(schedule, zone, begins)], [], at(from), at(to));
const shown = (...args: Parameters<typeof slotsOf>): string[] =>
  slotsOf(...args).map(({ scheduled_at, pills }) => `${scheduled_at.toISOString().slice(0, 16)} ${pills}`);

describe('amounts by time', () => {
  it('each time has its own, or that of the schedule; the same time twice adds up', () => {
    const schedule = daily(['08:00', { at: '20:00', pills: 1.5 }, { at: '20:00', pills: 0.25 }, '20:00'], {
      pills_per_dose: 2,
    });
    expect(shown(schedule, '2026-03-01T00:00Z', '2026-03-02T00:00Z')).toEqual([
      '2026-03-01T08:00 2',
      '2026-03-01T20:00 3.75',
    ]);
  });
});

describe('days of the month', () => {
  it('are the last day of a month that has not the day, once', () => {
    const schedule = daily(['08:00'], { days_of_month: [1, 29, 30, 31] });
    expect(
      shown(schedule, '2026-01-30T00:00Z', '2026-05-02T00:00Z').map((text) => text.slice(5, 10)),
    ).toEqual([
      '01-30',
      '01-31',
      '02-01',
      '02-28',
      '03-01',
      '03-29',
      '03-30',
      '03-31',
      '04-01',
      '04-29',
      '04-30',
      '05-01',
    ]);
    expect(
      shown(daily(['08:00'], { days_of_month: [30] }), '2028-02-01T00:00Z', '2028-03-01T00:00Z'),
    ).toEqual(['2028-02-29T08:00 1']);
  });

  it('are those that the days of the week allow, too: the first Monday', () => {
    const first = daily(['08:00'], { days_of_month: [1, 2, 3, 4, 5, 6, 7], days_of_week: ['mon'] });
    expect(shown(first, '2026-03-01T00:00Z', '2026-05-31T00:00Z').map((text) => text.slice(0, 10))).toEqual([
      '2026-03-02',
      '2026-04-06',
      '2026-05-04',
    ]);
  });
});

describe('the end of a course', () => {
  it('is after the last day, of the schedule’s zone', () => {
    const schedule = daily(['00:00', '23:30'], { until: '2026-03-02' });
    expect(shown(schedule, '2026-03-01T12:00Z', '2026-03-09T00:00Z', 'Asia/Kolkata')).toEqual([
      '2026-03-01T18:00 1',
      '2026-03-01T18:30 1',
      '2026-03-02T18:00 1',
    ]);
  });

  it('keeps what a clock change moves from the last day to the next', () => {
    const schedule = daily(['23:30'], { until: '2024-03-30' });
    expect(
      shown(schedule, '2024-03-30T12:00Z', '2024-04-02T00:00Z', 'America/Nuuk', '2024-01-01T00:00Z'),
    ).toHaveLength(1);
  });

  it('is after so many doses, counted from when it takes effect', () => {
    const schedule = daily(['08:00', '20:00'], { doses: 5 });
    expect(
      shown(schedule, '2026-03-01T00:00Z', '2026-04-01T00:00Z', 'UTC', '2026-03-01T12:00Z').map((text) =>
        text.slice(5, 16),
      ),
    ).toEqual(['03-01T20:00', '03-02T08:00', '03-02T20:00', '03-03T08:00', '03-03T20:00']);
  });

  it('counts two times that a clock change moves onto one instant as two doses', () => {
    const schedule = daily(['02:30', '03:30'], { doses: 3 });
    expect(
      shown(schedule, '2026-03-08T00:00Z', '2026-03-20T00:00Z', 'America/New_York', '2026-03-08T05:00Z'),
    ).toEqual(['2026-03-08T07:30 2', '2026-03-09T06:30 1']);
  });

  it('is no later for a pause', () => {
    const pause = { from: at('2026-03-02T00:00Z'), to: at('2026-03-03T00:00Z') };
    const course = version(daily(['08:00'], { doses: 3 }), 'UTC', '2026-03-01T00:00Z');
    expect(
      instants(slotsBetween([course], [pause], at('2026-03-01T00:00Z'), at('2026-03-20T00:00Z'))),
    ).toEqual(['2026-03-01T08:00:00.000Z', '2026-03-03T08:00:00.000Z']);
  });

  it('holds for an interval, too', () => {
    const every = { kind: 'interval', every: '8h', anchor: '2026-03-01T06:00:00Z' };
    const count = (more: object): number =>
      slotsOf({ ...every, ...more }, '2026-03-01T00:00Z', '2026-03-09T00:00Z').length;
    expect(count({ doses: 4 })).toBe(4);
    expect(count({ until: '2026-03-02' })).toBe(6);
  });

  const course = version(daily(['08:00'], { until: '2026-03-02' }));

  it('no dose follows: the state is ended, and a pill is beyond the plan', () => {
    expect(nextSlotAfter([course], [], at('2026-03-02T07:59Z'))?.scheduled_at).toEqual(
      at('2026-03-02T08:00Z'),
    );
    expect(nextSlotAfter([course], [], at('2026-03-02T08:00Z'))).toBeUndefined();
    expect(scheduleStateAt([course], [], at('2026-03-02T07:00Z'))).toEqual({ state: 'active' });
    expect(scheduleStateAt([course], [], at('2026-03-02T08:00Z'))).toEqual({ state: 'ended' });
    const taken = [removal('a', '2026-03-02T08:00Z'), removal('b', '2026-03-03T08:00Z', 0.5)];
    expect(allExtraDoses({ versions: [course], periods: [] }, taken)).toMatchObject([
      { removal_id: 'b', reason: 'schedule_ended', pills: 0.5 },
    ]);
  });

  it('what was as needed is beyond the plan, too', () => {
    const needed = version({ kind: 'as_needed', max_per_day: 2, until: '2026-03-02' });
    const taken = [removal('a', '2026-03-02T23:59Z'), removal('b', '2026-03-03T00:00Z')];
    expect(allExtraDoses({ versions: [needed], periods: [] }, taken)).toMatchObject([
      { removal_id: 'b', reason: 'schedule_ended' },
    ]);
    expect(scheduleStateAt([needed], [], at('2026-03-03T00:00Z'))).toEqual({ state: 'ended' });
  });

  it('is not before the schedule takes effect', () => {
    const begins = '2026-03-02T23:30:00Z';
    const check = (zone: string) => () =>
      checkCourse(version({ ...daily(['08:00']), until: '2026-03-02' }, zone, begins));
    expect(check('UTC')).not.toThrow();
    expect(check('Europe/Berlin')).toThrow('schedule.until: is before 2026-03-03');
  });
});

describe('goingOn', () => {
  const course = version(daily(['08:00', '20:00'], { doses: 3 }), 'UTC', '2026-03-01T00:00Z');

  it('has the doses that are left', () => {
    expect(goingOn(course, at('2026-03-01T08:00Z'))).toMatchObject({ doses: 3 });
    expect(goingOn(course, at('2026-03-01T12:00Z'))).toMatchObject({ doses: 2 });
    expect(dosesLeft(course, at('2026-03-01T12:00Z'))).toBe(2);
    expect(goingOn(course, at('2026-03-02T07:00Z'))).toMatchObject({ doses: 1 });
  });

  it('is nothing if no dose is left', () => {
    expect(goingOn(course, at('2026-03-02T09:00Z'))).toBeUndefined();
    expect(dosesLeft(course, at('2026-03-02T09:00Z'))).toBe(0);
    expect(dosesLeft(version(daily(['08:00'])), at('2026-03-02T09:00Z'))).toBeUndefined();
  });

  it('that is over before an instant has no dose from then on, in whatever zone', () => {
    for (const zone of ['UTC', 'Pacific/Honolulu', 'Pacific/Auckland']) {
      const now = at('2026-03-02T09:00Z');
      const over = version(overBefore(now, course.schedule, zone), zone, now.toISOString());
      expect(over.schedule).not.toHaveProperty('doses');
      expect(slotsBetween([over], [], now, at('2026-04-01T00:00Z'))).toEqual([]);
    }
  });
});

it('a course has the first doses of the same schedule without an end, whatever the range that is asked for', () => {
  fc.assert(
    fc.property(schedules, fc.constantFrom(...ZONES), moments, moments, (schedule, zone, from, to) => {
      const begins = '2011-12-25T00:00Z';
      const { until, doses, ...endless } = schedule as { until?: string; doses?: number };
      const all = slotsBetween([version(endless, zone, begins)], [], at(begins), at('2012-06-01T00:00Z'));
      const own = slotsBetween([version(schedule, zone, begins)], [], from, to);
      const counted = slotsBetween(
        [version(schedule, zone, begins)],
        [],
        at(begins),
        at('2012-06-01T00:00Z'),
      );
      expect(counted.length).toBeLessThanOrEqual(doses ?? Infinity);
      expect(instants(counted)).toEqual(instants(all.slice(0, counted.length)));
      expect(instants(own)).toEqual(
        instants(counted.filter(({ scheduled_at }) => from <= scheduled_at && scheduled_at < to)),
      );
      if (until === undefined && doses === undefined) expect(counted).toEqual(all);
    }),
  );
});
