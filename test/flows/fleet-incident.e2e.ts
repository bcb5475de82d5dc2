import { ManualClock } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ListeningRecorder } from '../../apps/device-api/src/listening/listening-recorder.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import {
  asAdmin,
  registerBottle,
  startDeviceApi,
  startNotifier,
  startSupportApi,
  type TestBottle,
  type TestNotifier,
} from '../support/services.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

const MINUTE = 60_000;
const SECRET = `whsec_${Buffer.from('a secret of at least 24 bytes!').toString('base64')}`;

/** edge-cases.md: "monitor cut off, whole fleet down": one incident, user messages held. */
describe('a large part of the fleet falls silent at once', () => {
  const clock = new ManualClock(new Date('2026-03-02T06:00:00Z'));
  let database: TestDatabase;
  let receiver: WebhookReceiver;
  let device: NestFastifyApplication;
  let support: NestFastifyApplication;
  let notifier: TestNotifier;
  const bottles: TestBottle[] = [];

  beforeAll(async () => {
    database = await testDatabase('fleet-incident');
    receiver = await WebhookReceiver.start(SECRET);
    device = await startDeviceApi(database.uri, clock);
    support = await startSupportApi(database.uri, clock);
    notifier = await startNotifier(database.uri, clock, {
      WEBHOOK_URL: receiver.url,
      WEBHOOK_SECRET: SECRET,
      WEBHOOK_ALLOW_PRIVATE: 'true',
    });
    for (let count = 0; count < 12; count += 1) bottles.push(await registerBottle(support, device));
  });

  afterAll(async () => {
    await Promise.all([device?.close(), support?.close(), notifier?.app.close()]);
    await receiver?.stop();
    await database?.drop();
  });

  async function pass(minutes: number): Promise<void> {
    for (let minute = 0; minute < minutes; minute += 1) {
      clock.advance(MINUTE);
      await device.get(ListeningRecorder).record();
      if (minute % 5 === 4) await notifier.runAll();
    }
  }

  const speak = (speaking: TestBottle[]): Promise<unknown> =>
    Promise.all(speaking.map((bottle) => bottle.post('/v1/heartbeats').expect(204)));

  it('is one message to the operator, and none to users until it is over', async () => {
    await device.get(ListeningRecorder).record();
    await pass(65);
    await speak(bottles);
    await pass(65);
    expect(receiver.heard()).toEqual(['fleet_incident raised']);
    await speak(bottles.slice(1));
    await pass(10);
    // the one that is still silent was no part of our trouble
    expect(receiver.heard(bottles[0]!.id)).toEqual(['bottle_silent raised']);
    expect(receiver.heard().sort((one, other) => one.localeCompare(other))).toEqual([
      'bottle_silent raised',
      'fleet_incident raised',
      'fleet_incident resolved',
    ]);
    await speak(bottles);
    await pass(5);
    receiver.forget();
  });

  it('lets the messages go when staff confirm it', async () => {
    await speak(bottles);
    await pass(70);
    expect(receiver.heard()).toEqual(['fleet_incident raised']);
    const { body } = await asAdmin(support).get('/v1/alerts?kind=fleet_incident&state=open').expect(200);
    await asAdmin(support)
      .post(`/v1/alerts/${body.items[0].id as string}/acknowledge`)
      .expect(200);
    await pass(5);
    expect(receiver.heard().filter((line) => line === 'bottle_silent raised')).toHaveLength(12);
  });
});
