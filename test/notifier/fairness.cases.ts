import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { mongo } from 'mongoose';
import { ManualClock } from '#platform';
import { Channels } from '../../apps/notifier/src/delivery/channels/index.js';
import { insertOpenBottles } from '../faults/overdue.js';
import { newDatabase, type TestDatabase } from '../../tools/harness/database.js';
import { eventually } from '../../tools/harness/eventually.js';
import { SmtpSink } from '../../tools/harness/smtp-sink.js';
import { asAdmin, startNotifier, startSupportApi, type TestNotifier } from '../../tools/harness/services.js';
import { verified } from '../../tools/harness/verified.js';

describe('fairness', () => {
  /** More than are sent at the same time. */
  const SLOW = 150;
  const QUICK = 20;

  const clock = new ManualClock(new Date('2026-03-02T08:00:00Z'));
  const received: string[] = [];
  const hanging: ServerResponse[] = [];
  let hangs: (user: string) => boolean;

  let database: TestDatabase;
  let receiver: Server;
  let mail: SmtpSink;
  let support: NestFastifyApplication;
  let notifier: TestNotifier;

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      void request.toArray().then((chunks) => {
        const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: { user_id: string } };
        received.push(data.user_id);
        if (hangs(data.user_id)) hanging.push(response);
        else response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    mail = await SmtpSink.start();
    database = await newDatabase('fairness');
    support = await startSupportApi(database.uri, clock);
    notifier = await startNotifier(database.uri, clock, {
      WEBHOOK_URL: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      SMTP_URL: mail.url,
      SMTP_ALLOW_PLAIN: 'true',
      // one person gets many notifications here
      RECIPIENT_THROTTLE: 'off',
    });
  });
  afterAll(async () => {
    await Promise.all([support?.close(), notifier?.app.close()]);
    receiver.closeAllConnections();
    await Promise.all([mail?.stop(), database?.drop()]);
    receiver.close();
  });

  beforeEach(() => {
    received.length = 0;
    hanging.length = 0;
  });

  async function contact(user: string, channels: object): Promise<void> {
    await asAdmin(support)
      .put(`/v1/contacts/${user}`)
      .send(verified({ time_zone: 'UTC', ...channels }))
      .expect((answer) => expect(answer.status).toBeLessThan(300));
  }

  /** Bottles of one user, each with an alert whose message waits to be sent. */
  async function overdue(user: string, count: number): Promise<void> {
    const ids = await insertOpenBottles(database.db, count, clock.now());
    await database.db
      .collection<{ _id: mongo.ObjectId }>('bottle_states')
      .updateMany({ _id: { $in: ids } }, { $set: { user_id: user } });
    await notifier.open.run();
  }

  const channel = (name: string) => notifier.app.get(Channels).all.find((each) => each.name === name)!;
  const count = (user: string): number => received.filter((each) => each === user).length;

  it('a person whose messages hang holds up nobody else', async () => {
    hangs = (user) => user === 'slow';
    await contact('slow', { webhook: true });
    await contact('quick', { webhook: true });
    await overdue('slow', SLOW);
    clock.advance(1_000);
    await overdue('quick', QUICK);
    await overdue('nobody-knows', QUICK);

    const run = notifier.deliverer.run();
    await eventually(() => {
      expect(count('quick')).toBe(QUICK);
      expect(count('nobody-knows')).toBe(QUICK);
    });
    // one place is theirs, and not one a message
    expect(hanging).toHaveLength(1);
    hangs = () => false;
    for (const response of hanging) response.writeHead(204).end();
    await run;
    expect(count('slow')).toBe(SLOW);
  });

  it('a webhook that hangs holds up no mail, and what becomes due meanwhile is sent', async () => {
    hangs = () => true;
    await contact('by-mail', { email: 'by-mail@example.test' });
    await overdue('nobody-knows', 1);
    const run = notifier.deliverer.runChannel(channel('webhook'));
    await eventually(() => expect(hanging).toHaveLength(1));

    await overdue('by-mail', 1);
    await notifier.deliverer.runChannel(channel('email'));
    expect(mail.mails).toHaveLength(1);
    hangs = () => false;
    await overdue('nobody-knows', 1);
    await eventually(() => expect(received).toHaveLength(2));
    expect(hanging).toHaveLength(1);
    for (const response of hanging) response.writeHead(204).end();
    await run;
  });
});
