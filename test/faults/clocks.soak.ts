import { SECOND_MS, HOUR_MS } from '#domain';
import { SystemClock } from '#platform';
import { mongo } from 'mongoose';
import { eventually } from '../../tools/harness/eventually.js';
import { MachineClock } from '../../tools/harness/machine-clock.js';
import type { ServiceProcess } from '../../tools/harness/service-process.js';
import { FaultHarness } from './fault-harness.js';

const OPEN_AFTER = 2 * SECOND_MS;
const SILENT_AFTER = 12 * SECOND_MS;
/** What a check may take beyond its deadline on a busy machine; far less than any of the clocks is off. */
const SLACK = 15 * SECOND_MS;
let harness: FaultHarness;
let support: ServiceProcess;
let clocks: { device: MachineClock; notifier: MachineClock };
let reporting: ServiceProcess;
let notifier: ServiceProcess;

beforeAll(async () => {
  harness = await FaultHarness.start();
  clocks = { device: await MachineClock.create(), notifier: await MachineClock.create() };
  const env = { OPEN_BOTTLE_AFTER: '2s', SILENT_BOTTLE_AFTER: '12s' };
  [support, reporting, notifier] = await Promise.all([
    harness.run('support-api'),
    harness.run('device-api', { ...env, ...clocks.device.env }),
    harness.run('notifier', { ...env, ...clocks.notifier.env }),
  ]);
});
afterAll(async () => {
  await harness?.stop();
  await Promise.all([clocks?.device.remove(), clocks?.notifier.remove()]);
});

const now = (): number => new SystemClock().now().getTime();

async function post(token: string, path: string, body: object): Promise<void> {
  const answer = await fetch(`${reporting.url}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBeLessThan(300);
}

/** How long after `due` its alert of the kind was raised, once. @param meanwhile done again and again until then */
async function delay(
  { id }: { id: string },
  kind: string,
  due: number,
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<number> {
  const filter = { bottle_id: new mongo.ObjectId(id), kind };
  const alerts = await eventually(
    async () => {
      await meanwhile();
      const found = await harness.db.collection('alerts').find(filter).toArray();
      expect(found).toHaveLength(1);
      return found;
    },
    60_000,
    500,
  );
  return (alerts[0]!['raised_at'] as Date).getTime() - due;
}

async function openLid(bottle: { id: string; token: string }): Promise<number> {
  const opened = now();
  const weight = { mass_of_contents: 30, number_of_pills: 20 };
  await post(bottle.token, 'actions', {
    action: 'opened',
    time: new Date(opened).toISOString(),
    ...weight,
  });
  return delay(bottle, 'bottle_open', opened + OPEN_AFTER);
}

async function fallSilent(bottle: { id: string; token: string }): Promise<number> {
  const seen = now();
  await post(bottle.token, 'heartbeats', {});
  return delay(bottle, 'bottle_silent', seen + SILENT_AFTER);
}

/** A dose that is late in two seconds, of a bottle that goes on to report. */
async function missDose(): Promise<number> {
  const late = now() + 2 * SECOND_MS;
  const anchor = new Date(late - HOUR_MS).toISOString();
  const schedule = { kind: 'interval', every: '12h', anchor, pills_per_dose: 1, late_after: '1h' };
  const [bottle] = await harness.register(support, 1, { schedule });
  const _id = new mongo.ObjectId(bottle!.id);
  const registered_at = new Date(late - 5 * HOUR_MS);
  const effective = { 'schedule_versions.0.effective_from': registered_at };
  await harness.db.collection('bottles').updateOne({ _id }, { $set: { registered_at, ...effective } });
  await harness.db.collection('bottle_states').updateOne(
    { _id },
    {
      $set: { dose_due_at: new Date(late), judged_until: registered_at },
      $unset: { quiet: '', schedule_changed_at: '' },
    },
  );
  return delay(bottle!, 'missed_dose', late, () => post(bottle!.token, 'heartbeats', {}));
}

describe('machines whose clocks are off', () => {
  it.each([
    [-180, 180],
    [180, -180],
  ])(
    'device-api by %d s and notifier by %d s: alerts are neither early, late nor lost',
    async (one, other) => {
      await Promise.all([clocks.device.setOff(one * SECOND_MS), clocks.notifier.setOff(other * SECOND_MS)]);
      const [lid, silent] = await harness.register(support, 2);
      const delays = await Promise.all([openLid(lid!), fallSilent(silent!), missDose()]);
      for (const late of delays) {
        expect(late).toBeGreaterThanOrEqual(-50);
        expect(late).toBeLessThan(SLACK);
      }
      expect(await notifier.readiness()).toBe(200);
      const offset = await notifier.metric('pillwatch_machine_clock_offset_seconds');
      expect(Math.abs(offset - other)).toBeLessThan(1);
      const { details } = (await (await fetch(`${notifier.url}/health/ready`)).json()) as {
        details: { clock: { offset_ms: number; message: string } };
      };
      expect(details.clock.message).toMatch(/clock is off/);
      expect(Math.abs(details.clock.offset_ms - other * SECOND_MS)).toBeLessThan(SECOND_MS);
    },
  );
});
