import { asAdmin } from '../../tools/harness/services.js';
import { Harness } from '../../tools/harness/harness.js';

/** The main job from end to end: real services over HTTP, a real mongod, a real receiver; only time is set. */
describe('the three troubles are found, told and ended', () => {
  let harness: Harness;

  beforeAll(async () => {
    harness = await Harness.start('three-troubles', '2026-03-02T06:00:00Z');
  });

  afterAll(() => harness?.stop());

  beforeEach(() => harness.receiver.forget());

  it('a bottle stands open', async () => {
    const bottle = await harness.register();
    await harness.open(bottle);
    await harness.pass(4);
    expect(harness.receiver.heard(bottle.id)).toEqual([]);
    await harness.pass(2);
    expect(harness.receiver.heard(bottle.id)).toEqual(['bottle_open raised']);
    await harness.close(bottle, 1, 24);
    await harness.pass(2);
    expect(harness.receiver.heard(bottle.id)).toEqual(['bottle_open raised', 'bottle_open resolved']);
  });

  it('a bottle goes silent and comes back', async () => {
    const bottle = await harness.register();
    await bottle.post('/v1/heartbeats').expect(204);
    await harness.pass(59);
    expect(harness.receiver.heard(bottle.id)).toEqual([]);
    await harness.pass(3);
    expect(harness.receiver.heard(bottle.id)).toContain('bottle_silent raised');
    harness.receiver.forget();
    await bottle.post('/v1/heartbeats').expect(204);
    await harness.pass(1);
    expect(harness.receiver.heard(bottle.id).filter((line) => line.startsWith('bottle_silent'))).toEqual([
      'bottle_silent resolved',
    ]);
    const list = await asAdmin(harness.support).get(`/v1/alerts?bottle_id=${bottle.id}`).expect(200);
    expect(list.body.items).toMatchObject([{ kind: 'bottle_silent', state: 'resolved' }]);
  });

  it('a dose is late, and taken after all', async () => {
    harness.clock.set(new Date('2026-03-03T06:00:00Z'));
    const bottle = await harness.register({
      number_of_pills: 30,
      schedule: { kind: 'times_of_day', times: ['08:00'], late_after: '30m', missed_after: '4h' },
    });
    const beat = (): Promise<unknown> => bottle.post('/v1/heartbeats').expect(204);
    harness.receiver.forget();
    // 08:00 in Berlin is 07:00 UTC; late at 07:30
    await harness.pass(89, beat);
    expect(harness.receiver.heard(bottle.id).filter((line) => line.startsWith('missed_dose'))).toEqual([]);
    await harness.pass(20, beat);
    expect(harness.receiver.heard(bottle.id).filter((line) => line.startsWith('missed_dose'))).toEqual([
      'missed_dose raised',
    ]);
    await harness.close(bottle, 1, 29);
    await harness.pass(2, beat);
    expect(harness.receiver.heard(bottle.id).filter((line) => line.startsWith('missed_dose'))).toEqual([
      'missed_dose raised',
      'missed_dose resolved',
    ]);
    const { body } = await asAdmin(harness.support).get(`/v1/bottles/${bottle.id}`).expect(200);
    expect(body).toMatchObject({ status: 'ok', pills_left: 29 });
    const doses = await asAdmin(harness.support)
      .get(`/v1/bottles/${bottle.id}/doses?from=2026-03-03T00:00:00Z&to=2026-03-04T00:00:00Z`)
      .expect(200);
    expect(doses.body.items).toMatchObject([
      { scheduled_at: '2026-03-03T07:00:00.000Z', outcome: 'taken_late' },
    ]);
  });
});
