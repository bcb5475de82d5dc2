import { actionsOf, groupsOf } from '../baselines/bare-driver.js';
import { fleetDatabase, registerHub } from '../fixtures/fleet-database.js';
import type { BenchHarness } from '../harness.js';
import { acknowledged } from '../load/load-client.js';
import { atLeast, atMost, type Line, perSecond } from '../report/line.js';
import { inTurn, ratio, spread } from '../report/rounds.js';
import { contender } from './single-heartbeats.js';

const BOTTLES = 20_000;
const BATCH = 200;
const CONNECTIONS = 16;
const SECONDS = 4;
const WARM_UP_SECONDS = 2;
const BARE = { size: 1_000, writers: 2, bottles: BOTTLES, seconds: SECONDS };

/** Lines 28 to 30: bottles are opened and closed, by single requests and through hubs, against the same writes alone. */
export async function actions(harness: BenchHarness): Promise<Line[]> {
  return [...(await singles(harness)), await hubs(harness)];
}

async function singles(harness: BenchHarness): Promise<Line[]> {
  const heartbeats = await contender(harness, 'heartbeats', (db) => harness.deviceApi(db));
  const pillwatch = await contender(harness, 'actions', (db) => harness.deviceApi(db), 'actions');
  const bare = await contender(harness, 'bare', (db) => harness.baseline('bare-http', db), 'actions');
  const rates = await inTurn({
    heartbeats: () => heartbeats.measure(),
    pillwatch: () => pillwatch.measure(),
    bare: () => bare.measure(),
  });
  const costs = [pillwatch, heartbeats, bare].map((one) => [one.cpuUs(), one.mongodUs()] as const);
  const [action, heartbeat, alone] = costs.map(
    ([server, mongod]) => `${server.toFixed(0)} and ${mongod.toFixed(0)} µs`,
  );
  const [total, ofHeartbeat] = costs.map(([server, mongod]) => server + mongod);
  const found = [];
  for (const { finish } of [heartbeats, pillwatch, bare]) found.push(await finish());
  const figures = {
    'actions, heartbeats, bare': [rates.pillwatch, rates.heartbeats, rates.bare]
      .map((rate) => perSecond(spread(rate).median))
      .join(', '),
    'processor time of server and mongod: an action': action!,
    'a heartbeat': heartbeat!,
    'an action of the bare server': alone!,
    'acknowledged and found in the log': found.join(', '),
  };
  const ofCosts = spread([total! / ofHeartbeat!]);
  return [
    { ...atLeast(28, 'single actions ÷ bare node:http', 0.75, ratio(rates.pillwatch, rates.bare)), figures },
    { ...atMost(29, 'processor time of an action ÷ of a heartbeat', 1.6, ofCosts), figures },
  ];
}

async function hubs(harness: BenchHarness): Promise<Line> {
  const [db, bareDb] = [
    await fleetDatabase(harness, 'hub', BOTTLES),
    await fleetDatabase(harness, 'hub_bare', BOTTLES),
  ];
  await registerHub(db);
  const server = await harness.deviceApi(db);
  let total = 0;
  const send = async (seconds: number): Promise<number> => {
    const order = { url: server.url, path: '/v1/gateway/batch', connections: CONNECTIONS, batch: BATCH };
    const result = await harness.load.run({ ...order, bottles: BOTTLES, seconds, actions: true });
    total += acknowledged(result) * BATCH;
    return (acknowledged(result) * BATCH) / result.seconds;
  };
  await send(WARM_UP_SECONDS);
  const rates = await inTurn({
    hub: () => send(SECONDS),
    bare: () => groupsOf(bareDb, BARE, actionsOf),
  });
  await server.stop();
  const found = await db.collection('bottle_actions').countDocuments();
  await Promise.all([db.dropDatabase(), bareDb.dropDatabase()]);
  if (found < total) throw new Error(`${total} actions acknowledged, ${found} in the log`);
  return {
    ...atLeast(30, `actions in batches of ${BATCH} ÷ bare driver`, 0.8, ratio(rates.hub, rates.bare)),
    figures: {
      'Pillwatch, bare driver': [rates.hub, rates.bare]
        .map((rate) => perSecond(spread(rate).median))
        .join(', '),
      'acknowledged and found in the log': `${total} and ${found}`,
    },
  };
}
