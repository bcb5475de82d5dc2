import { inTurn, ratio, spread } from '../report/rounds.js';
import { atMost, type Line, perSecond } from '../report/line.js';
import { LARGE_FLEET } from '../fixtures/big-fleet.js';
import { registerHub, registerSome } from '../fixtures/fleet-database.js';
import { acknowledged } from '../load/load-client.js';
import type { ServiceProcess } from '../../harness/service-process.js';
import type { BenchHarness } from '../harness.js';

const SMALL_FLEET = 30_000;
/** So many of the large fleet send, from all over it: more than the rounds get through. */
const SENDERS = 300_000;
const BATCH = 200;
const CONNECTIONS = 16;
const SECONDS = 4;
const WARM_UP_SECONDS = 2;

/** Lines 12 and 32: what a report costs in a large fleet, of which no cache knows much, against a small one. */
export async function growth(harness: BenchHarness): Promise<Line[]> {
  const large = await fleet(harness, LARGE_FLEET, SENDERS);
  const small = await fleet(harness, SMALL_FLEET, SMALL_FLEET);
  const measured = async (actions: boolean): Promise<Pick<Line, 'value' | 'figures'>> => {
    for (const { begin } of [large, small]) await begin(actions);
    const rates = await inTurn({ large: large.measure, small: small.measure });
    return {
      // what a report costs is the time that it takes
      value: ratio(rates.small, rates.large),
      figures: {
        'at 3M, batches of 200': perSecond(spread(rates.large).median),
        'at 30K': perSecond(spread(rates.small).median),
        'processor time of device-api and mongod, at 3M': large.cost(),
        'the same at 30K': small.cost(),
      },
    };
  };
  const [heartbeats, actions] = [await measured(false), await measured(true)];
  for (const { stop } of [large, small]) await stop();
  const line = (number: number, of: string, { value, figures }: typeof heartbeats): Line => ({
    ...atMost(number, `cost of ${of} at 3M bottles ÷ at 30K`, 1.5, value),
    figures,
  });
  return [line(12, 'a heartbeat', heartbeats), line(32, 'an action', actions)];
}

interface Fleet {
  /** With a device-api that has seen none of them, warmed up. */
  begin: (actions: boolean) => Promise<void>;
  /** Acknowledged a second. */
  measure: () => Promise<number>;
  /** Of both processes, for a report since it began. */
  cost: () => string;
  /** @throws unless all that was acknowledged is in the log */
  stop: () => Promise<void>;
}

async function fleet(harness: BenchHarness, bottles: number, senders: number): Promise<Fleet> {
  const db = await harness.bigFleet(bottles);
  const step = bottles / senders;
  await registerSome(db, senders, step);
  await registerHub(db);
  const total = { heartbeats: 0, actions: 0 };
  let measured = { reports: 0, serverMs: 0, mongodMs: 0 };
  let [server, actions]: [ServiceProcess | undefined, boolean] = [undefined, false];
  const send = async (seconds: number): Promise<number> => {
    const order = { url: server!.url, path: '/v1/gateway/batch', connections: CONNECTIONS, batch: BATCH };
    const before = { server: server!.cpuMs(), mongod: harness.mongodCpuMs() };
    const result = await harness.load.run({ ...order, bottles: senders, everyOf: step, actions, seconds });
    const count = acknowledged(result) * BATCH;
    measured.reports += count;
    measured.serverMs += server!.cpuMs() - before.server;
    measured.mongodMs += harness.mongodCpuMs() - before.mongod;
    total[actions ? 'actions' : 'heartbeats'] += count;
    return count / result.seconds;
  };
  return {
    begin: async (ofActions) => {
      await server?.stop();
      [server, actions] = [await harness.deviceApi(db), ofActions];
      await send(WARM_UP_SECONDS);
      measured = { reports: 0, serverMs: 0, mongodMs: 0 };
    },
    measure: () => send(SECONDS),
    cost: () =>
      [measured.serverMs, measured.mongodMs]
        .map((ms) => `${((ms * 1_000) / measured.reports).toFixed(0)} µs`)
        .join(', '),
    stop: async () => {
      await server?.stop();
      for (const [reports, count] of Object.entries(total)) {
        const found = await db.collection(`bottle_${reports}`).countDocuments();
        if (found < count) throw new Error(`${count} ${reports} acknowledged, ${found} in the log`);
      }
    },
  };
}
