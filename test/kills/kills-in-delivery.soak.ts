import { killRun } from '../../tools/kill-runs/kill-run.js';

it('30 random kills, pauses and wrong clocks of everything during delivery: expected = delivered', async () => {
  const result = await killRun({ kills: 30, seed: 7 });
  expect(result).toMatchObject({
    lost: [],
    duplicated: [],
    unexpected: [],
    outOfOrder: [],
    notRaised: [],
    alertsWithoutCause: [],
    notLogged: [],
    notSettled: [],
    delivered: result.expected,
  });
  // the run was one: of each kind there were some, with unanswered messages, and enough was expected
  for (const kind of ['kill', 'pause', 'skew'])
    expect(Object.keys(result.done).filter((name) => name.startsWith(kind)).length).toBeGreaterThan(2);
  expect(Object.keys(result.contactsChanged).length).toBe(5);
  expect(result.whileUnanswered).toBeGreaterThan(3);
  expect(result.expected).toBeGreaterThan(30);
  expect(result.acknowledged).toBeGreaterThan(100);
});

it('10 of them with endpoints that admins added: each gets what it wants, once, in order, and verifiable', async () => {
  const result = await killRun({ kills: 10, seed: 3, endpoints: true });
  expect(result).toMatchObject({
    lost: [],
    endpointLost: [],
    endpointDuplicated: [],
    endpointUnexpected: [],
    endpointOutOfOrder: [],
    endpointUnverified: [],
    notSettled: [],
    delivered: result.expected,
  });
  expect(result.atEndpoints).toBeGreaterThan(result.expected);
});
