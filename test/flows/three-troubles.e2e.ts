import { ManualClock } from '#platform';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import {
  asAdmin,
  registerBottle,
  startDeviceApi,
  startNotifier,
  startSupportApi,
  type TestNotifier,
} from '../support/services.js';

const MINUTE = 60_000;
const SECRET = `whsec_${Buffer.from('a secret of at least 24 bytes!').toString('base64')}`;

/** The main job from end to end: real services over HTTP, a real mongod, a real receiver; only time is set. */
describe('the three troubles are found, told and ended', () => {
  const clock = new ManualClock(new Date('2026-03-02T06:00:00Z'));
  let database: TestDatabase;
  let receiver: WebhookReceiver;
  let device: Awaited<ReturnType<typeof startDeviceApi>>;
  let support: Awaited<ReturnType<typeof startSupportApi>>;
  let notifier: TestNotifier;

  beforeAll(async () => {
    database = await testDatabase('three-troubles');
    receiver = await WebhookReceiver.start(SECRET);
    device = await startDeviceApi(database.uri, clock);
    support = await startSupportApi(database.uri, clock);
    notifier = await startNotifier(database.uri, clock, {
      WEBHOOK_URL: receiver.url,
      WEBHOOK_SECRET: SECRET,
      WEBHOOK_ALLOW_PRIVATE: 'true',
    });
  });

  afterAll(async () => {
    await Promise.all([device?.close(), support?.close(), notifier?.app.close()]);
    await receiver?.stop();
    await database?.drop();
  });

  beforeEach(() => receiver.forget());

  /** Lets time pass as it does: the services note that they listen, bottles speak, the checks run. */
  async function pass(minutes: number, each: () => Promise<unknown> = async () => undefined): Promise<void> {
    const { ListeningRecorder } = await import('../../apps/device-api/src/listening/listening-recorder.js');
    for (let minute = 0; minute < minutes; minute += 1) {
      clock.advance(MINUTE);
      for (let beat = 0; beat < 6; beat += 1) await device.get(ListeningRecorder).record();
      if (minute % 15 === 0) await each();
      await notifier.runAll();
    }
  }

  it('a bottle stands open', async () => {
    const bottle = await registerBottle(support, device);
    const action = { time: clock.now().toISOString(), mass_of_contents: 44.25, number_of_pills: 25 };
    await bottle.post('/v1/actions', { ...action, action: 'opened' }).expect(201);
    await pass(4);
    expect(receiver.heard(bottle.id)).toEqual([]);
    await pass(2);
    expect(receiver.heard(bottle.id)).toEqual(['bottle_open raised']);
    await bottle
      .post('/v1/actions', {
        ...action,
        time: clock.now().toISOString(),
        action: 'closed',
        pills_taken: 1,
        number_of_pills: 24,
      })
      .expect(201);
    await pass(2);
    expect(receiver.heard(bottle.id)).toEqual(['bottle_open raised', 'bottle_open resolved']);
  });

  it('a bottle goes silent and comes back', async () => {
    const bottle = await registerBottle(support, device);
    await bottle.post('/v1/heartbeats').expect(204);
    await pass(59);
    expect(receiver.heard(bottle.id)).toEqual([]);
    await pass(3);
    expect(receiver.heard(bottle.id)).toContain('bottle_silent raised');
    receiver.forget();
    await bottle.post('/v1/heartbeats').expect(204);
    await pass(1);
    expect(receiver.heard(bottle.id).filter((line) => line.startsWith('bottle_silent'))).toEqual([
      'bottle_silent resolved',
    ]);
    const list = await asAdmin(support).get(`/v1/alerts?bottle_id=${bottle.id}`).expect(200);
    expect(list.body.items).toMatchObject([{ kind: 'bottle_silent', state: 'resolved' }]);
  });

  it('a dose is late, and taken after all', async () => {
    clock.set(new Date('2026-03-03T06:00:00Z'));
    const bottle = await registerBottle(support, device, {
      number_of_pills: 30,
      schedule: { kind: 'times_of_day', times: ['08:00'], late_after: '30m', missed_after: '4h' },
    });
    const beat = (): Promise<unknown> => bottle.post('/v1/heartbeats').expect(204);
    receiver.forget();
    // 08:00 in Berlin is 07:00 UTC; late at 07:30
    await pass(89, beat);
    expect(receiver.heard(bottle.id).filter((line) => line.startsWith('missed_dose'))).toEqual([]);
    await pass(20, beat);
    expect(receiver.heard(bottle.id).filter((line) => line.startsWith('missed_dose'))).toEqual([
      'missed_dose raised',
    ]);
    const action = { time: clock.now().toISOString(), mass_of_contents: 44, number_of_pills: 29 };
    await bottle.post('/v1/actions', { ...action, action: 'closed', pills_taken: 1 }).expect(201);
    await pass(2, beat);
    expect(receiver.heard(bottle.id).filter((line) => line.startsWith('missed_dose'))).toEqual([
      'missed_dose raised',
      'missed_dose resolved',
    ]);
    const { body } = await asAdmin(support).get(`/v1/bottles/${bottle.id}`).expect(200);
    expect(body).toMatchObject({ status: 'ok', pills_left: 29 });
    const doses = await asAdmin(support)
      .get(`/v1/bottles/${bottle.id}/doses?from=2026-03-03T00:00:00Z&to=2026-03-04T00:00:00Z`)
      .expect(200);
    expect(doses.body.items).toMatchObject([
      { scheduled_at: '2026-03-03T07:00:00.000Z', outcome: 'taken_late' },
    ]);
  });
});
