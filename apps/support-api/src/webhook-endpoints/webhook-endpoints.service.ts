import {
  ALERT_KINDS,
  DISABLED_AFTER_MS,
  endWithoutStart,
  HOUR_MS,
  NOTICE_MS,
  OUTPUT,
  programChannels,
  WEBHOOK,
  type WebhookType,
} from '#domain';
import {
  channelOfEndpoint,
  CoverageRepository,
  EndpointDeliveriesRepository,
  endpointsOf,
  type EndpointTest,
  FIRST_ENDPOINT,
  holdOf,
  ReceiversRepository,
  secretOwner,
  TEST_GIVEN_UP_MS,
  type WebhookEndpoint,
  WebhookEndpointsRepository,
} from '#persistence';
import { Clock, Problem, sealWith } from '#platform';
import { DirtyBuckets } from '#timeseries';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { randomBytes } from 'node:crypto';
import type { Staff } from '../auth/staff.js';
import { SupportApiConfig } from '../config.js';
import { boundsOf } from '../http/time-range.js';
import { viewOf } from '../http/view.js';
import {
  type ChangeWebhookEndpointDto,
  type CreatedWebhookEndpointDto,
  type CreateWebhookEndpointDto,
  EndpointTestDto,
  type ReplayedDto,
  type ReplayRangeDto,
  WebhookEndpointDto,
  type WebhookEndpointsDto,
  type WebhookSecretDto,
} from './webhook-endpoint.dto.js';

const MOST_ENDPOINTS = 20;
const KEEP_OLD_FOR_HOURS = 24;
/** How many dead notifications one request replays, and how many of them in a second. */
const REPLAYED = { limit: 1_000, perSecond: 50 };

/** The receivers of webhooks. The notifiers read them every second. */
@Injectable()
export class WebhookEndpointsService {
  constructor(
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly deliveries: EndpointDeliveriesRepository,
    private readonly receivers: ReceiversRepository,
    private readonly coverage: CoverageRepository,
    private readonly dirtyBuckets: DirtyBuckets,
    private readonly config: SupportApiConfig,
    private readonly clock: Clock,
  ) {}

  async list(): Promise<WebhookEndpointsDto> {
    const [hasFirst, stored] = [await this.hasFirst(), await this.endpoints.findCurrent()];
    const first = stored.find(({ _id }) => _id.equals(FIRST_ENDPOINT)) ?? { _id: FIRST_ENDPOINT };
    const added = stored.filter((one) => one !== first);
    const endpoints = endpointsOf(stored, hasFirst);
    return {
      items: await this.show(hasFirst ? [first, ...added] : added),
      kinds_not_taken: ALERT_KINDS.filter((kind) =>
        programChannels(kind, endpoints).operator.includes(OUTPUT),
      ),
    };
  }

  /** @throws Problem 404 */
  async get(id: Types.ObjectId): Promise<WebhookEndpointDto> {
    return this.showOne(await this.find(id));
  }

  /** @throws Problem 400 `end_without_start`; 409 `no_link_secret`, `too_many_endpoints` */
  async create({
    url,
    description,
    kinds,
    events,
  }: CreateWebhookEndpointDto): Promise<CreatedWebhookEndpointDto> {
    checkEvents(events);
    const added = await this.endpoints.findCurrent();
    if (added.filter(({ _id }) => !_id.equals(FIRST_ENDPOINT)).length >= MOST_ENDPOINTS)
      throw new Problem(
        409,
        'too_many_endpoints',
        `There are ${MOST_ENDPOINTS} endpoints. Delete one first.`,
      );
    const secret = newSecret();
    const _id = new Types.ObjectId();
    const endpoint: WebhookEndpoint = {
      _id,
      url,
      ...(description !== undefined && { description }),
      ...(kinds?.length && { kinds }),
      ...(events?.length && { events }),
      secret: this.seal({ _id }, secret),
      created_at: this.clock.now(),
    };
    await this.endpoints.insert(endpoint);
    return { ...(await this.showOne(endpoint)), secret };
  }

  /** @throws Problem 400 `end_without_start`; 404; 409 `set_by_operator` */
  async change(
    id: Types.ObjectId,
    { description, kinds, events, paused, url }: ChangeWebhookEndpointDto,
  ): Promise<WebhookEndpointDto> {
    checkEvents(events);
    const before = await this.findAdded(id);
    const now = this.clock.now();
    const changed = await this.endpoints.change(id, {
      url,
      description: description === '' ? null : description,
      kinds: kinds?.length === 0 ? null : kinds,
      events: events?.length === 0 ? null : events,
      paused_at: paused === undefined ? undefined : paused ? (before.paused_at ?? now) : null,
    });
    if (!changed) throw Problem.notFound('webhook_endpoint');
    const channel = channelOfEndpoint(changed);
    if (kinds) await this.deliveries.checkAgain(channel, now);
    if (holdOf(before) && !holdOf(changed)) await this.deliveries.sendHeld(channel, now);
    return this.showOne(changed);
  }

  /** @throws Problem 404; 409 `set_by_operator` */
  async delete(id: Types.ObjectId): Promise<void> {
    const endpoint = await this.findAdded(id);
    const now = this.clock.now();
    if (!(await this.endpoints.delete(id, now))) throw Problem.notFound('webhook_endpoint');
    await this.deliveries.checkAgain(channelOfEndpoint(endpoint), now);
  }

  /** @throws Problem 404; 409 `no_link_secret`, `set_by_operator` */
  async rotateSecret(id: Types.ObjectId, hours = KEEP_OLD_FOR_HOURS): Promise<WebhookSecretDto> {
    const endpoint = await this.findAdded(id);
    const secret = newSecret();
    const until = hours === 0 ? undefined : new Date(this.clock.now().getTime() + hours * HOUR_MS);
    const sealed = this.seal(endpoint, secret);
    if (!(await this.endpoints.replaceSecret(id, endpoint.secret, sealed, until)))
      throw new Problem(409, 'changed_meanwhile', 'Somebody else has replaced the secret at this moment.');
    return { secret, old_secret_until: until ?? null };
  }

  /** @throws Problem 404; 409 `set_by_operator` */
  async enable(id: Types.ObjectId): Promise<WebhookEndpointDto> {
    await this.findAdded(id);
    const enabled = await this.endpoints.enable(id);
    if (!enabled) throw Problem.notFound('webhook_endpoint');
    if (!holdOf(enabled)) await this.deliveries.sendHeld(channelOfEndpoint(enabled), this.clock.now());
    return this.showOne(enabled);
  }

  /** @throws Problem 404; 409 `test_pending` */
  async test(id: Types.ObjectId, { name }: Staff): Promise<EndpointTestDto> {
    await this.find(id);
    const at = this.clock.now();
    const test: EndpointTest = { id: randomBytes(16).toString('hex'), by: name, at, due_at: at };
    const givenUp = new Date(at.getTime() - TEST_GIVEN_UP_MS);
    if (await this.endpoints.requestTest(id, test, givenUp)) return testView(test);
    throw new Problem(409, 'test_pending', 'The last test message is not sent yet.');
  }

  /** @throws Problem 404 */
  async replay(id: Types.ObjectId, range: ReplayRangeDto): Promise<ReplayedDto> {
    const channel = channelOfEndpoint(await this.find(id));
    const now = this.clock.now();
    const dead = await this.deliveries.findDead(channel, boundsOf(range), REPLAYED.limit);
    const created = dead.map(({ created_at }) => created_at);
    await this.dirtyBuckets.add('deliveries', created, now);
    await this.deliveries.replayDead(
      dead.map(({ _id }) => _id),
      now,
      REPLAYED.perSecond,
    );
    return { replayed: dead.length };
  }

  private async find(id: Types.ObjectId): Promise<WebhookEndpoint> {
    const found = await this.endpoints.findById(id);
    if (found) return found;
    if (id.equals(FIRST_ENDPOINT) && (await this.hasFirst())) return { _id: id };
    throw Problem.notFound('webhook_endpoint');
  }

  private async findAdded(id: Types.ObjectId): Promise<WebhookEndpoint> {
    if (id.equals(FIRST_ENDPOINT) && (await this.hasFirst()))
      throw new Problem(
        409,
        'set_by_operator',
        'WEBHOOK_URL names this endpoint: change it in the settings.',
      );
    return this.find(id);
  }

  /** Whether `WEBHOOK_URL` is set, as a notifier that runs has it. */
  private async hasFirst(): Promise<boolean> {
    const notifiers = await this.coverage.findNotifiersChannels(this.clock.now());
    return notifiers.some((channels) => channels.includes(WEBHOOK));
  }

  private seal(endpoint: Pick<WebhookEndpoint, '_id'>, secret: string): string {
    const { LINK_SECRET } = this.config;
    if (LINK_SECRET === undefined)
      throw new Problem(
        409,
        'no_link_secret',
        'LINK_SECRET is not set: it encrypts the secrets of endpoints. The notifier needs the same value.',
      );
    return sealWith(LINK_SECRET, secretOwner(endpoint), secret);
  }

  private async showOne(endpoint: WebhookEndpoint): Promise<WebhookEndpointDto> {
    return (await this.show([endpoint]))[0]!;
  }

  private async show(endpoints: readonly WebhookEndpoint[]): Promise<WebhookEndpointDto[]> {
    const now = this.clock.now();
    const health = await this.receivers.findHealth(new Date(now.getTime() - 24 * HOUR_MS));
    return Promise.all(
      endpoints.map(async (endpoint) => {
        const channel = channelOfEndpoint(endpoint);
        const { deliveredAt = null, failed = 0 } = health.get(channel) ?? {};
        const { old_secret, kinds = [], events = [], test, failing_since } = endpoint;
        return viewOf(WebhookEndpointDto, {
          ...endpoint,
          // lists of words are shown as they are
          kinds: kinds as never,
          events: events as never,
          channel,
          state: holdOf(endpoint) ?? (failing_since ? 'failing' : 'active'),
          disabled_from: disabledFrom(endpoint),
          old_secret_until: old_secret && old_secret.until > now ? old_secret.until : null,
          last_delivered_at: deliveredAt,
          waiting: await this.deliveries.countWaiting(channel),
          failed,
          test: test ? testView(test) : null,
        });
      }),
    );
  }
}

/** When an endpoint that fails will be disabled; null if that is not known yet, or never. */
function disabledFrom({ _id, failing_since, noticed_at, disabled_at }: WebhookEndpoint): Date | null {
  if (!failing_since || disabled_at || _id.equals(FIRST_ENDPOINT)) return null;
  const noticed = noticed_at ? noticed_at.getTime() + NOTICE_MS : 0;
  return new Date(Math.max(failing_since.getTime() + DISABLED_AFTER_MS, noticed));
}

/** @throws Problem 400 */
function checkEvents(events: readonly WebhookType[] = []): void {
  const end = endWithoutStart(events);
  if (end !== undefined)
    throw Problem.field(
      'events',
      'end_without_start',
      `${end} goes to those who were sent alert.raised: list that, too, or leave it out`,
    );
}

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

function testView(test: EndpointTest): EndpointTestDto {
  const result = test.error === undefined ? 'delivered' : 'failed';
  return viewOf(EndpointTestDto, { ...test, state: test.due_at ? 'pending' : result });
}
