import { HOUR_MS, MINUTE_MS } from '#domain';
import { mongo } from 'mongoose';
import { CoverageRecorder } from '../../apps/device-api/src/coverage-recorder.js';
import { startDeviceApi } from '../../tools/harness/services.js';
import { SteadyCoverage } from '../../tools/harness/steady-coverage.js';
import { NotifierHarness } from './notifier-harness.js';

describe('silent', () => {
  let harness: NotifierHarness;

  beforeAll(async () => {
    harness = await NotifierHarness.start('silent');
  });
  afterAll(() => harness?.stop());

  beforeEach(() => harness.begin());

  it('is silent at its deadline, not before, and once', async () => {
    const bottle = await harness.register();
    await harness.heartbeat(bottle);
    await harness.pass(HOUR_MS - 1);
    await harness.notifier.runAll();
    expect(await harness.alerts(bottle)).toEqual([]);
    await harness.pass(1);
    await harness.notifier.runAll();
    const alerts = await harness.alerts(bottle);
    expect(alerts).toMatchObject([{ kind: 'bottle_silent', state: 'open' }]);
    await harness.notifier.runAll();
    await harness.pass(3 * HOUR_MS);
    await harness.notifier.runAll();
    expect(await harness.alerts(bottle)).toMatchObject([{ _id: alerts[0]!._id, state: 'open' }]);
    expect(harness.received(bottle, 'bottle_silent')).toEqual(['raised']);
    expect(harness.receiver.requests).toHaveLength(1);
  });

  it('two notifiers at once raise and deliver each once', async () => {
    const bottles = await harness.registerMany(20);
    const other = await harness.addNotifier();
    await harness.heartbeat(...bottles);
    await harness.pass(HOUR_MS);
    await Promise.all([harness.notifier.silent.run(), other.silent.run()]);
    await Promise.all([harness.notifier.runAll(), other.runAll()]);
    for (const bottle of bottles) {
      expect(await harness.alerts(bottle)).toHaveLength(1);
      expect(await harness.state(bottle)).not.toHaveProperty('silent_claim');
    }
    expect(harness.receiver.requests.filter(({ data }) => data.kind === 'bottle_silent')).toHaveLength(20);
  });

  it('quarantines a bad record and continues with the good ones', async () => {
    const [first, bad, last] = await harness.registerMany(3);
    await harness.heartbeat(first!, bad!, last!);
    await harness.setState(bad!, { $set: { last_heard_at: 'never a date' } });
    await harness.pass(HOUR_MS);
    const result = await harness.notifier.silent.run();
    expect(result.failed).toBe(1);
    for (const good of [first!, last!]) expect(await harness.alerts(good)).toHaveLength(1);
    expect(await harness.alerts(bad!)).toEqual([]);
    expect(await harness.state(bad!)).toMatchObject({
      set_aside: { check: 'SilentBottlesCheck', at: harness.clock.now() },
    });
    expect(await harness.notifier.silent.run()).toMatchObject({ checked: 0, failed: 0 });
  });

  it('a corrupt schedule does not hide a silence', async () => {
    const bottle = await harness.register({ schedule: { kind: 'times_of_day', times: ['08:00'] } });
    await harness.heartbeat(bottle);
    await harness.database.db
      .collection('bottles')
      .updateOne(
        { _id: new mongo.ObjectId(bottle.id) },
        { $set: { 'schedule_versions.0.schedule': { kind: 'no such kind' } } },
      );
    await harness.pass(HOUR_MS);
    await harness.notifier.runAll();
    expect(await harness.alerts(bottle)).toMatchObject([{ kind: 'bottle_silent' }]);
  });

  it('is never silent before its first contact', async () => {
    const bottle = await harness.register();
    await harness.pass(72 * HOUR_MS);
    await harness.notifier.runAll();
    expect(await harness.alerts(bottle)).toEqual([]);
    expect(await harness.state(bottle)).toMatchObject({ quiet: 'never_heard' });
  });

  it('our own outage is not their silence: that begins when we have accepted reports for an hour', async () => {
    const bottle = await harness.register();
    await harness.heartbeat(bottle);
    await harness.device.close();
    harness.clock.advance(3 * HOUR_MS);
    await harness.notifier.runAll();
    expect(await harness.alerts(bottle)).toEqual([]);
    await harness.startDevice();
    await harness.notifier.runAll();
    await harness.pass(HOUR_MS - MINUTE_MS);
    await harness.notifier.runAll();
    expect(await harness.alerts(bottle)).toEqual([]);
    await harness.pass(MINUTE_MS);
    await harness.notifier.runAll();
    expect(await harness.alerts(bottle)).toMatchObject([{ kind: 'bottle_silent' }]);
  });

  it('a state that lagged behind the log raises no false alarm', async () => {
    const bottle = await harness.register();
    await harness.heartbeat(bottle);
    await harness.pass(30 * MINUTE_MS);
    const lastSeen = harness.clock.now();
    const { user_id, medication } = await harness.state(bottle);
    await harness.database.db
      .collection('bottle_heartbeats')
      .insertOne({ bottle_id: new mongo.ObjectId(bottle.id), user_id, medication, time: lastSeen });
    await harness.pass(30 * MINUTE_MS);
    await harness.notifier.runAll();
    expect(await harness.alerts(bottle)).toEqual([]);
    expect(await harness.state(bottle)).toMatchObject({
      last_heard_at: lastSeen,
      silent_at: new Date(lastSeen.getTime() + HOUR_MS),
    });
    await harness.pass(30 * MINUTE_MS);
    await harness.notifier.runAll();
    expect(await harness.alerts(bottle)).toHaveLength(1);
  });

  it('a heartbeat that races the check leaves no alarm behind', async () => {
    const bottle = await harness.register();
    await harness.heartbeat(bottle);
    await harness.pass(HOUR_MS);
    await harness.betweenClaimAndAlert(() => harness.heartbeat(bottle), harness.notifier.silent);
    await harness.notifier.runAll();
    expect(await harness.alerts(bottle)).toMatchObject([{ state: 'resolved' }]);
    expect(await harness.state(bottle)).toMatchObject({
      silent_at: new Date(harness.clock.now().getTime() + HOUR_MS),
    });
    expect(await harness.state(bottle)).not.toHaveProperty('silent');
    // no notification was sent in between, so none is sent at all
    expect(harness.received(bottle, 'bottle_silent')).toEqual([]);
  });

  it('a device-api that was frozen did not listen meanwhile', async () => {
    const recorder = harness.device.get(CoverageRecorder);
    const bottle = await harness.register();
    await harness.heartbeat(bottle);
    await recorder.record();
    // its timers stand still, and the first beat afterwards comes at once
    harness.clock.advance(75 * MINUTE_MS);
    await recorder.record();
    await harness.notifier.runAll();
    expect(await harness.alerts(bottle)).toEqual([]);
  });

  it('one of two device-apis that is frozen or killed is waited for, and one that stops in an orderly way is not', async () => {
    const bottle = await harness.register();
    await harness.heartbeat(bottle);
    const killed = new SteadyCoverage(harness.device, harness.clock, 'device-api', 'another one');
    await killed.record();
    await harness.pass(HOUR_MS / 2);
    // it stops once its first beat is stored, so that it never beats after the clock has jumped
    const stopped = await startDeviceApi(harness.database.uri, harness.clock);
    await stopped.close();
    await harness.pass(HOUR_MS / 2 - MINUTE_MS);
    await killed.record();
    await harness.pass(MINUTE_MS);
    await harness.notifier.runAll();
    expect(await harness.alerts(bottle)).toEqual([]);
    // since its last beat and an interval, a minute is over that nobody listened, and so will be 50 s more
    await harness.pass(MINUTE_MS + 50_000);
    await harness.notifier.silent.run();
    expect(await harness.alerts(bottle)).toMatchObject([
      { kind: 'bottle_silent', evidence: { listened_ms: HOUR_MS } },
    ]);
  });
});

describe('silent at once', () => {
  let harness: NotifierHarness;

  beforeAll(async () => {
    harness = await NotifierHarness.start('silent-at-once', { FLEET_INCIDENT_BOTTLES: '2' });
  });
  afterAll(() => harness?.stop());

  it('is one incident, and no message about each bottle', async () => {
    const bottles = await harness.registerMany(3);
    await harness.heartbeat(...bottles);
    await harness.pass(HOUR_MS);
    await harness.notifier.silent.run();
    const incidents = harness.database.db.collection('alerts').find({ kind: 'fleet_incident' });
    expect(await incidents.toArray()).toMatchObject([{ state: 'open', evidence: { silent_bottles: 3 } }]);
    await harness.notifier.runAll();
    for (const bottle of bottles) expect(harness.received(bottle, 'bottle_silent')).toEqual([]);
  });
});
