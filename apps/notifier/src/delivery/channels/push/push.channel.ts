import { DAY_MS, isStaff, type Language, personLines, PUSH, sayIn, phrasesIn, userIn } from '#domain';
import { type Browser, browsersOf, type ContactDetails, PushBrowsersRepository } from '#persistence';
import { Clock, linkAddress, type PushKey, pushKeyOf } from '#platform';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Agent, request } from 'undici';
import { NotifierConfig } from '../../../config.js';
import { type Channel, DeliveryError, type Notification, type Sent } from '../../channel.js';
import { isUnconnected } from '../unconnected.js';
import { PrivateAddressError, publicOnlyLookup, refusePrivateLiteral } from '../private-addresses.js';
import { encryptFor } from './encrypt.js';
import { urgencyOf } from './urgency.js';
import { StaffBrowsers } from './staff-browsers.js';
import { vapidHeader } from './vapid.js';

/** How long a push service may take, from connecting to the end of its answer. Milliseconds. */
const TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** How long a push service keeps a test message for a browser that is not connected. Seconds. */
const TEST_TTL_S = 60;

/** The subscription has ended (RFC 8030, 7.3), or never was. */
const ENDED = new Set([404, 410]);

/** What a browser shows. */
interface Shown {
  title: string;
  /** A later one with the same tag replaces it. */
  tag: string;
  /** The page that opens; absent if there is none. */
  url?: string | undefined;
}

/** How a push service treats it (RFC 8030). */
interface Treatment {
  ttl: number;
  urgency: 'normal' | 'high';
  /** Of what waits for a browser, a later one with the same topic replaces it. */
  topic: string;
}

type Answer = { browser: Browser; status: number } | { browser: Browser; error: DeliveryError };

/** Whose browsers show a message. */
interface Viewer {
  browsers: readonly Browser[];
  language: Language | undefined;
  time_zone: string;
  /** Removes browsers that their push services no longer know. */
  remove?: (endpoints: string[]) => Promise<void>;
}

/** Has messages shown by the browsers that a person or a member of staff has added (Web Push: RFC 8030, 8291, 8292). */
@Injectable()
export class PushChannel implements Channel, OnApplicationShutdown {
  readonly name = PUSH;
  readonly digests = false;
  readonly concurrency = 50;
  readonly timeLimitMs = TIMEOUT_MS;
  readonly isSetUp: boolean;
  private readonly key: PushKey | undefined;
  private readonly agent: Agent;

  constructor(
    private readonly config: NotifierConfig,
    private readonly browsers: PushBrowsersRepository,
    private readonly staff: StaffBrowsers,
    private readonly clock: Clock,
  ) {
    this.isSetUp = config.PUSH_KEY !== undefined;
    this.key = config.PUSH_KEY === undefined ? undefined : pushKeyOf(config.PUSH_KEY);
    const lookup = config.PUSH_ALLOW_PRIVATE ? {} : { lookup: publicOnlyLookup };
    this.agent = new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS, ...lookup } });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.close();
  }

  /** There are many push services, and none that could be asked for all: what failed waits for its backoff. */
  async answers(): Promise<boolean> {
    return false;
  }

  async send(
    [{ delivery, message, at }]: readonly [Notification, ...Notification[]],
    contact: ContactDetails | undefined,
    signal: AbortSignal,
  ): Promise<Sent> {
    const viewer = this.viewerOf(delivery.recipient, contact);
    const { title, lines } = personLines(message, phrasesIn(viewer.language, viewer.time_zone), false);
    const [link] = lines.flatMap((line) => (typeof line === 'string' ? [] : [line.url]));
    const topic = delivery.alert_id.toHexString();
    const url = isStaff(delivery) ? this.consoleUrl(topic) : link;
    const how = { ...urgencyOf(delivery), topic };
    return this.sendToAll(viewer, { title, tag: topic, url }, how, at, signal);
  }

  async sendTest(id: string, contact: ContactDetails, signal: AbortSignal): Promise<Sent> {
    const title = sayIn(contact.language)('This is a test. Messages reach this browser.');
    const how = { ttl: TEST_TTL_S, urgency: 'normal' as const, topic: id };
    return this.sendToAll(personOf(contact), { title, tag: id }, how, this.clock.now(), signal);
  }

  private viewerOf(recipient: string, contact: ContactDetails | undefined): Viewer {
    if (!isStaff({ recipient }))
      return {
        ...personOf(contact),
        remove: (endpoints) => this.browsers.removeRefused(userIn(recipient)!, recipient, endpoints),
      };
    const account = this.staff.of(recipient);
    return {
      browsers: account?.push_browsers ?? [],
      language: account?.language,
      time_zone: 'UTC',
      remove: (endpoints) => this.staff.remove(recipient, endpoints),
    };
  }

  /** Where staff see an alert. */
  private consoleUrl(alertId: string): string | undefined {
    return this.config.PUBLIC_URL && linkAddress(this.config.PUBLIC_URL, 'alerts', alertId);
  }

  /** It is delivered when one browser's push service takes it. */
  private async sendToAll(
    { browsers, remove }: Viewer,
    shown: Shown,
    how: Treatment,
    at: Date,
    signal: AbortSignal,
  ): Promise<Sent> {
    if (browsers.length === 0)
      throw new DeliveryError('nobody has a browser there any more', { permanent: true, unsent: true });
    const message = JSON.stringify(shown);
    const answers = await Promise.all(
      browsers.map((browser) => this.post(browser, message, how, at, signal)),
    );
    const failed = answers.flatMap((answer) => ('error' in answer ? [answer] : []));
    const ended = failed.filter(({ error }) => error.refusal);
    if (ended.length > 0) await remove?.(ended.map(({ browser }) => browser.endpoint));
    const taken = answers.find((answer) => 'status' in answer);
    if (taken) return { status: taken.status };
    // one that may take it later counts more than those that never will
    throw (failed.find(({ error }) => !error.refusal) ?? failed[0]!).error;
  }

  private async post(
    browser: Browser,
    message: string,
    { ttl, urgency, topic }: Treatment,
    at: Date,
    signal: AbortSignal,
  ): Promise<Answer> {
    try {
      if (!this.key) throw new DeliveryError('PUSH_KEY is not set', { permanent: true, unsent: true });
      const url = this.endpointOf(browser);
      const { statusCode, headers, body } = await request(url, {
        method: 'POST',
        body: encryptFor(browser, message),
        headers: {
          'content-encoding': 'aes128gcm',
          'content-type': 'application/octet-stream',
          authorization: vapidHeader(this.key, url, this.subject, at),
          ttl: String(ttl),
          urgency,
          topic,
          'user-agent': 'pillwatch',
        },
        dispatcher: this.agent,
        signal,
      });
      await body.dump();
      if (statusCode >= 200 && statusCode < 300) return { browser, status: statusCode };
      return { browser, error: failureOf(statusCode, url.hostname, headers['retry-after'], at) };
    } catch (error) {
      if (error instanceof DeliveryError) return { browser, error };
      const permanent = error instanceof PrivateAddressError;
      const unsent = permanent || isUnconnected(error);
      return { browser, error: new DeliveryError(describe(error), { permanent, unsent }) };
    }
  }

  /** A browser says where its push service is, and anybody can write one: it reaches the public internet only. */
  private endpointOf({ endpoint }: Browser): URL {
    const url = new URL(endpoint);
    if (this.config.PUSH_ALLOW_PRIVATE) return url;
    refusePrivateLiteral(url.hostname);
    if (url.protocol === 'https:' && url.port === '') return url;
    throw new DeliveryError('the push service is not at https:', { permanent: true, unsent: true });
  }

  private get subject(): string | undefined {
    const { PUBLIC_URL } = this.config;
    return PUBLIC_URL?.startsWith('https:') ? PUBLIC_URL : undefined;
  }
}

/** The browsers of a person of a contact. */
function personOf(contact: ContactDetails | undefined): Viewer {
  return {
    browsers: contact ? browsersOf(contact) : [],
    language: contact?.language,
    time_zone: contact?.time_zone ?? 'UTC',
  };
}

function failureOf(
  status: number,
  by: string,
  retryAfter: string | string[] | undefined,
  at: Date,
): DeliveryError {
  const reply = `the push service answered ${status}`;
  return ENDED.has(status)
    ? new DeliveryError(reply, { permanent: true, status, refusal: { by, reply } })
    : new DeliveryError(reply, { status, retryAfterMs: waitIn(retryAfter, at) });
}

/** Of a `Retry-After` header, in seconds or as a date (RFC 9110, 10.2.3). Milliseconds. */
function waitIn(retryAfter: string | string[] | undefined, at: Date): number | undefined {
  if (typeof retryAfter !== 'string') return undefined;
  const wait = /^\d{1,6}$/.test(retryAfter)
    ? Number(retryAfter) * 1_000
    : new Date(retryAfter).getTime() - at.getTime();
  return wait > 0 && wait < DAY_MS ? wait : undefined;
}

/** A code or a name: nothing that the other side may have written. */
function describe(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: string };
  if (error instanceof PrivateAddressError) return 'the push service has a private address';
  return typeof code === 'string' ? code : (name ?? 'unknown error');
}
