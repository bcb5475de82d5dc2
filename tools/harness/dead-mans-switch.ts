import type { Clock } from '#platform';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** As docs/watchdog.md recommends. Milliseconds. */
const PERIOD_MS = 15 * 60_000;
const GRACE_MS = 20 * 60_000;

/** One request: `/check`, `/check/start` or `/check/fail`, with the reason. */
export interface Ping {
  path: string;
  body: string;
}

/**
 * A dead man's switch that keeps the rules of healthchecks.io: it fires at a ping of a failure, when a cycle that was
 * started does not end within the grace time, and when no success follows the one before within period and grace time.
 */
export class DeadMansSwitch {
  /** Since the last {@link forget}. */
  readonly pings: Ping[] = [];
  /** How many of the next pings of an end get no answer, and count for nothing: the connection breaks. */
  loses = 0;
  private failure: string | undefined;
  private startedAt: Date | undefined;
  private succeededAt: Date | undefined;

  private constructor(
    private readonly server: Server,
    private readonly clock: Clock,
  ) {
    server.on('request', (request, response) => {
      if (this.loses > 0 && !request.url!.endsWith('/start')) {
        this.loses -= 1;
        request.socket.destroy();
        return;
      }
      void request.toArray().then((chunks) => {
        this.take({ path: request.url!, body: Buffer.concat(chunks as Buffer[]).toString() });
        response.end('OK');
      });
    });
  }

  static async start(clock: Clock): Promise<DeadMansSwitch> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new DeadMansSwitch(server, clock);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/check`;
  }

  /** Why it has fired; undefined while all is well. */
  get alarm(): string | undefined {
    if (this.failure !== undefined) return this.failure;
    const now = this.clock.now().getTime();
    const isLate = (since: Date | undefined, ms: number): boolean =>
      since !== undefined && now - since.getTime() > ms;
    if (isLate(this.startedAt, GRACE_MS)) return 'a cycle has not ended';
    return isLate(this.succeededAt, PERIOD_MS + GRACE_MS) ? 'no cycle has begun' : undefined;
  }

  forget(): void {
    this.pings.length = 0;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private take(ping: Ping): void {
    this.pings.push(ping);
    const now = this.clock.now();
    if (ping.path.endsWith('/start')) {
      this.startedAt = now;
      return;
    }
    this.startedAt = undefined;
    const isFailure = ping.path.endsWith('/fail');
    this.failure = isFailure ? ping.body : undefined;
    if (!isFailure) this.succeededAt = now;
  }
}
