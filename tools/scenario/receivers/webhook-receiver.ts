import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { Behaviour } from '../file/format.js';
import type { MessageLog } from './message-log.js';

/** A real HTTP server in the place of the operator's user service; it checks signatures. */
export class WebhookReceiver {
  behaviour: Behaviour = 'works';
  private readonly webhook: Webhook;

  private constructor(
    private readonly server: Server,
    private readonly log: MessageLog,
    secret: string,
  ) {
    this.webhook = new Webhook(secret);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.take(request, response).catch((error: unknown) => {
        log.problems.push(`a webhook that cannot be read: ${String(error)}`);
        response.writeHead(400).end();
      });
    });
  }

  static async start(log: MessageLog, secret: string): Promise<WebhookReceiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new WebhookReceiver(server, log, secret);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray()).toString();
    if (this.behaviour === 'fails') return void response.writeHead(500).end();
    const header = (name: string): string => String(request.headers[`webhook-${name}`]);
    // not webhook.verify(): that compares with the machine's clock
    const signature = this.webhook.sign(header('id'), new Date(Number(header('timestamp')) * 1000), body);
    if (!header('signature').split(' ').includes(signature)) {
      this.log.problems.push(`webhook ${header('id')} has a wrong signature`);
      return void response.writeHead(401).end();
    }
    const { data } = JSON.parse(body) as { data: { bottle_id: string; kind: string; event: string } };
    const { bottle_id, kind, event } = data;
    this.log.record({ id: header('id'), channel: 'webhook', bottle_id, kind, event });
    // breaking off is what a time-out is to the sender, without ten real seconds
    if (this.behaviour === 'works') response.writeHead(204).end();
    else request.socket.destroy();
  }
}
