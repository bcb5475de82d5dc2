import { ADMIN_TOKEN } from '../../tools/harness/services.js';
import { EventReader } from '../support/event-reader.js';
import { eventually } from '../../tools/harness/eventually.js';
import type { ServiceProcess } from '../../tools/harness/service-process.js';
import { FaultHarness } from './fault-harness.js';

let harness: FaultHarness;
/** Started one after the other: the elder knows every event that the younger one has sent. */
let elder: ServiceProcess;
let younger: ServiceProcess;

beforeAll(async () => {
  harness = await FaultHarness.start();
  [elder, younger] = [await harness.run('support-api'), await harness.run('support-api')];
});

afterAll(() => harness?.stop());

/** As soon as the service lets it in, as a page does. */
async function follow(service: ServiceProcess, lastId = ''): Promise<EventReader> {
  const query = lastId === '' ? '' : `?last_event_id=${lastId}`;
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const reader = await eventually(
    () => EventReader.open(`${service.url}/v1/events${query}`, headers),
    120_000,
    200,
  );
  await eventually(() => expect(reader.lastId).not.toBe(''));
  return reader;
}

it('mongod stops and returns: whoever comes back hears what happened as soon as it was there', async () => {
  const before = await follow(younger);
  await harness.stopDatabase();
  // the page sees by this that what it shows may be old
  await eventually(() => expect(before.ended).toBe(true));
  await harness.returnDatabase();
  await harness.db.collection('bottles').insertOne({ user_id: 'somebody' });
  for (const service of [elder, younger]) {
    const after = await follow(service, before.lastId);
    await eventually(() => expect(after.of('bottle')).toContainEqual({}));
    expect(after.of('reset')).toEqual([]);
    after.close();
  }
});

it('a support-api is killed: its pages go on at another, and nothing is missing', async () => {
  const before = await follow(younger);
  await younger.end('SIGKILL');
  await eventually(() => expect(before.ended).toBe(true));
  await harness.register(elder, 1);
  const after = await follow(elder, before.lastId);
  await eventually(() => expect(after.of('bottle')).toContainEqual({}));
  expect(after.of('reset')).toEqual([]);
  after.close();
});

it('SIGTERM while pages are connected, one of which does not read: support-api exits 0 within 10 s', async () => {
  const [reading, hanging] = [await follow(elder), await follow(elder)];
  hanging.pause();
  const exit = await elder.end('SIGTERM');
  expect(exit).toMatchObject({ code: 0, signal: null });
  expect(exit.ms).toBeLessThan(10_000);
  await eventually(() => expect(reading.ended).toBe(true));
});
