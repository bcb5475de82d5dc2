import type { Clock } from '#platform';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** What happens to one connection. Bytes are counted from its beginning. */
export interface Fate {
  /** It is cut after so many bytes of the request. */
  cutRequestAt?: number;
  /** It is cut after so many bytes of the response. */
  cutResponseAt?: number;
  /** The response comes so much later. Milliseconds. */
  delayMs?: number;
  /** Instead of the service this answers, once the whole request has come: a status line, headers and a body. */
  answer?: string;
}

/**
 * The way from a simulated bottle to device-api. The next connection has the fate that was set last; then all is well
 * again. A response's Date is the time of the test's clock, as it would be on a machine of that time.
 */
export class CuttingProxy {
  fate: Fate = {};
  /** No connection is made at all. */
  isDown = false;
  /** As far as it has come. */
  lastRequest = '';
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly target: number,
    private readonly clock: Clock,
  ) {
    this.server = createServer((client) => this.pipe(client));
  }

  /** @param target device-api's port */
  static async start(target: number, clock: Clock): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(target, clock);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private pipe(client: Socket): void {
    const { fate, isDown } = this;
    this.fate = {};
    this.keep(client);
    if (isDown) {
      client.destroy();
      return;
    }
    const service = connect(this.target, '127.0.0.1');
    this.keep(service);
    client.on('close', () => service.destroy());
    const cut = (): void => {
      client.destroy();
      service.destroy();
    };
    let asked = 0;
    this.lastRequest = '';
    client.on('data', (chunk: Buffer) => {
      this.lastRequest += chunk.toString();
      const left = (fate.cutRequestAt ?? Infinity) - asked;
      asked += chunk.length;
      if (fate.answer !== undefined) {
        if (chunk.includes('}')) client.end(fate.answer);
        return;
      }
      service.write(left < chunk.length ? chunk.subarray(0, left) : chunk, () => {
        if (left < chunk.length) cut();
      });
    });
    const chunks: Buffer[] = [];
    service.on('data', (chunk: Buffer) => chunks.push(chunk));
    service.on('end', () => {
      const response = this.dated(Buffer.concat(chunks));
      const isCut = fate.cutResponseAt !== undefined && fate.cutResponseAt < response.length;
      setTimeout(() => {
        if (client.destroyed) return;
        client.write(isCut ? response.subarray(0, fate.cutResponseAt) : response, () =>
          isCut ? cut() : client.end(),
        );
      }, fate.delayMs ?? 0);
    });
  }

  private dated(response: Buffer): Buffer {
    const date = `Date: ${this.clock.now().toUTCString()}`;
    return Buffer.from(response.toString('latin1').replace(/^date: .*$/im, date), 'latin1');
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
  }
}
