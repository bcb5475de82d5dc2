import { asAdmin } from '../support/services.js';
import { World } from '../support/world.js';

/** The main job from end to end: real services over HTTP, a real mongod, a real receiver; only time is set. */
describe('the three troubles are found, told and ended', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.start('three-troubles', '2026-03-02T06:00:00Z');
  });

  afterAll(() => world?.stop());

  beforeEach(() => world.receiver.forget());

  it('a bottle stands open', async () => {
    const bottle = await world.register();
    await world.open(bottle);
    await world.pass(4);
    expect(world.receiver.heard(bottle.id)).toEqual([]);
    await world.pass(2);
    expect(world.receiver.heard(bottle.id)).toEqual(['bottle_open raised']);
    await world.close(bottle, 1, 24);
    await world.pass(2);
    expect(world.receiver.heard(bottle.id)).toEqual(['bottle_open raised', 'bottle_open resolved']);
  });

  it('a bottle goes silent and comes back', async () => {
    const bottle = await world.register();
    await bottle.post('/v1/heartbeats').expect(204);
    await world.pass(59);
    expect(world.receiver.heard(bottle.id)).toEqual([]);
    await world.pass(3);
    expect(world.receiver.heard(bottle.id)).toContain('bottle_silent raised');
    world.receiver.forget();
    await bottle.post('/v1/heartbeats').expect(204);
    await world.pass(1);
    expect(world.receiver.heard(bottle.id).filter((line) => line.startsWith('bottle_silent'))).toEqual([
      'bottle_silent resolved',
    ]);
    const list = await asAdmin(world.support).get(`/v1/alerts?bottle_id=${bottle.id}`).expect(200);
    expect(list.body.items).toMatchObject([{ kind: 'bottle_silent', state: 'resolved' }]);
  });

  it('a dose is late, and taken after all', async () => {
    world.clock.set(new Date('2026-03-03T06:00:00Z'));
    const bottle = await world.register({
      number_of_pills: 30,
      schedule: { kind: 'times_of_day', times: ['08:00'], late_after: '30m', missed_after: '4h' },
    });
    const beat = (): Promise<unknown> => bottle.post('/v1/heartbeats').expect(204);
    world.receiver.forget();
    // 08:00 in Berlin is 07:00 UTC; late at 07:30
    await world.pass(89, beat);
    expect(world.receiver.heard(bottle.id).filter((line) => line.startsWith('missed_dose'))).toEqual([]);
    await world.pass(20, beat);
    expect(world.receiver.heard(bottle.id).filter((line) => line.startsWith('missed_dose'))).toEqual([
      'missed_dose raised',
    ]);
    await world.close(bottle, 1, 29);
    await world.pass(2, beat);
    expect(world.receiver.heard(bottle.id).filter((line) => line.startsWith('missed_dose'))).toEqual([
      'missed_dose raised',
      'missed_dose resolved',
    ]);
    const { body } = await asAdmin(world.support).get(`/v1/bottles/${bottle.id}`).expect(200);
    expect(body).toMatchObject({ status: 'ok', pills_left: 29 });
    const doses = await asAdmin(world.support)
      .get(`/v1/bottles/${bottle.id}/doses?from=2026-03-03T00:00:00Z&to=2026-03-04T00:00:00Z`)
      .expect(200);
    expect(doses.body.items).toMatchObject([
      { scheduled_at: '2026-03-03T07:00:00.000Z', outcome: 'taken_late' },
    ]);
  });
});
