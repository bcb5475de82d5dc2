import { derivedMessageId } from '#domain';
import { SystemClock } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { mongo } from 'mongoose';
import { freePort } from '../../libs/platform/src/embedded-database/free-port.js';
import { type TestDatabase, newDatabase } from '../../tools/harness/database.js';
import { eventually } from '../../tools/harness/eventually.js';
import { startNotifier, startSupportApi, type TestNotifier } from '../../tools/harness/services.js';
import { Kannel } from './kannel.js';

const KEY = 'a-key-of-a-gateway-of-at-least-32-characters';
const BATCH = 2_500;
const BATCHES = 4;
/** One number in so many has no route. */
const REFUSED = 20;

/**
 * Nothing of ours stands in for the gateway: bearerbox, smsbox and the fake SMSC are Kannel's. A fake SMSC acknowledges
 * nothing, so it is killed when what it was given has arrived.
 */
describe('10,000 SMS through Kannel, 5 % of them refused', () => {
  let database: TestDatabase;
  let support: NestFastifyApplication;
  let notifier: TestNotifier;
  let kannel: Kannel;
  const users: string[] = [];

  beforeAll(async () => {
    database = await newDatabase('kannel');
    const port = await freePort();
    const env = {
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      LINK_SECRET: 'a-link-secret-of-at-least-32-characters',
      SMS_INCOMING_KEY: KEY,
    };
    support = await startSupportApi(database.uri, undefined, env);
    await support.listen(port, '127.0.0.1');
    kannel = await Kannel.start(`http://gateway:${KEY}@127.0.0.1:${port}/sms/messages`);
    notifier = await startNotifier(database.uri, undefined, { ...env, ...kannel.settings }, { jobs: true });
  });
  afterAll(async () => {
    await notifier?.app.close();
    await kannel?.stop();
    await support?.close();
    await database?.drop();
  });

  const numberOf = (user: number): string => `+49${user % REFUSED === 0 ? '99' : '15'}${1_000_000 + user}`;
  const carerOf = (user: number): string => `+4917${1_000_000 + user}`;
  /** Whose phone the message comes to. */
  const receiverOf = (user: number): string => (user % REFUSED === 0 ? carerOf(user) : numberOf(user));

  /** Queues a message to each user of a batch, as checks do. */
  async function queue(batch: number): Promise<void> {
    const { db } = database;
    const now = new SystemClock().now();
    const all = Array.from({ length: BATCH }, (_, index) => batch * BATCH + index).map((index) => ({
      index,
      user: `user-${index}`,
      alert: new mongo.ObjectId(),
      bottle: new mongo.ObjectId(),
    }));
    users.push(...all.map(({ user }) => user));
    await db.collection('contacts').insertMany(
      all.map(({ index, user }) => ({
        _id: user as never,
        sms: numberOf(index),
        sms_verified_at: now,
        time_zone: 'UTC',
        carer: { sms: carerOf(index), sms_verified_at: now, time_zone: 'UTC' },
        changed_at: now,
      })),
    );
    await db.collection('alerts').insertMany(
      all.map(({ user, alert, bottle }) => ({
        _id: alert,
        bottle_id: bottle,
        user_id: user,
        medication: 'Cordrazine',
        kind: 'bottle_open',
        subject: now.toISOString(),
        state: 'open',
        open: true,
        deadline: now,
        raised_at: now,
        escalation: [
          { after: '0m', to: 'user' },
          { after: '2h', to: 'carer' },
        ],
        evidence: { rule: 'open_after', open_after_ms: 300_000, opened_at: now },
        history: [{ event: 'raised', at: now, by: 'notifier' }],
      })),
    );
    await db.collection('deliveries').insertMany(
      all.map(({ user, alert, bottle }) => ({
        _id: derivedMessageId('delivery', alert.toHexString()) as never,
        alert_id: alert,
        bottle_id: bottle,
        kind: 'bottle_open',
        event: 'raised',
        step: 'raised:0:0',
        recipient: `user:${user}`,
        channel: 'sms',
        status: 'pending',
        attempts: [],
        next_attempt_at: now,
        created_at: now,
      })),
    );
  }

  const count = (filter: object): Promise<number> =>
    database.db.collection('deliveries').countDocuments(filter);
  const isAccepted = (batches: number) =>
    eventually(async () => expect(await count({ status: 'delivered' })).toBe(batches * BATCH), 300_000);
  const hasArrived = (batches: number) =>
    eventually(() => {
      const numbers = Array.from({ length: batches * BATCH }, (_, index) => receiverOf(index));
      expect(numbers.filter((number) => !kannel.received.has(`${number} 1`))).toEqual([]);
    }, 300_000);

  it('come to everybody once, though the SMSC is killed and hangs; the next person gets what is refused', async () => {
    await queue(0);
    await isAccepted(1);
    await hasArrived(1);
    await kannel.killSmsc();
    await queue(1);
    await isAccepted(2);
    await kannel.startSmsc();
    await hasArrived(2);
    kannel.hangSmsc();
    await queue(2);
    await isAccepted(3);
    kannel.wakeSmsc();
    await hasArrived(3);
    await queue(3);
    await isAccepted(4);
    await hasArrived(4);
    // every part of every message once, and nothing where there is no route
    const total = BATCH * BATCHES;
    expect([...kannel.received].filter(([, times]) => times !== 1)).toEqual([]);
    expect([...kannel.received.keys()].filter((key) => key.endsWith(' 1'))).toHaveLength(total);
    // each has its receipt
    await eventually(async () => expect(await count({ 'receipts.state': 'delivered' })).toBe(total), 300_000);
    // also one whose attempt was not answered in time: the receipt settles it, and it is not sent again
    expect(await count({ 'receipts.state': 'delivered', status: 'delivered' })).toBe(total);
    const refused = await database.db.collection('contacts').countDocuments({
      // what sendsms answers, or the receipt that follows
      'refused.sms.reply': { $in: ['Not routable. Do not try again.', 'NACK/no SMSC'] },
      refusals_due_at: { $exists: true },
    });
    expect(refused).toBe(total / REFUSED);
    expect(await count({ recipient: /^carer:/ })).toBe(total / REFUSED);
  });

  it('stop for who replies STOP', async () => {
    await kannel.send(numberOf(1), 'STOP');
    await eventually(async () => {
      const contact = await database.db.collection('contacts').findOne({ _id: 'user-1' as never });
      expect(contact).toMatchObject({ paused: { sms: expect.any(Date) } });
    });
    // and it is answered
    await eventually(() => expect(kannel.received.get(`${numberOf(1)} 1`)).toBe(2));
  });
});
