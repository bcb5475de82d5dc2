import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { ADMIN_TOKEN } from '../harness/services.js';
import { compare, outOfOrder } from './expectations.js';
import { type Content, contentOf } from './journal.js';
import type { ReceivedMessage } from '../harness/webhook-receiver.js';

/** What the endpoints want that admins add. */
const WISHES = [
  { name: 'everything' },
  { name: 'lids', kinds: ['bottle_open'] },
  { name: 'ends', kinds: ['bottle_silent'], events: ['alert.raised', 'alert.resolved'] },
];

/** The longest delay before an answer, so that kills find unanswered messages. Milliseconds. */
const HOLD_MS = 300;

/** What went wrong at endpoints, each with the endpoint's name; nothing if the lists are empty. */
export interface EndpointFaults {
  endpointLost: string[];
  endpointDuplicated: string[];
  endpointUnexpected: string[];
  endpointOutOfOrder: string[];
  /** Requests that Standard Webhooks' own verifier refuses. */
  endpointUnverified: string[];
}

/** What must come, and what may, under how many ids. */
export interface Expectation {
  expected: ReadonlySet<Content>;
  allowed: ReadonlyMap<Content, number>;
}

/** Nothing went wrong where there are none. */
export const NO_ENDPOINTS: EndpointFaults = {
  endpointLost: [],
  endpointDuplicated: [],
  endpointUnexpected: [],
  endpointOutOfOrder: [],
  endpointUnverified: [],
};

/** An endpoint of webhooks that verifies as its documentation says: by `verify` of `standardwebhooks`. */
class VerifyingEndpoint {
  /** By content, the ids under which it was received, in the order of the first receipt. */
  readonly received = new Map<Content, Set<string>>();
  readonly unverified: string[] = [];
  /** An event for each content that is received; every bottle may wait for one. */
  private readonly arrivals = new EventEmitter().setMaxListeners(0);
  /** Until its secret is known it takes nothing. */
  private webhook: Webhook | undefined;

  private constructor(
    readonly wish: (typeof WISHES)[number],
    private readonly server: Server,
  ) {
    server.on('request', (request: IncomingMessage, response) => {
      void this.take(request).then((status) => response.writeHead(status).end());
    });
  }

  static async start(wish: (typeof WISHES)[number]): Promise<VerifyingEndpoint> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new VerifyingEndpoint(wish, server);
  }

  /** Has an admin add it. @param support address of support-api */
  async addTo(support: string): Promise<void> {
    const { name: description, ...wanted } = this.wish;
    const url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
    const answer = await fetch(new URL('/v1/webhook-endpoints', support), {
      method: 'POST',
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url, description, ...wanted }),
    });
    const body = (await answer.json()) as { secret?: string };
    if (body.secret === undefined) throw new Error(`endpoint ${description}: ${JSON.stringify(body)}`);
    this.webhook = new Webhook(body.secret);
  }

  /** Resolves when this has been received; at once if it is not wanted. */
  async until(content: Content): Promise<void> {
    if (this.wants(content) && !this.received.has(content)) await once(this.arrivals, content);
  }

  wants(content: Content): boolean {
    const [, kind, event] = content.split(' ');
    const { kinds, events } = this.wish;
    return (!kinds || kinds.includes(kind!)) && (!events || events.includes(`alert.${event}`));
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** @returns the status that it answers */
  private async take(request: IncomingMessage): Promise<number> {
    if (request.method === 'HEAD') return 204;
    const body = Buffer.concat(await request.toArray()).toString();
    const { data } = JSON.parse(body) as Pick<ReceivedMessage, 'data'>;
    try {
      this.webhook!.verify(body, request.headers as Record<string, string>);
    } catch (error) {
      this.unverified.push(`${contentOf(data)}: ${String(error)}`);
      return 401;
    }
    const content = contentOf(data);
    const ids = this.received.get(content) ?? new Set();
    this.received.set(content, ids.add(String(request.headers['webhook-id'])));
    this.arrivals.emit(content);
    await sleep(Math.random() * HOLD_MS);
    return 204;
  }
}

/** Several endpoints, beside the receiver of `WEBHOOK_URL`, of which each gets what it wants, once and in order. */
export class VerifyingEndpoints {
  private constructor(private readonly all: readonly VerifyingEndpoint[]) {}

  /** @param support address of support-api */
  static async add(support: string): Promise<VerifyingEndpoints> {
    const all = await Promise.all(WISHES.map((wish) => VerifyingEndpoint.start(wish)));
    for (const endpoint of all) await endpoint.addTo(support);
    return new VerifyingEndpoints(all);
  }

  /** Resolves when all that want this have received it. */
  async until(content: Content): Promise<void> {
    await Promise.all(this.all.map((endpoint) => endpoint.until(content)));
  }

  /** How many messages they got, each once. */
  get delivered(): number {
    return this.all.reduce((sum, { received }) => sum + received.size, 0);
  }

  /**
   * @param expectedAt what must have come where this was received, and what may have
   */
  async faults(
    expectedAt: (received: Map<Content, Set<string>>) => Promise<Expectation>,
  ): Promise<EndpointFaults> {
    const each = await Promise.all(
      this.all.map(async (endpoint) => {
        const { received, wish, unverified } = endpoint;
        const named = (list: readonly string[]): string[] => list.map((one) => `${wish.name}: ${one}`);
        const { expected, allowed } = await expectedAt(received);
        const wanted = new Set([...expected].filter((content) => endpoint.wants(content)));
        const { lost, duplicated, unexpected } = compare(wanted, received, allowed);
        return {
          endpointLost: named(lost),
          endpointDuplicated: named(duplicated),
          endpointUnexpected: named(unexpected),
          endpointOutOfOrder: named(outOfOrder(received)),
          endpointUnverified: named(unverified),
        };
      }),
    );
    const all = (name: keyof EndpointFaults): string[] => each.flatMap((one) => one[name]);
    return {
      endpointLost: all('endpointLost'),
      endpointDuplicated: all('endpointDuplicated'),
      endpointUnexpected: all('endpointUnexpected'),
      endpointOutOfOrder: all('endpointOutOfOrder'),
      endpointUnverified: all('endpointUnverified'),
    };
  }

  stop(): void {
    for (const endpoint of this.all) endpoint.stop();
  }
}
