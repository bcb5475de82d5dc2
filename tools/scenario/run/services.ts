import type { mongo } from 'mongoose';
import { startSupportApi } from '../../harness/services.js';
import { DatabaseLink } from '../../harness/database-link.js';
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

  private constructor(
    private readonly settings: Scenario['settings'],
    readonly database: ScenarioDatabase,
    readonly clock: RequestClock,
    readonly webhook: WebhookReceiver,
    readonly email: SmtpSink,
    readonly support: RunningApp,
    readonly env: Record<string, string>,
    /** The way of device-api and the notifiers to the database; undefined if no scenario cuts it. */
    readonly link: DatabaseLink | undefined,
  ) {
    this.log = new MessageLog(clock);
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
    const env = {
      WEBHOOK_URL: webhook.url,
      WEBHOOK_SECRET,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      SMTP_URL: email.url,
      SMTP_ALLOW_PLAIN: 'true',
      MAIL_FROM: 'pillwatch@example.test',
      MAIL_NAMES_MEDICATION: 'true',
      PUBLIC_URL,
      LINK_SECRET,
      ...settings,
    };
    const support = await RunningApp.start(await startSupportApi(database.uri, clock, env));
    const link = cutsDatabase(scenario) ? await DatabaseLink.start(database.uri) : undefined;
    const services = new Services(settings, database, clock, webhook, email, support, env, link);
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
    this.log = new MessageLog(this.clock);
    for (const receiver of [this.webhook, this.email]) await receiver.behave('works');
    this.webhook.forget();
    this.email.mails.length = 0;
    this.email.refused.clear();
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
    await Promise.all([this.webhook.stop(), this.email.stop(), this.link?.cut()]);
  }
}

function cutsDatabase({ events }: Pick<Scenario, 'events'>): boolean {
  return events.some((event) => event.type === 'system' && event.change === 'stop-database');
}
