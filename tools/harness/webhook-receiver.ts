import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** One message as it came in, its signature checked. */
export interface ReceivedMessage {
  id: string;
  type: string;
  data: { kind: string; event: string; bottle_id: string; alert_id: string };
}

/** How the receiver behaves: answers, refuses, or takes the message and never answers. */
export type Behaviour = 'works' | 'fails' | 'times-out-after-accepting';

/** A real HTTP server that plays the operator's user service: checks signatures and drops repeated ids. */
export class WebhookReceiver {
  /** Every request, repeats included. */
  readonly requests: ReceivedMessage[] = [];
  /** How often it was asked to take each message, whatever became of it; by id. */
  readonly attempts = new Map<string, number>();
  behaviour: Behaviour = 'works';
  private readonly webhook: Webhook;

  private constructor(
    private readonly server: Server,
    secret: string,
  ) {
    this.webhook = new Webhook(secret);
    server.on(
      'request',
      (request: IncomingMessage, response: ServerResponse) => void this.take(request, response),
    );
  }

  static async start(secret: string, port = 0): Promise<WebhookReceiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return new WebhookReceiver(server, secret);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  /** What was heard, repeats dropped, in order. */
  get messages(): ReceivedMessage[] {
    return [...new Map(this.requests.map((message) => [message.id, message])).values()];
  }

  /** The messages as `kind event`. */
  heard(bottleId?: string): string[] {
    return this.messages
      .filter(({ data }) => bottleId === undefined || data.bottle_id === bottleId)
      .map(({ data }) => `${data.kind} ${data.event}`);
  }

  forget(): void {
    this.requests.length = 0;
    this.attempts.clear();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray()).toString();
    const asked = String(request.headers['webhook-id']);
    this.attempts.set(asked, (this.attempts.get(asked) ?? 0) + 1);
    if (this.behaviour === 'fails') return void response.writeHead(500).end();
    const {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signature,
    } = request.headers as Record<string, string>;
    // not webhook.verify(): that compares with the machine's clock, and tests set their own
    const expected = this.webhook.sign(id!, new Date(Number(timestamp) * 1000), body);
    if (!signature?.split(' ').includes(expected)) return void response.writeHead(401).end('wrong signature');
    this.requests.push({ id: id!, ...(JSON.parse(body) as Omit<ReceivedMessage, 'id'>) });
    if (this.behaviour === 'works') response.writeHead(204).end();
  }
}
