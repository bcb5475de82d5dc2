import { MINUTE_MS } from '#domain';
import { ManualClock } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DueWorkReader } from './due-work.js';
import { emptyDatabase, type TestDatabase } from './database.js';
import { SmtpSink } from './smtp-sink.js';
import {
  registerBottle,
  startDeviceApi,
  startNotifier,
  startSupportApi,
  type TestBottle,
  type TestNotifier,
} from './services.js';
import { SteadyCoverage, stopBeating } from './steady-coverage.js';
import { WEBHOOK_SECRET, WebhookReceiver } from './webhook-receiver.js';

/** How often something is done while time passes. Minutes. */
const EACH_MINUTES = 15;

/** The real services on a database of their own, a real receiver and mail server, and a clock that the test sets. */
export class Harness {
  readonly coverage: SteadyCoverage;
  private readonly dueWork: DueWorkReader;

  private constructor(
    readonly clock: ManualClock,
    readonly database: TestDatabase,
    readonly receiver: WebhookReceiver,
    readonly mail: SmtpSink,
    readonly device: NestFastifyApplication,
    readonly support: NestFastifyApplication,
    readonly notifier: TestNotifier,
  ) {
    this.coverage = new SteadyCoverage(device, clock);
    this.dueWork = new DueWorkReader(database.db);
  }

  /**
   * @param env settings of all services beside those that point them at each other.
   * @param options.live whether pages can follow support-api
   */
  static async start(
    name: string,
    start: string,
    env: Record<string, string> = {},
    options: { live?: boolean } = {},
  ): Promise<Harness> {
    const clock = new ManualClock(new Date(start));
    const database = await emptyDatabase(name);
    const [receiver, mail] = [
      await WebhookReceiver.start({ secret: WEBHOOK_SECRET }),
      await SmtpSink.start(),
    ];
    const notifying = {
      SMTP_URL: mail.url,
      SMTP_ALLOW_PLAIN: 'true',
      WEBHOOK_URL: receiver.url,
      WEBHOOK_SECRET,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      ...env,
    };
    const device = await startDeviceApi(database.uri, clock, env);
    await stopBeating(device);
    return new Harness(
      clock,
      database,
      receiver,
      mail,
      device,
      await startSupportApi(database.uri, clock, env, options),
      await startNotifier(database.uri, clock, notifying),
    );
  }

  async stop(): Promise<void> {
    await Promise.all([this.device.close(), this.support.close(), this.notifier.app.close()]);
    await Promise.all([this.mail.stop(), this.receiver.stop()]);
    await this.database.drop();
  }

  /**
   * Lets whole minutes pass. The checks run after the first and the last of them, and in each in which a deadline has
   * passed; the clock skips the others.
   *
   * @param each done in the first of every 15 minutes, before the checks.
   */
  async pass(minutes: number, each?: () => Promise<unknown>): Promise<void> {
    let passed = 0;
    while (passed < minutes) {
      const untilEach = each ? EACH_MINUTES - ((passed + EACH_MINUTES - 1) % EACH_MINUTES) : Infinity;
      const step = passed === 0 ? 1 : Math.min(untilEach, minutes - passed, await this.minutesUntilWork());
      this.clock.advance(step * MINUTE_MS);
      passed += step;
      if (step === untilEach) await each?.();
      await this.coverage.record();
      await this.notifier.runAll();
    }
  }

  private async minutesUntilWork(): Promise<number> {
    const now = this.clock.now();
    const { deadlines } = await this.dueWork.read(now, ['webhook', 'email', 'sms', 'push']);
    const next = Math.min(...Object.values(deadlines).map((deadline) => deadline.getTime()));
    return Math.max(1, Math.ceil((next - now.getTime()) / MINUTE_MS));
  }

  /** Registers a bottle that can speak for itself. */
  register(body: object = {}): Promise<TestBottle> {
    return registerBottle(this.support, this.device, body);
  }

  /** An opening that happens now. */
  async open(bottle: TestBottle): Promise<void> {
    const weight = { mass_of_contents: 44.25, number_of_pills: 25 };
    await bottle
      .post('/v1/actions', { action: 'opened', time: this.clock.now().toISOString(), ...weight })
      .expect(201);
  }

  /** A closing that happens now. */
  async close(bottle: TestBottle, pills_taken = 0, number_of_pills = 25): Promise<void> {
    const action = {
      action: 'closed',
      time: this.clock.now().toISOString(),
      mass_of_contents: 44,
      pills_taken,
    };
    await bottle.post('/v1/actions', { ...action, number_of_pills }).expect(201);
  }
}
