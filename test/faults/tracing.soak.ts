import { SystemClock } from '#platform';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { eventually } from '../../tools/harness/eventually.js';
import type { ServiceProcess } from '../../tools/harness/service-process.js';
import { FaultHarness } from './fault-harness.js';
import { OtlpReceiver, type ReceivedSpan } from './otlp-receiver.js';
import { insertOpenBottles } from './overdue.js';

/** Whatever OpenTelemetry has besides its interface, which the library of the metrics loads, too. */
const SDK = /node_modules\/@opentelemetry\/(?!api\/)/;

let receiver: OtlpReceiver;
let spans: ReceivedSpan[];
let harness: FaultHarness;
let loaded: string;
let [support, device, notifier]: ServiceProcess[] = [];

beforeAll(async () => {
  receiver = await OtlpReceiver.start();
  spans = receiver.spans;
  loaded = await mkdtemp(join(tmpdir(), 'pillwatch-modules-'));
  harness = await FaultHarness.start({ OPEN_BOTTLE_AFTER: '1s' });
  const tracing = receiver.settings;
  [support, device, notifier] = await Promise.all([
    harness.run('support-api', listing()),
    harness.run('device-api', { ...listing(), ...tracing }),
    harness.run('notifier', { ...listing(), ...tracing }),
  ]);
});

afterAll(async () => {
  await harness?.stop();
  receiver?.stop();
});

/** The settings of a process that writes down what it has loaded. */
const listing = (): Record<string, string> => ({
  LOADED_MODULES: loaded,
  NODE_OPTIONS: `--import ${pathToFileURL('test/faults/loaded-modules.mjs').href}`,
});

const isOfSdk = (file: string): boolean => SDK.test(file);

/** What each process that has ended since the last time had loaded. */
async function modules(): Promise<string[][]> {
  const files = (await readdir(loaded)).map((name) => join(loaded, name));
  const lists = await Promise.all(
    files.map(async (file) => JSON.parse(await readFile(file, 'utf8')) as string[]),
  );
  await Promise.all(files.map((file) => rm(file)));
  return lists;
}

/** A span of a trace by its name. */
const named = (trace: ReceivedSpan[], name: string): ReceivedSpan | undefined =>
  trace.find((span) => span.name === name);

/** Waits for the spans of these names in one trace. */
function traceWith(traceId: string, names: string[]): Promise<ReceivedSpan[]> {
  return eventually(() => {
    const trace = spans.filter((span) => span.traceId === traceId);
    expect(trace.map(({ name }) => name).sort()).toEqual(names.sort());
    return trace;
  });
}

async function openBottle(): Promise<string> {
  const [bottle] = await harness.register(support!, 1);
  const answer = await fetch(`${device!.url}/v1/actions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bottle!.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      action: 'opened',
      time: new SystemClock().now().toISOString(),
      mass_of_contents: 30,
      number_of_pills: 20,
    }),
  });
  expect(answer.status).toBe(201);
  return bottle!.id;
}

/** Waits for the first notification about a bottle. @returns its `traceparent`, in its parts */
async function notified(bottle: string): Promise<string[]> {
  const message = await eventually(() => {
    const [first] = harness.receiver.messages.filter(({ data }) => data.bottle_id === bottle);
    expect(first).toBeDefined();
    return first!;
  });
  expect(message.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  return message.traceparent!.split('-');
}

it('one trace leads from a report through two processes to the receiver of its notification', async () => {
  const bottle = await openBottle();
  const [, traceId, spanId] = await notified(bottle);
  const trace = await traceWith(traceId!, [
    'POST /v1/actions',
    'group commit',
    'raise bottle_open',
    'deliver webhook',
  ]);
  const [request, commit, raise, deliver] = [
    named(trace, 'POST /v1/actions')!,
    named(trace, 'group commit')!,
    named(trace, 'raise bottle_open')!,
    named(trace, 'deliver webhook')!,
  ];
  expect(request).toMatchObject({ service: 'device-api' });
  expect(request.parentSpanId ?? '').toBe('');
  expect(commit).toMatchObject({ service: 'device-api', parentSpanId: request.spanId });
  expect(raise).toMatchObject({ service: 'notifier', parentSpanId: request.spanId });
  expect(deliver).toMatchObject({ service: 'notifier', parentSpanId: raise.spanId, spanId });
  // the sweep that found it is a trace of its own
  const [check] = raise.links!;
  await traceWith(check!.traceId, ['check open']);
  const logged = notifier!.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(logged).toContainEqual(
    expect.objectContaining({ message: `raised bottle_open for bottle ${bottle}`, trace_id: traceId }),
  );
});

it('the trace of an alert that no traced report caused begins at the check', async () => {
  const [bottle] = await insertOpenBottles(harness.db, 1, new SystemClock().now());
  const [, traceId] = await notified(bottle!.toHexString());
  const trace = await traceWith(traceId!, ['check open', 'raise bottle_open', 'deliver webhook']);
  expect(named(trace, 'raise bottle_open')!.parentSpanId).toBe(named(trace, 'check open')!.spanId);
});

it('a span names no person, no medication and no token', () => {
  const text = JSON.stringify(spans);
  for (const personal of ['willcross1024', 'Cordrazine', 'Bearer']) expect(text).not.toContain(personal);
});

it('nothing of OpenTelemetry is loaded, and nothing stored or sent, while tracing is off', async () => {
  await Promise.all([device!.end('SIGTERM'), notifier!.end('SIGTERM')]);
  expect((await modules()).map((list) => list.some(isOfSdk))).toEqual([true, true]);
  const sent = spans.length;
  [device, notifier] = await Promise.all([
    harness.run('device-api', listing()),
    harness.run('notifier', listing()),
  ]);
  const bottle = await openBottle();
  const message = await eventually(() => {
    const [first] = harness.receiver.messages.filter(({ data }) => data.bottle_id === bottle);
    expect(first).toBeDefined();
    return first!;
  });
  expect(message.traceparent).toBeUndefined();
  await Promise.all([support!, device, notifier].map((service) => service.end('SIGTERM')));
  expect((await modules()).map((list) => list.some(isOfSdk))).toEqual([false, false, false]);
  const traced = await harness.db
    .collection('bottle_actions')
    .find({ traceparent: { $exists: true } })
    .toArray();
  expect(traced.map(({ bottle_id }) => String(bottle_id))).not.toContain(bottle);
  expect(spans).toHaveLength(sent);
});
