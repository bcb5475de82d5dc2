import { MINUTE_MS, PUT_BACK_WITHIN_MS } from '#domain';
import { type BottleState, BottleStatesRepository } from '#persistence';
import fc from 'fast-check';
import { mongo } from 'mongoose';
import { at, Devices, NOW, type RegisteredBottle } from '../device-api/devices.js';
import { soakOr } from '../support/in-soak.js';
import { arrangement, reports, type Arrangement, type Endpoint, type ReportSet } from './arrangements.js';

const SEED = Number(process.env['PROPERTY_SEED'] ?? 20_260_302);
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? soakOr(100, 4));

let devices: Devices;
let bottle: RegisteredBottle;
let gateway: { token: string };
let registered: BottleState;

beforeAll(async () => {
  devices = await Devices.start('report-properties');
  // what is armed and marked when the bottle is registered is part of the present, too
  bottle = await devices.register({
    number_of_pills: 30,
    schedule: { kind: 'times_of_day', times: ['08:00', '20:00'] },
  });
  gateway = await devices.gateway(bottle);
  registered = (await devices.app.get(BottleStatesRepository).findById(bottle._id))!;
});
afterAll(() => devices.stop());

/** The same bottle as on its first day: ids derive from its id, so that two runs can be compared exactly. */
async function asNew(): Promise<void> {
  const { db } = devices.database;
  for (const log of ['bottle_actions', 'bottle_heartbeats']) await db.collection(log).deleteMany({});
  await devices.app.get(BottleStatesRepository).delete(bottle._id);
  await devices.app.get(BottleStatesRepository).insert(registered);
}

/** Log and state as plain values; what is a set in the state is compared as one. */
async function present(): Promise<unknown> {
  const byId = (documents: mongo.Document[]): mongo.Document[] =>
    documents.sort((one, other) =>
      String(one['_id'] ?? one['id']).localeCompare(String(other['_id'] ?? other['id'])),
    );
  const state = await devices.state(bottle);
  if (state['unjudged_removals']) byId(state['unjudged_removals'] as mongo.Document[]);
  const actions = byId(await devices.actions(bottle));
  // from when on doses are judged again depends on what was known before: an opening may come after its closing, and a closing
  // may put back what was removed in the half hour before
  const { judge_again_from, ...facts } = state;
  const openings = actions.filter(({ action }) => action === 'opened').map(({ time }) => time as Date);
  const returns = actions
    .filter((one) => one['action'] === 'closed' && !(one['pills_taken'] > 0))
    .filter((one) => 'number_of_pills' in one || !('pills_taken' in one))
    .map(({ time }) => new Date((time as Date).getTime() - PUT_BACK_WITHIN_MS));
  for (const from of returns) expect(+judge_again_from).toBeLessThanOrEqual(+from);
  expect([undefined, ...openings, ...returns]).toContainEqual(judge_again_from);
  return mongo.BSON.EJSON.serialize({
    actions,
    heartbeats: byId(await devices.heartbeats(bottle)),
    state: facts,
  });
}

/** Sends one request; the answer to each of its reports, as a single request or a batch item would get it. */
async function send({ clockOffset, all }: ReportSet, chunk: number[], via: Endpoint): Promise<number[]> {
  const chosen = chunk.map((index) => all[index]!);
  const clock = clockOffset === 0 ? {} : { sent_at: at(clockOffset) };
  if (via === 'single') {
    const { kind, body } = chosen[0]!;
    const sent = kind === 'action' ? { ...body, ...clock } : body;
    return [(await devices.post(bottle, `/v1/${kind}s`, sent)).status];
  }
  // a heartbeat alone says nothing of the clock here, so a batch of heartbeats does not either
  const batchClock = chosen.some(({ kind }) => kind === 'action') ? clock : {};
  const items = chosen.map(({ kind, body }) => ({ type: kind, ...body }));
  const answer =
    via === 'batch'
      ? await devices.post(bottle, '/v1/batch', { ...batchClock, items })
      : await devices.post(gateway, '/v1/gateway/batch', {
          ...batchClock,
          items: items.map((item) => ({ bottle_id: bottle.id, ...item })),
        });
  return (answer.body as { results: { status: number }[] }).results.map(({ status }) => status);
}

async function play(
  set: ReportSet,
  { requests, atOnce }: Arrangement,
): Promise<{ present: unknown; stored: number }> {
  await asNew();
  const statuses: number[] = [];
  for (let from = 0; from < requests.length; from += atOnce) {
    const wave = requests.slice(from, from + atOnce);
    statuses.push(...(await Promise.all(wave.map((one) => send(set, one.chunk, one.via)))).flat());
  }
  expect(statuses.filter((status) => ![200, 201, 204].includes(status))).toEqual([]);
  return { present: await present(), stored: statuses.filter((status) => status === 201).length };
}

/** Each report once, alone, one after another. */
function plain({ all }: ReportSet): Arrangement {
  return { requests: all.map((_, index) => ({ chunk: [index], via: 'single' })), atOnce: 1 };
}

it(`any arrangement of the same reports ends in the same log and the same state (seed ${SEED}, ${RUNS} runs)`, async () => {
  const seen = { late: 0, ties: 0, badClocks: 0, repeated: 0, allWays: 0 };
  const property = fc.asyncProperty(
    reports.chain((set) =>
      fc.tuple(fc.constant(set), fc.array(arrangement(set), { minLength: 2, maxLength: 3 })),
    ),
    async ([set, arrangements]) => {
      const expected = await play(set, plain(set));
      for (const one of arrangements) expect(await play(set, one)).toEqual(expected);
      // and all of it once more, after everything
      await send(set, [...set.all.keys()], 'gateway');
      expect(await present()).toEqual(expected.present);
      const times = set.all.flatMap(({ kind, body }) => (kind === 'action' ? [String(body['time'])] : []));
      seen.ties += new Set(times).size < times.length ? 1 : 0;
      seen.late += times.some((time) => time < at(set.clockOffset - 60 * MINUTE_MS)) ? 1 : 0;
      seen.badClocks += set.clockOffset === 0 ? 0 : 1;
      seen.allWays +=
        new Set(arrangements.flatMap(({ requests }) => requests.map(({ via }) => via))).size === 3 ? 1 : 0;
      seen.repeated += arrangements.some(
        ({ requests }) => requests.flatMap(({ chunk }) => chunk).length > set.all.length,
      )
        ? 1
        : 0;
    },
  );
  await fc.assert(property, { seed: SEED, numRuns: RUNS, endOnFailure: false });
  // what the property is about did come up
  for (const count of Object.values(seen)) expect(count).toBeGreaterThanOrEqual(soakOr(RUNS / 5, 1));
  expect(devices.clock.now()).toEqual(NOW);
});
