import { once } from 'node:events';
import { connect, type Server, type Socket } from 'node:net';
import { proxyDatabase } from '../../tools/harness/proxy-database.js';

/** Selects chunks of what is sent to the database. */
type Chunks = (chunk: Buffer) => boolean;

/** A way to the database on which the test can hold up what it likes. */
export class DatabaseProxy {
  private fate: { chunks: Chunks; is: 'held' | 'lost' } | undefined;
  private held: (() => void)[] = [];
  private stalled = false;
  private readonly sockets = new Set<Socket>();
  private readonly pairs: [client: Socket, database: Socket][] = [];
  private readonly monitoring = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly uri: string,
  ) {}

  /** @param uri of a replica set of one; the proxy's own leads to the same database. */
  static async start(uri: string): Promise<DatabaseProxy> {
    const { server, uri: own, target } = await proxyDatabase(uri);
    const proxy = new DatabaseProxy(server, own);
    server.on('connection', (client: Socket) => proxy.pipe(client, connect(target)));
    return proxy;
  }

  /** Requests of this kind wait until {@link goOn}. */
  hold(chunks: Chunks): void {
    this.fate = { chunks, is: 'held' };
  }

  /** Requests of this kind never arrive, as with a server that hangs on that one thing. */
  lose(chunks: Chunks): void {
    this.fate = { chunks, is: 'lost' };
  }

  /** Nothing is taken from anybody any more, as if the machine stood still: what is sent piles up at the sender. */
  stall(): void {
    this.stalled = true;
    for (const socket of this.sockets) socket.pause();
  }

  /**
   * Established connections lose everything, both ways, and stay open; new ones work: a router has forgotten them. The
   * driver's monitoring, which is never idle, is spared, so the driver does not notice.
   */
  blackhole(): void {
    for (const [client, database] of this.pairs) {
      if (this.monitoring.has(client)) continue;
      for (const socket of [client, database]) {
        socket.removeAllListeners('data');
        socket.resume();
      }
    }
  }

  /** From now on everything goes through, and what was held too. */
  goOn(): void {
    this.fate = undefined;
    this.stalled = false;
    for (const socket of this.sockets) socket.resume();
    for (const send of this.held.splice(0)) send();
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private pipe(client: Socket, database: Socket): void {
    this.pairs.push([client, database]);
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      this.sockets.add(from);
      from.on('error', () => undefined);
      from.on('close', () => to.destroy());
    }
    database.on('data', (chunk: Buffer) => client.write(chunk));
    // a long request is several chunks: what follows one that is held or lost shares its fate
    let fate: 'held' | 'lost' | undefined;
    client.on('data', (chunk: Buffer) => {
      if (chunk.includes('maxAwaitTimeMS')) this.monitoring.add(client);
      if (this.fate?.chunks(chunk)) fate = this.fate.is;
      else if (!this.fate && fate === 'held') fate = undefined;
      if (fate === 'held') this.held.push(() => database.write(chunk));
      else if (fate === undefined) database.write(chunk);
    });
    if (this.stalled) for (const socket of [client, database]) socket.pause();
  }
}
