import { DAY_MS } from '../time/durations.js';
import fc from 'fast-check';
import type { DoseOutcome } from '../doses/index.js';
import { ADHERENCE_COUNTS, type AdherenceCount, adherenceCounts } from './adherence-counts.js';
import {
  adherence,
  type AdherenceInput,
  type AttestedDose,
  commonFigures,
  withStatements,
  wordedAdherence,
} from './adherence.js';
import type { DoseRecord } from './drug-holidays.js';

const START = Date.parse('2025-06-01T08:00Z');
const slotOn = (day: number, hour = 8) => new Date(START + day * DAY_MS + (hour - 8) * 3_600_000);

function record(scheduled_at: Date, outcome: DoseOutcome): DoseRecord {
  return outcome.startsWith('taken')
    ? { scheduled_at, outcome, taken_at: scheduled_at }
    : { scheduled_at, outcome };
}

const SHORT: Record<string, DoseOutcome> = {
  t: 'taken_on_time',
  e: 'taken_early',
  l: 'taken_late',
  p: 'partial',
  m: 'missed',
  u: 'unknown',
};

/** One dose a day at 08:00 UTC, a letter a day; a space is a day without a slot. */
function course(days: string, extra: Date[] = []) {
  const outcomes = days
    .split('')
    .flatMap((letter, day) => (letter === ' ' ? [] : record(slotOn(day), SHORT[letter]!)));
  return adherence({
    outcomes,
    extra: extra.map((time) => ({ time })),
    from: slotOn(0, 0),
    to: slotOn(days.length, 0),
    zone: 'UTC',
  });
}

describe('adherence', () => {
  it('gives each figure with its numerator and denominator; unknown is in none and shown apart', () => {
    expect(course('ttelpmuu')).toMatchObject({
      taking: { numerator: 4, denominator: 6, ratio: 4 / 6 },
      correct_dosing: { numerator: 4, denominator: 6 },
      timing: { numerator: 2, denominator: 6 },
      days_covered: { numerator: 4, denominator: 6 },
      doses: { taken_on_time: 2, taken_early: 1, taken_late: 1, partial: 1, missed: 1, unknown: 2 },
      unknown: { doses: 2, days: 2 },
    });
  });

  it('an extra dose spoils the day’s correct dosing, not its cover', () => {
    expect(course('tt', [slotOn(1, 12)])).toMatchObject({
      correct_dosing: { numerator: 1, denominator: 2 },
      days_covered: { numerator: 2, denominator: 2 },
      extra: 1,
    });
  });

  it('a day is the local day, and counts when all its doses are known', () => {
    const outcomes = [
      record(new Date('2025-06-01T12:00Z'), 'taken_on_time'),
      record(new Date('2025-06-02T03:00Z'), 'missed'),
      record(new Date('2025-06-02T12:00Z'), 'missed'),
      record(new Date('2025-06-03T03:00Z'), 'unknown'),
    ];
    const range = { outcomes, from: new Date('2025-06-01T00:00Z'), to: new Date('2025-06-04T00:00Z') };
    const { days_covered, unknown } = adherence({ ...range, zone: 'America/New_York' });
    expect(days_covered).toEqual({ numerator: 0, denominator: 1, ratio: 0 });
    expect(unknown).toEqual({ doses: 1, days: 1 });
  });

  it('is null, not 0 or 1, when nothing is known', () => {
    const nothing = { numerator: 0, denominator: 0, ratio: null };
    expect(course('uuu')).toMatchObject({ taking: nothing, timing: nothing, days_covered: nothing });
    expect(course('   ')).toMatchObject({ taking: nothing, correct_dosing: nothing });
  });

  it('takes slots from the beginning of the range to before its end, each once', () => {
    const outcomes = [0, 1, 1, 2].map((day) => record(slotOn(day), 'missed'));
    expect(adherence({ outcomes, from: slotOn(1), to: slotOn(2), zone: 'UTC' }).doses.missed).toBe(1);
  });

  it('has shares from 0 to 1, counts each dose once, and does not depend on order', () => {
    const outcome = fc.constantFrom(...Object.values(SHORT));
    const outcomes = fc
      .array(fc.tuple(fc.nat(60), outcome), { maxLength: 60 })
      .map((list) =>
        [...new Map(list)].map(([half, outcome]) => record(new Date(START + (half * DAY_MS) / 2), outcome)),
      );
    fc.assert(
      fc.property(outcomes, (outcomes) => {
        const range = { from: slotOn(0, 0), to: slotOn(31), zone: 'Pacific/Apia' };
        const figures = adherence({ ...range, outcomes });
        expect(adherence({ ...range, outcomes: outcomes.slice().reverse() })).toEqual(figures);
        expect(Object.values(figures.doses).reduce((sum, count) => sum + count, 0)).toBe(outcomes.length);
        expect(figures.taking.denominator + figures.unknown.doses).toBe(outcomes.length);
        expect(figures.timing.numerator).toBeLessThanOrEqual(figures.taking.numerator);
        expect(figures.correct_dosing.numerator).toBeLessThanOrEqual(figures.days_covered.numerator);
        expect(figures.taking.numerator).toBeLessThanOrEqual(figures.taking.denominator);
      }),
    );
  });
});

describe('drug holidays', () => {
  it('are 72 hours or more from one dose to the next', () => {
    expect(course('tmmt').drug_holidays).toEqual({
      count: 1,
      hours: 72,
      periods: [{ from: slotOn(0), to: slotOn(3), hours: 72, missed_doses: 2 }],
      possible: 0,
    });
    expect(course('tmt').drug_holidays.count).toBe(0);
  });

  it('end at any dose, partial or extra', () => {
    expect(course('tmpmt').drug_holidays.count).toBe(0);
    expect(course('tmmt', [slotOn(2, 9)]).drug_holidays.count).toBe(0);
  });

  it('are only possible where a dose in them is unknown', () => {
    expect(course('tmumt').drug_holidays).toMatchObject({ count: 0, possible: 1 });
  });

  it('reach to the ends of the range', () => {
    expect(course('mmmm').drug_holidays.periods).toEqual([
      { from: slotOn(0, 0), to: slotOn(4, 0), hours: 96, missed_doses: 4 },
    ]);
  });

  it('do not count the time in which nothing was prescribed', () => {
    expect(course('t       t').drug_holidays.count).toBe(0);
    expect(course('tm       mt').drug_holidays.count).toBe(0);
    expect(course('tmmm       mt').drug_holidays.periods).toEqual([
      { from: slotOn(0), to: slotOn(3), hours: 72, missed_doses: 3 },
    ]);
  });
});

describe('adherence with what people say', () => {
  const days = 'tmmmmmuu';
  const outcomes = days.split('').map((letter, day) => record(slotOn(day), SHORT[letter]!));
  const input = { outcomes, from: slotOn(0, 0), to: slotOn(8, 0), zone: 'UTC' };
  const attested: AttestedDose[] = [
    { scheduled_at: slotOn(0), outcome: 'not_taken' },
    { scheduled_at: slotOn(1), outcome: 'taken_on_time', taken_at: slotOn(1) },
    { scheduled_at: slotOn(2), outcome: 'taken' },
    { scheduled_at: slotOn(3), outcome: 'skipped', reason: 'doctors_advice' },
    { scheduled_at: slotOn(4), outcome: 'skipped', reason: 'away' },
    { scheduled_at: slotOn(6), outcome: 'taken_late', taken_at: slotOn(6, 10) },
    { scheduled_at: slotOn(9), outcome: 'taken' },
  ];
  const worded = wordedAdherence(input, attested);

  it('counts a dose that somebody attests as they say, and leaves the measured figures as they are', () => {
    expect(worded).toMatchObject({
      taking: { numerator: 3, denominator: 6 },
      timing: { numerator: 1, denominator: 6 },
      days_covered: { numerator: 3, denominator: 6 },
      doses: { taken_on_time: 1, taken_late: 1, taken: 1, skipped: 1, not_taken: 1, missed: 1, unknown: 1 },
      unknown: { doses: 1, days: 1 },
    });
    expect(adherence(input)).toMatchObject({ taking: { numerator: 1, denominator: 6 } });
  });

  it('says which share rests on their word, and leaves out what was skipped on medical advice', () => {
    expect(worded).toMatchObject({ excused: 1, attested: { numerator: 5, denominator: 6, ratio: 5 / 6 } });
  });

  it('is what the counts of its doses add up to, as measured and with people’s word', () => {
    const sums = Object.fromEntries(ADHERENCE_COUNTS.map((key) => [key, 0])) as Record<
      AdherenceCount,
      number
    >;
    for (const { scheduled_at, outcome } of outcomes) {
      const statement = attested.find((one) => one.scheduled_at.getTime() === scheduled_at.getTime());
      for (const key of adherenceCounts(outcome, statement)) sums[key] += 1;
    }
    const measured = adherence(input);
    expect(sums).toEqual({
      measured_taken: measured.taking.numerator,
      measured_on_time: measured.timing.numerator,
      measured_known: measured.taking.denominator,
      reported_taken: worded.taking.numerator,
      reported_on_time: worded.timing.numerator,
      reported_known: worded.taking.denominator,
      attested: worded.attested.numerator,
      excused: worded.excused,
    });
  });

  it('is the measured adherence where nobody attests anything', () => {
    const { extra: _extra, doses, ...figures } = adherence(input);
    expect(wordedAdherence(input, [])).toMatchObject({ ...figures, doses, attested: { numerator: 0 } });
  });
});

describe('the figures of the doses of several bottles', () => {
  /** A dose a day at an hour, a letter a day. */
  const bottle = (days: string, hour = 8): AdherenceInput => ({
    outcomes: days.split('').map((letter, day) => record(slotOn(day, hour), SHORT[letter]!)),
    from: slotOn(0, 0),
    to: slotOn(days.length, 0),
    zone: 'UTC',
  });

  it('are those of the one, if there is one', () => {
    const { days_covered, drug_holidays } = course('tmmmmtup');
    expect(commonFigures([bottle('tmmmmtup')])).toEqual({ days_covered, drug_holidays });
  });

  it('cover a day if each bottle covers it, and leave it out if one is unknown, also at the same time', () => {
    const covered = { numerator: 1, denominator: 3, ratio: 1 / 3 };
    expect(commonFigures([bottle('ttmu'), bottle('tmtt')]).days_covered).toEqual(covered);
    expect(commonFigures([bottle('ttmu'), bottle('tmtt', 20)]).days_covered).toEqual(covered);
  });

  it('have a holiday where no dose of any was taken', () => {
    expect(commonFigures([bottle('tmmmmt'), bottle('ttmtmm')]).drug_holidays.count).toBe(0);
    expect(commonFigures([bottle('tmmmmt'), bottle('tmmmmt', 20)]).drug_holidays).toMatchObject({
      count: 1,
      periods: [{ from: slotOn(0, 20), to: slotOn(5), missed_doses: 8 }],
    });
  });

  it('count with people’s word what they say', () => {
    const stated: AttestedDose[] = [{ scheduled_at: slotOn(2), outcome: 'taken' }];
    expect(commonFigures([withStatements(bottle('tmmmt'), stated)]).drug_holidays.count).toBe(0);
  });
});
