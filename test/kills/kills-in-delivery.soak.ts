import { killRun } from '../../tools/kill-runs/kill-run.js';

it('30 random kill -9 of notifier, receiver and primary during delivery: owed = delivered', async () => {
  const result = await killRun({ kills: 30, seed: 7 });
  expect(result).toMatchObject({
    lost: [],
    doubled: [],
    notOwed: [],
    strayAlerts: [],
    notLogged: [],
    notSettled: [],
    delivered: result.owed,
  });
  // the run was one: of each some were killed, with messages in hand, and enough was owed
  expect(Math.min(...Object.values(result.kills))).toBeGreaterThan(2);
  expect(result.whileInHand).toBeGreaterThan(3);
  expect(result.owed).toBeGreaterThan(30);
  expect(result.acknowledged).toBeGreaterThan(100);
}, 900_000);
