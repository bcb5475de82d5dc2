import {
  bottlesOf,
  deadlineRates,
  growth,
  HEARTBEAT_INTERVAL,
  LAB_DOCUMENT,
  LAB_FLEET,
  labCheckRates,
  perWeek,
  reportRates,
  shardsFor,
} from './fleet.js';

const TB = 1e12;
const GB = 1e9;

describe("the lab's fleet", () => {
  const { heartbeats, actions, doses } = reportRates(LAB_FLEET);

  it('is 30 million bottles', () => expect(bottlesOf(LAB_FLEET)).toBe(30e6));

  it('sends 16,667 heartbeats and 1,389 actions a second', () => {
    expect(heartbeats).toBeCloseTo(16_666.67, 2);
    expect(actions).toBeCloseTo(1_388.89, 2);
    expect(doses).toBeCloseTo(694.44, 2);
  });

  it('asks for 66.7 thousand checks a second when each bottle is asked for', () => {
    const { silent, doses, open, all } = labCheckRates(LAB_FLEET);
    expect([silent, doses, open].map(Math.round)).toEqual([8_333, 8_333, 50_000]);
    expect(Math.round(all)).toBe(66_667);
  });

  it('sends 336 heartbeats a week and bottle, not 1000', () => expect(perWeek(HEARTBEAT_INTERVAL)).toBe(336));

  it('makes 1.0 TB of heartbeats a week and 6 GB an hour at 100 B', () => {
    const { hour, week } = growth(heartbeats, LAB_DOCUMENT);
    expect(week / TB).toBeCloseTo(1.008, 3);
    expect(hour / GB).toBeCloseTo(6, 6);
  });

  it('makes 84 GB of actions a week, half a GB an hour and 4.4 TB a year at 100 B', () => {
    const { hour, week, year } = growth(actions, LAB_DOCUMENT);
    expect(week / GB).toBeCloseTo(84, 6);
    expect(hour / GB).toBeCloseTo(0.5, 6);
    expect(year / TB).toBeCloseTo(4.38, 2);
  });
});

describe('checks by deadlines', () => {
  it('reads the same few ranges whatever the fleet', () => {
    const small = deadlineRates({ users: 1, bottlesPerUser: 1, dosesPerDay: 1 });
    expect(deadlineRates(LAB_FLEET).rangeReads).toEqual(small.rangeReads);
  });

  it('judges a dose when it is taken, and walks the fleet once an hour', () => {
    const { doseChecks, reconcile } = deadlineRates(LAB_FLEET);
    expect(Math.round(doseChecks)).toBe(694);
    expect(Math.round(reconcile)).toBe(8_333);
  });
});

describe('shards', () => {
  it.each([
    [0, 1],
    [2 * TB, 1],
    [2 * TB + 1, 2],
    [9 * TB, 5],
  ])('%d bytes need %d of 2 TB', (bytes, shards) => expect(shardsFor(bytes, 2 * TB)).toBe(shards));
});
