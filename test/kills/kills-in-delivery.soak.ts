import { killRun } from '../../tools/kill-runs/kill-run.js';

it('30 random kill -9 of notifier, receiver and primary during delivery: expected = delivered', async () => {
  const result = await killRun({ kills: 30, seed: 7 });
  expect(result).toMatchObject({
    lost: [],
    duplicated: [],
    unexpected: [],
    alertsWithoutCause: [],
    notLogged: [],
    notSettled: [],
    delivered: result.expected,
  });
  // the run was one: of each some were killed, with unanswered messages, and enough was expected
  expect(Math.min(...Object.values(result.kills))).toBeGreaterThan(2);
  expect(result.whileUnanswered).toBeGreaterThan(3);
  expect(result.expected).toBeGreaterThan(30);
  expect(result.acknowledged).toBeGreaterThan(100);
});
