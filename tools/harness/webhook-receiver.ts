import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenUnless } from './listen-unless.js';
import { Webhook } from 'standardwebhooks';

/** A Standard Webhooks secret that the notifiers and the receiver share. */
export const WEBHOOK_SECRET = `whsec_${Buffer.from('a secret of at least 24 bytes!').toString('base64')}`;

/** One accepted request. */
export interface ReceivedMessage {
  id: string;
  /** When the request arrived. Unix time in milliseconds. */
  at: number;
  /** The header of that name, if the sender is traced. */
  traceparent?: string;
  type: string;
  data: {
    kind: string;
    event: string;
    bottle_id: string;
    alert_id: string;
    user_id: string;
    medication: string;
  };
}

/**
 * How a receiver behaves: it answers, answers with an error (to all requests, or not to HEAD), accepts the message and never answers, refuses connections
 * ({@link WebhookReceiver.behave}), or accepts the message and breaks the connection, which is a time-out to the sender
 * without the wait.
 */
export type Behaviour =
  | 'works'
  | 'fails'
  | 'fails-on-post'
  | 'hangs'
  | 'refuses'
  | 'times-out-after-accepting';

export interface ReceiverOptions {
  /** The Standard Webhooks secret that requests must be signed with; without it signatures are not checked. */
  secret?: string;
  /** Any free port unless given. */
  port?: number;
  /** Called with each accepted message, repeats included; the answer waits for it. */
  onMessage?: (message: ReceivedMessage, isRepeat: boolean) => void | Promise<void>;
  /** Called when a message has been answered. */
  onAnswered?: (id: string) => void;
  /** Called with what is wrong about a request that is refused as invalid. */
  onInvalid?: (problem: string) => void;
}

/** A real HTTP server in place of the operator's user service: checks signatures and drops repeated ids. */
export class WebhookReceiver {
  /** Every accepted request, repeats included. */
  readonly requests: ReceivedMessage[] = [];
  /** How many requests came for each message, refused ones included; by id. */
  readonly attempts = new Map<string, number>();
  behaviour: Behaviour = 'works';
  private readonly ids = new Set<string>();
  private webhook: Webhook | undefined;
  private readonly port: number;

  private constructor(
    private readonly server: Server,
    private readonly options: ReceiverOptions,
  ) {
    this.webhook = options.secret === undefined ? undefined : new Webhook(options.secret);
    this.port = (server.address() as AddressInfo).port;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.accept(request, response).catch((error: unknown) => {
        options.onInvalid?.(`unreadable webhook: ${String(error)}`);
        response.writeHead(400).end();
      });
    });
  }

  static async start(options: ReceiverOptions = {}): Promise<WebhookReceiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
    return new WebhookReceiver(server, options);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  /** The messages without repeats, in order of arrival. */
  get messages(): ReceivedMessage[] {
    return [...new Map(this.requests.map((message) => [message.id, message])).values()];
  }

  /** The messages as `kind event`. */
  received(bottleId?: string): string[] {
    return this.messages
      .filter(({ data }) => bottleId === undefined || data.bottle_id === bottleId)
      .map(({ data }) => `${data.kind} ${data.event}`);
  }

  /** Changes its behaviour, for which it may have to stop listening. */
  async behave(behaviour: Behaviour): Promise<void> {
    this.behaviour = behaviour;
    await listenUnless(behaviour === 'refuses', this.server, this.port);
  }

  /** From now on, requests must be signed with this secret. */
  checkSignatures(secret: string): void {
    this.webhook = new Webhook(secret);
  }

  forget(): void {
    this.requests.length = 0;
    this.attempts.clear();
    this.ids.clear();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await listenUnless(true, this.server, this.port);
  }

  private async accept(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = Date.now();
    if (request.method === 'GET') return void response.writeHead(200).end();
    if (request.method === 'HEAD') return this.answerWhetherUp(response);
    const body = Buffer.concat(await request.toArray()).toString();
    const id = String(request.headers['webhook-id']);
    this.attempts.set(id, (this.attempts.get(id) ?? 0) + 1);
    if (this.behaviour === 'fails' || this.behaviour === 'fails-on-post')
      return void response.writeHead(500).end();
    if (!this.isSigned(request, id, body)) {
      this.options.onInvalid?.(`webhook ${id} has a wrong signature`);
      return void response.writeHead(401).end('wrong signature');
    }
    const { traceparent } = request.headers;
    const traced = typeof traceparent === 'string' && { traceparent };
    const message = { id, at, ...traced, ...(JSON.parse(body) as Pick<ReceivedMessage, 'type' | 'data'>) };
    const isRepeat = this.ids.has(id);
    this.ids.add(id);
    this.requests.push(message);
    await this.options.onMessage?.(message, isRepeat);
    if (this.behaviour === 'works') response.writeHead(204).end(() => this.options.onAnswered?.(id));
    else if (this.behaviour === 'times-out-after-accepting') request.socket.destroy();
  }

  private answerWhetherUp(response: ServerResponse): void {
    if (this.behaviour === 'works') response.writeHead(204).end();
    else if (this.behaviour === 'fails') response.writeHead(500).end();
    else if (this.behaviour === 'fails-on-post') response.writeHead(405).end();
    else if (this.behaviour === 'times-out-after-accepting') response.destroy();
  }

  private isSigned({ headers }: IncomingMessage, id: string, body: string): boolean {
    if (!this.webhook) return true;
    // not webhook.verify(): that compares with the machine's clock, and tests set their own
    const expected = this.webhook.sign(id, new Date(Number(headers['webhook-timestamp']) * 1000), body);
    return String(headers['webhook-signature']).split(' ').includes(expected);
  }
}
