import { MINUTE_MS } from '#domain';
import type { mongo } from 'mongoose';
import { asAdmin, type TestBottle } from '../../tools/harness/services.js';
import { Harness } from '../../tools/harness/harness.js';
import { verified } from '../../tools/harness/verified.js';

describe('throttle', () => {
  /** A recipient who has reached the hourly limit gets the rest later, as one message; messages about doses never wait. */
  describe('the throttle of a recipient', () => {
    let harness: Harness;

    beforeAll(async () => {
      harness = await Harness.start('throttle', '2026-03-02T06:00:00Z', { RECIPIENT_THROTTLE: '2/h' });
    });
    afterAll(() => harness?.stop());

    /** Bottles of one user with one contact. */
    async function family(user: string, count: number, contact: object, bottle: object = {}) {
      await asAdmin(harness.support)
        .put(`/v1/contacts/${user}`)
        .send(verified({ time_zone: 'UTC', ...contact }))
        .expect(201);
      return Promise.all(Array.from({ length: count }, () => harness.register({ user_id: user, ...bottle })));
    }

    const mailsTo = (address: string): string[] =>
      harness.mail.mails.filter(({ to }) => to.includes(address)).map(({ subject }) => subject);

    const waiting = (recipient: string): Promise<mongo.Document[]> =>
      harness.database.db.collection('deliveries').find({ recipient, status: 'pending' }).toArray();

    /** Opens one bottle after the other, ten minutes apart; the first message comes after five. */
    async function openInTurn(bottles: TestBottle[]): Promise<void> {
      for (const bottle of bottles) {
        await harness.open(bottle);
        await harness.pass(10, () => beat(bottles));
      }
    }

    const beat = async (bottles: TestBottle[]): Promise<void> => {
      await Promise.all(bottles.map((bottle) => bottle.post('/v1/heartbeats').expect(204)));
    };

    it('what is more than the limit waits until there is room, comes in one mail, and none is dropped', async () => {
      const bottles = await family('anna', 5, { email: 'anna@example.test' });
      await openInTurn(bottles);
      const opened = 'Bottle left open';
      expect(mailsTo('anna@example.test')).toEqual([opened, opened]);
      const held = await waiting('user:anna');
      expect(held).toHaveLength(3);
      for (const delivery of held)
        expect(delivery).toMatchObject({
          throttled: true,
          reason: "delayed: recipient's message limit reached",
        });
      // the first was sent at 06:05
      harness.clock.set(new Date('2026-03-02T07:03:30Z'));
      await beat(bottles);
      await harness.pass(1);
      expect(mailsTo('anna@example.test')).toHaveLength(2);
      await harness.pass(1);
      expect(mailsTo('anna@example.test')).toEqual([opened, opened, '3 messages about pill bottles']);
      expect(await waiting('user:anna')).toEqual([]);
    });

    it('a mail with several messages counts once', async () => {
      const bottles = await family('bert', 4, { email: 'bert@example.test' });
      await Promise.all(bottles.slice(0, 3).map((bottle) => harness.open(bottle)));
      await harness.pass(6);
      await harness.open(bottles[3]!);
      await harness.pass(6);
      expect(mailsTo('bert@example.test')).toEqual(['3 messages about pill bottles', 'Bottle left open']);
    });

    it('nothing waits twice: by webhook all that waited comes when there is room, more than the limit or not', async () => {
      const bottles = await family('carla', 6, { webhook: true });
      const received = (): number =>
        harness.receiver.messages.filter(({ data }) => bottles.some(({ id }) => id === data.bottle_id))
          .length;
      await Promise.all(bottles.map((bottle) => harness.open(bottle)));
      await harness.pass(6);
      expect(received()).toBe(2);
      await harness.pass(58, () => beat(bottles));
      expect(received()).toBe(2);
      await harness.pass(2);
      expect(received()).toBe(6);
      expect(harness.receiver.requests.filter(({ data }) => data.kind === 'bottle_silent')).toEqual([]);
    });

    it('an alert that ends while its message waits is not sent, nor is its end', async () => {
      const bottles = await family('dora', 3, { email: 'dora@example.test' });
      await openInTurn(bottles);
      await harness.close(bottles[2]!);
      await harness.pass(60, () => beat(bottles));
      expect(mailsTo('dora@example.test')).toHaveLength(2);
    });

    it('what is about doses never waits', async () => {
      const at = new Date(harness.clock.now().getTime() + 2 * MINUTE_MS).toISOString().slice(11, 16);
      const schedule = {
        kind: 'times_of_day',
        times: [at],
        early_window: '1m',
        late_after: '25m',
        time_zone: 'UTC',
      };
      const [dosed] = await family('emil', 1, { email: 'emil@example.test' }, { schedule });
      const others = await Promise.all([1, 2, 3].map(() => harness.register({ user_id: 'emil' })));
      await beat([dosed!]);
      await openInTurn(others);
      expect(mailsTo('emil@example.test')).toEqual(['Bottle left open', 'Bottle left open']);
      await harness.pass(2, () => beat([dosed!]));
      expect(mailsTo('emil@example.test')).toHaveLength(3);
      expect(harness.mail.mails.at(-1)!.headers.get('x-pillwatch-kind')).toBe('missed_dose');
    });

    it("the operator's own messages are not delayed", async () => {
      const bottles = await Promise.all([1, 2, 3, 4].map(() => harness.register({ user_id: 'nobody' })));
      await Promise.all(bottles.map((bottle) => harness.open(bottle)));
      await harness.pass(6);
      for (const { id } of bottles) expect(harness.receiver.received(id)).toEqual(['bottle_open raised']);
    });
  });
});
