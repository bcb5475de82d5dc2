import { asAdmin, type TestBottle } from '../../tools/harness/services.js';
import { Harness } from '../../tools/harness/harness.js';

describe('fleet incident', () => {
  it('is none of bottles that a period holds, which are looked at together again and again', async () => {
    const harness = await Harness.start('fleet-held', '2026-03-02T06:00:00Z');
    try {
      for (let count = 0; count < 12; count += 1) {
        const bottle = await harness.register();
        await bottle.post('/v1/heartbeats').expect(204);
        const travels = { reason: 'travel', from: harness.clock.now().toISOString() };
        await asAdmin(harness.support).post(`/v1/bottles/${bottle.id}/periods`).send(travels).expect(201);
      }
      await harness.pass(200);
      expect(await harness.database.db.collection('alerts').find().toArray()).toEqual([]);
    } finally {
      await harness.stop();
    }
  });

  /** edge-cases.md: "monitor cut off, whole fleet down": one incident, user messages held. */
  describe('a large part of the fleet falls silent at once', () => {
    let harness: Harness;
    const bottles: TestBottle[] = [];

    beforeAll(async () => {
      harness = await Harness.start('fleet-incident', '2026-03-02T06:00:00Z');
      for (let count = 0; count < 12; count += 1) bottles.push(await harness.register());
    });

    afterAll(() => harness?.stop());

    const speak = (speaking: TestBottle[]): Promise<unknown> =>
      Promise.all(speaking.map((bottle) => bottle.post('/v1/heartbeats').expect(204)));

    it('is one message to the operator, and none to users until it ends', async () => {
      await harness.pass(65);
      await speak(bottles);
      await harness.pass(65);
      expect(harness.receiver.received()).toEqual(['fleet_incident raised']);
      await speak(bottles.slice(1));
      await harness.pass(10);
      // the bottle that is still silent was not part of the incident
      expect(harness.receiver.received(bottles[0]!.id)).toEqual(['bottle_silent raised']);
      expect(harness.receiver.received().sort((one, other) => one.localeCompare(other))).toEqual([
        'bottle_silent raised',
        'fleet_incident raised',
        'fleet_incident resolved',
      ]);
      await speak(bottles);
      await harness.pass(5);
      harness.receiver.forget();
    });

    it('releases the notifications when staff confirm it, and not when they acknowledge or close it', async () => {
      await speak(bottles);
      await harness.pass(70);
      expect(harness.receiver.received()).toEqual(['fleet_incident raised']);
      const { body } = await asAdmin(harness.support)
        .get('/v1/alerts?kind=fleet_incident&state=open')
        .expect(200);
      const incident = `/v1/alerts/${body.items[0].id as string}`;
      const sent = () => harness.receiver.received().filter((line) => line === 'bottle_silent raised').length;
      const post = (verb: string) => asAdmin(harness.support).post(`${incident}/${verb}`);
      await post('close').send({ reason: 'settled_by_phone' }).expect(409);
      await post('acknowledge').expect(200);
      await harness.pass(5);
      expect(sent()).toBe(0);
      const { body: held } = await asAdmin(harness.support).get(`${incident}/incident`).expect(200);
      expect(held).toMatchObject({
        bottles: 12,
        still_silent: 12,
        held_messages: 12,
        held_people: 1,
        sent_messages: 0,
        time_zones: [{ bottles: 12 }],
        medications: [{ bottles: 12 }],
      });
      expect(held.previews[0]).toMatchObject({
        recipient: 'operator',
        address: null,
        title: 'Bottle offline',
      });
      const { body: list } = await asAdmin(harness.support).get('/v1/alerts?order=needs_person').expect(200);
      expect(list.items.filter(({ kind }: { kind: string }) => kind === 'bottle_silent')).toEqual([]);
      // until it takes effect, a decision can be withdrawn
      await post('confirm').expect(200);
      await post('withdraw').expect(200);
      await harness.pass(5);
      expect(sent()).toBe(0);
      await post('dismiss').expect(200);
      await harness.pass(5);
      await post('withdraw').expect(200);
      await post('withdraw').expect(409);
      await post('confirm').expect(200);
      await harness.pass(5);
      expect(sent()).toBe(12);
    });

    it('tells no user of it when staff dismiss it, and of the next silence again', async () => {
      await speak(bottles);
      await harness.pass(5);
      harness.receiver.forget();
      await harness.pass(65);
      const { body } = await asAdmin(harness.support)
        .get('/v1/alerts?kind=fleet_incident&order=needs_person')
        .expect(200);
      await asAdmin(harness.support)
        .post(`/v1/alerts/${body.items[0].id as string}/dismiss`)
        .expect(200);
      await harness.pass(5);
      // one bottle is still silent when the incident ends
      await speak(bottles.slice(1));
      await harness.pass(10);
      const { body: cancelled } = await asAdmin(harness.support)
        .get('/v1/deliveries?status=cancelled&limit=200')
        .expect(200);
      const reasons = cancelled.items.map(({ reason }: { reason: string }) => reason);
      expect(reasons).toContain('staff dismissed the fleet incident');
      expect(harness.receiver.received(bottles[0]!.id)).toEqual([]);
      const another = await harness.register();
      await speak([...bottles, another]);
      await harness.pass(65, () => speak(bottles));
      expect(harness.receiver.received(another.id)).toEqual(['bottle_silent raised']);
      for (const { id } of bottles) expect(harness.receiver.received(id)).toEqual([]);
    });
  });
});
