import { LAB_FLEET } from './fleet.js';
import { BREAKFAST, busyCores, type Cost, needed, peaks } from './peak.js';

const { taken, late } = peaks(LAB_FLEET, BREAKFAST);

describe("the lab's fleet at breakfast", () => {
  it('sends 20,000 actions a second at eight, for 10,000 doses to be judged', () => {
    expect(taken.actions).toBeCloseTo(20_000, 6);
    expect(taken.judged).toBeCloseTo(10_000, 6);
    expect(taken.late).toBe(0);
  });

  it('has 600,000 late doses at nine: 1,000 looked at a second for ten minutes, 333 sent for half an hour', () => {
    expect(late.judged).toBeCloseTo(1_000 + 694.44, 2);
    expect(late.late).toBeCloseTo(333.33, 2);
    expect(late.actions).toBeCloseTo(1_388.89, 2);
  });

  it('has as many heartbeats as always', () => {
    expect(taken.heartbeats).toBeCloseTo(16_666.67, 2);
    expect(late.heartbeats).toBe(taken.heartbeats);
  });
});

describe('what a peak needs', () => {
  const free: Cost = { deviceApi: 0, notifier: 0, mongod: 0 };
  const costs = {
    heartbeats: { ...free, deviceApi: 100, mongod: 50 },
    actions: { ...free, deviceApi: 200, mongod: 400 },
    judged: { ...free, notifier: 300, mongod: 100 },
    late: { ...free, notifier: 2_000, mongod: 1_000 },
  };
  const rates = { heartbeats: 10_000, actions: 5_000, judged: 2_000, late: 500 };

  it('is the sum of rates and costs, of mongod as much more as the fleet is larger', () => {
    const { deviceApi, notifier, mongod } = busyCores(rates, costs, 1.5);
    expect(deviceApi).toBeCloseTo(2, 9);
    expect(notifier).toBeCloseTo(1.6, 9);
    expect(mongod).toBeCloseTo(1.5 * 3.2, 9);
  });

  it.each([
    [0, 1, 1],
    [0.6, 1, 1],
    [0.61, 1, 2],
    [4.8, 8, 1],
    [4.81, 8, 2],
  ])('%d busy cores of processes with %d need %d of them, none busier than 60 %%', (busy, cores, count) =>
    expect(needed(busy, cores, 0.6)).toBe(count),
  );
});
