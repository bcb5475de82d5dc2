import { MINUTE_MS, DAY_MS, HOUR_MS } from '#domain';
import { AlertsRepository } from '#persistence';
import { ManualClock } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { mongo } from 'mongoose';
import { AlertsService } from '../../apps/notifier/src/alerts/alerts.service.js';
import { emptyDatabase, type TestDatabase } from '../../tools/harness/database.js';
import {
  registerBottle,
  startDeviceApi,
  startNotifier,
  startSupportApi,
  type TestBottle,
  type TestNotifier,
} from '../../tools/harness/services.js';
import { SteadyCoverage, stopBeating } from '../../tools/harness/steady-coverage.js';
import { WEBHOOK_SECRET, WebhookReceiver } from '../../tools/harness/webhook-receiver.js';

export const START = new Date('2026-03-02T06:00:00Z');

type Document = mongo.WithId<mongo.Document>;

/** Real services with a real database and a receiver. The test sets the time and runs the checks. */
export class NotifierHarness {
  readonly clock = new ManualClock(START);
  device!: NestFastifyApplication;
  private coverage!: SteadyCoverage;
  private readonly notifiers: TestNotifier[] = [];

  private constructor(
    readonly database: TestDatabase,
    readonly receiver: WebhookReceiver,
    private readonly env: Record<string, string>,
  ) {}

  support!: NestFastifyApplication;
  notifier!: TestNotifier;

  static async start(name: string, env: Record<string, string> = {}): Promise<NotifierHarness> {
    const receiver = await WebhookReceiver.start({ secret: WEBHOOK_SECRET });
    const harness = new NotifierHarness(await emptyDatabase(name), receiver, {
      WEBHOOK_URL: receiver.url,
      WEBHOOK_SECRET,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      FLEET_INCIDENT_BOTTLES: '1000000',
      ...env,
    });
    await harness.startDevice();
    harness.support = await startSupportApi(harness.database.uri, harness.clock);
    harness.notifier = await harness.addNotifier();
    return harness;
  }

  /** Another process of the same kind. */
  async addNotifier(env: Record<string, string> = {}, clock = this.clock): Promise<TestNotifier> {
    const notifier = await startNotifier(this.database.uri, clock, { ...this.env, ...env });
    this.notifiers.push(notifier);
    return notifier;
  }

  async startDevice(): Promise<void> {
    this.device = await startDeviceApi(this.database.uri, this.clock, this.env);
    await stopBeating(this.device);
    this.coverage = new SteadyCoverage(this.device, this.clock);
    await this.listen();
  }

  async stop(): Promise<void> {
    await Promise.all(
      [this.device, this.support, ...this.notifiers.map(({ app }) => app)].map((app) => app?.close()),
    );
    await this.receiver.stop();
    await this.database.drop();
  }

  /** Notes that device-api has been accepting reports until now. */
  async listen(): Promise<void> {
    await this.coverage.record();
  }

  /** Lets time pass, in which device-api listens and nothing is checked. */
  async pass(milliseconds: number): Promise<void> {
    this.clock.advance(milliseconds);
    await this.listen();
  }

  /** Lets time pass, in which these bottles report every half an hour and nothing is checked. */
  async report(minutes: number, ...bottles: TestBottle[]): Promise<void> {
    for (let left = minutes; left > 0; left -= 30) {
      await this.heartbeat(...bottles);
      await this.pass(Math.min(30, left) * MINUTE_MS);
    }
  }

  /** Lets time pass in which device-api is down. */
  async outage(milliseconds: number): Promise<void> {
    this.clock.advance(milliseconds);
    this.coverage = new SteadyCoverage(this.device, this.clock);
    await this.listen();
  }

  /** Lets time pass minute by minute; all checks run in each. */
  async live(minutes: number, each: () => Promise<unknown> = async () => undefined): Promise<void> {
    for (let minute = 0; minute < minutes; minute += 1) {
      await this.pass(MINUTE_MS);
      await each();
      await this.notifier.runAll();
    }
  }

  /** A bottle whose alert is recorded and whose message waits to be sent. */
  async overdue(body: object = {}): Promise<TestBottle> {
    const bottle = await this.register(body);
    await this.action(bottle, 'opened');
    await this.pass(5 * MINUTE_MS);
    await this.notifier.open.run();
    return bottle;
  }

  /** Lets time pass, with the attempts that are due at every fifth second. */
  async deliverUntil(end: Date): Promise<void> {
    const deliveries = this.database.db.collection<{ next_attempt_at: Date }>('deliveries');
    for (;;) {
      const [next] = await deliveries
        .find({ next_attempt_at: { $lte: end } })
        .sort({ next_attempt_at: 1 })
        .limit(1)
        .toArray();
      if (!next) break;
      const tick = new Date(Math.ceil(next.next_attempt_at.getTime() / 5_000) * 5_000);
      if (tick > this.clock.now()) this.clock.set(tick < end ? tick : end);
      await this.notifier.deliverer.run();
    }
    this.clock.set(end);
  }

  /** Runs a check, and something else when it has claimed and judged, and recorded nothing yet. */
  async betweenClaimAndAlert(
    happens: () => Promise<void>,
    check: { run(): Promise<unknown> },
  ): Promise<void> {
    const alerts = this.notifier.app.get(AlertsService);
    const prepare = alerts.prepare.bind(alerts);
    alerts.prepare = async (...findings) => {
      await happens();
      return prepare(...findings);
    };
    await check.run();
    alerts.prepare = prepare;
  }

  /** Has something else happen once, when a check has raised alerts and is about to record how they ended. */
  async beforeTheEnd(happens: () => Promise<unknown>): Promise<void> {
    const alerts = this.notifier.app.get(AlertsRepository);
    const end = alerts.end.bind(alerts);
    alerts.end = async (endings) => {
      if (endings.length > 0) {
        alerts.end = end;
        await happens();
      }
      return end(endings);
    };
  }

  register(body: object = {}): Promise<TestBottle> {
    return registerBottle(this.support, this.device, body);
  }

  registerMany(count: number, body: object = {}): Promise<TestBottle[]> {
    return Promise.all(Array.from({ length: count }, () => this.register(body)));
  }

  /** A new test: weeks after the one before, at 06:00 UTC. */
  async begin(): Promise<void> {
    const { clock } = this;
    const later = clock.now().getTime() + 14 * DAY_MS;
    clock.set(new Date(later - (later % DAY_MS) + 6 * HOUR_MS));
    await this.listen();
    this.receiver.behaviour = 'works';
    this.receiver.forget();
  }

  async heartbeat(...bottles: TestBottle[]): Promise<void> {
    await Promise.all(bottles.map((bottle) => bottle.post('/v1/heartbeats').expect(204)));
  }

  async action(bottle: TestBottle, action: 'opened' | 'closed', more: object = {}): Promise<void> {
    const body = { action, time: this.clock.now().toISOString(), mass_of_contents: 30, number_of_pills: 20 };
    await bottle
      .post('/v1/actions', { ...body, ...(action === 'closed' ? { pills_taken: 0 } : {}), ...more })
      .expect(201);
  }

  /** What the bottle kept while it had no connection. */
  async backlog(bottle: TestBottle, items: object[]): Promise<void> {
    const { body } = await bottle.post('/v1/batch', { items }).expect(200);
    const refused = (body as { results: { status: number }[] }).results.filter(({ status }) => status >= 300);
    if (refused.length > 0) throw new Error(`refused: ${JSON.stringify(refused)}`);
  }

  state(bottle: TestBottle): Promise<Document> {
    return this.one('bottle_states', { _id: new mongo.ObjectId(bottle.id) });
  }

  async setState(bottle: TestBottle, update: mongo.UpdateFilter<mongo.Document>): Promise<void> {
    await this.database.db
      .collection('bottle_states')
      .updateOne({ _id: new mongo.ObjectId(bottle.id) }, update);
  }

  /** In the order in which they were raised: the id of an alert is a hash. */
  alerts(bottle: TestBottle, kind?: string): Promise<Document[]> {
    const filter = { bottle_id: new mongo.ObjectId(bottle.id), ...(kind ? { kind } : {}) };
    return this.all('alerts', filter, { raised_at: 1, _id: 1 });
  }

  outcomes(bottle: TestBottle): Promise<Document[]> {
    return this.all('dose_outcomes', { bottle_id: new mongo.ObjectId(bottle.id) });
  }

  deliveries(bottle: TestBottle): Promise<Document[]> {
    return this.all('deliveries', { bottle_id: new mongo.ObjectId(bottle.id) });
  }

  /** The messages that the receiver got about one kind of alert, without repeats: `raised`, `resolved`, … */
  received(bottle: TestBottle, kind: string): string[] {
    return this.receiver
      .received(bottle.id)
      .filter((line) => line.startsWith(`${kind} `))
      .map((line) => line.slice(kind.length + 1));
  }

  private all(
    name: string,
    filter: mongo.Filter<mongo.Document>,
    order: Record<string, 1 | -1> = { _id: 1 },
  ): Promise<Document[]> {
    return this.database.db.collection(name).find(filter).sort(order).toArray();
  }

  private async one(name: string, filter: mongo.Filter<mongo.Document>): Promise<Document> {
    const found = await this.database.db.collection(name).findOne(filter);
    if (!found) throw new Error(`not in ${name}`);
    return found;
  }
}
