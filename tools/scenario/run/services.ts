import { NO_RESULT, staffRecipient } from '#domain';
import { type Delivery, StaffRepository } from '#persistence';
import { type mongo, Types } from 'mongoose';
import { startSupportApi } from '../../harness/services.js';
import { DatabaseLink } from '../../harness/database-link.js';
import { PushReceiver, type ReceivedPush, type TestBrowser } from '../../harness/push-receiver.js';
import { SmsReceiver } from '../../harness/sms-receiver.js';
import { SmtpSink } from '../../harness/smtp-sink.js';
import { WEBHOOK_SECRET, WebhookReceiver } from '../../harness/webhook-receiver.js';
import type { Scenario } from '../file/format.js';
import { MessageLog } from '../message-log.js';
import { RequestClock } from '../../harness/request-clock.js';
import { Notifier } from '../../harness/notifier.js';
import { RunningApp } from '../../harness/running-app.js';

/** Of the links in messages. */
const PUBLIC_URL = 'https://support.example.test';
const LINK_SECRET = 'secret-of-the-links-in-the-messages';

/** A database in the run's mongod. */
export interface ScenarioDatabase {
  uri: string;
  db: mongo.Db;
  /** Removes every document. Collections and indexes stay: creating them takes longer than most scenarios. */
  empty(): Promise<void>;
}

/**
 * Receivers, support-api and a notifier, which scenarios with the same settings use one after the other: starting them
 * takes longer than most scenarios. device-api is not among them, as it remembers callers by the clock, and the clock
 * goes back between scenarios.
 */
export class Services {
  log: MessageLog;
  private idle: Notifier | undefined;
  private readonly browsers = new Map<string, { browser: TestBrowser; recipient: string }>();

  private constructor(
    private readonly settings: Scenario['settings'],
    readonly database: ScenarioDatabase,
    readonly clock: RequestClock,
    readonly webhook: WebhookReceiver,
    readonly email: SmtpSink,
    readonly sms: SmsReceiver,
    readonly push: PushReceiver,
    readonly support: RunningApp,
    readonly env: Record<string, string>,
    /** The way of device-api and the notifiers to the database; undefined if no scenario cuts it. */
    readonly link: DatabaseLink | undefined,
  ) {
    this.log = this.newLog();
  }

  static async start(
    scenario: Pick<Scenario, 'settings' | 'start' | 'events'>,
    database: ScenarioDatabase,
  ): Promise<Services> {
    const { settings, start } = scenario;
    const clock = new RequestClock(start);
    const webhook = await WebhookReceiver.start({
      secret: WEBHOOK_SECRET,
      onMessage: (message) => services.log.recordWebhook(message),
      onInvalid: (problem) => void services.log.problems.push(problem),
    });
    const email = await SmtpSink.start((mail) => services.log.recordMail(mail));
    const sms = await SmsReceiver.start((message) => services.log.recordSms(message));
    const push = await PushReceiver.start((message) => services.recordPush(message));
    const env = {
      WEBHOOK_URL: webhook.url,
      WEBHOOK_SECRET,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      SMTP_URL: email.url,
      SMTP_ALLOW_PLAIN: 'true',
      MAIL_FROM: 'pillwatch@example.test',
      MAIL_NAMES_MEDICATION: 'true',
      ...sms.asKannel,
      SMS_NAMES_MEDICATION: 'true',
      PUSH_KEY: 'a-key-of-push-of-at-least-32-characters',
      PUSH_ALLOW_PRIVATE: 'true',
      PUBLIC_URL,
      LINK_SECRET,
      ...settings,
    };
    const support = await RunningApp.start(await startSupportApi(database.uri, clock, env));
    const link = cutsDatabase(scenario) ? await DatabaseLink.start(database.uri) : undefined;
    const receivers = [webhook, email, sms, push] as const;
    const services = new Services(settings, database, clock, ...receivers, support, env, link);
    return services;
  }

  /** Whether a scenario can use them. */
  fit(scenario: Pick<Scenario, 'settings' | 'events'>): boolean {
    const isSame = JSON.stringify(scenario.settings) === JSON.stringify(this.settings);
    return isSame && cutsDatabase(scenario) === (this.link !== undefined);
  }

  /** Where device-api and the notifiers find their database. */
  get uri(): string {
    return this.link?.uri ?? this.database.uri;
  }

  /** As if started again, at another time. */
  async restart(start: Date): Promise<void> {
    this.clock.set(start);
    this.log = this.newLog();
    this.browsers.clear();
    for (const receiver of [this.webhook, this.email]) await receiver.behave('works');
    this.webhook.forget();
    this.email.mails.length = 0;
    this.email.refused.clear();
    this.sms.requests.length = 0;
    this.push.requests.length = 0;
  }

  /** An account of staff with a browser that shows what the operator is sent. */
  async addStaffBrowser(name: string): Promise<void> {
    const { app } = this.support;
    const _id = new Types.ObjectId();
    const accounts = app.get(StaffRepository, { strict: false });
    const account = { _id, email: `${name}@example.test`, name, role: 'support' as const };
    const created_at = this.clock.now();
    await accounts.insert({ ...account, password_hash: 'nobody signs in', created_at });
    const browser = this.push.subscribe();
    const { ecdh: _, ...keys } = browser;
    await accounts.addBrowser(_id, { ...keys, name, since: created_at }, 1);
    this.browsers.set(name, { browser, recipient: staffRecipient(_id.toHexString()) });
  }

  private async recordPush(push: ReceivedPush): Promise<void> {
    for (const [name, { browser, recipient }] of this.browsers)
      if (browser.endpoint.endsWith(push.path))
        await this.log.recordPush(this.push.read(browser, push.body), name, recipient);
  }

  private newLog(): MessageLog {
    const deliveries = this.database.db.collection<Delivery & { _id: string }>('deliveries');
    return new MessageLog(this.clock, async (wanted) => {
      const found = await ('id' in wanted
        ? deliveries.findOne({ _id: wanted.id })
        : deliveries.findOne({
            alert_id: new Types.ObjectId(wanted.alert),
            recipient: wanted.to,
            status: 'pending',
            attempts: { $elemMatch: { error: NO_RESULT } },
          }));
      return (
        (found && {
          id: found._id,
          bottle_id: found.bottle_id.toHexString(),
          kind: found.kind,
          event: found.event,
          alert: found.alert_id.toHexString(),
        }) ??
        undefined
      );
    });
  }

  /** The notifier that an earlier scenario left, or a new one. */
  async notifier(): Promise<Notifier> {
    const { idle } = this;
    this.idle = undefined;
    return idle ?? (await Notifier.start(this.uri, this.clock, this.env));
  }

  /** Keeps one notifier for the next scenario, and stops the others. */
  async release(notifiers: Notifier[]): Promise<void> {
    this.idle = notifiers.find(({ isDoomed }) => !isDoomed);
    await Promise.all(notifiers.filter((notifier) => notifier !== this.idle).map((other) => other.stop()));
  }

  async stop(): Promise<void> {
    await Promise.all([this.support.stop(), this.idle?.stop()]);
    const receivers = [this.webhook, this.email, this.sms, this.push];
    await Promise.all([...receivers.map((receiver) => receiver.stop()), this.link?.cut()]);
  }
}

function cutsDatabase({ events }: Pick<Scenario, 'events'>): boolean {
  return events.some((event) => event.type === 'system' && event.change === 'stop-database');
}
