import { connect, type Server, type Socket } from 'node:net';
import { listenUnless } from './listen-unless.js';
import { proxyDatabase } from './proxy-database.js';

/** A way to the database that can be cut: its connections break, and no new ones are accepted, as if mongod were stopped. */
export class DatabaseLink {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly uri: string,
    private readonly port: number,
  ) {}

  /** @param uri of a replica set of one; the link's own leads to the same database. */
  static async start(uri: string): Promise<DatabaseLink> {
    const { server, port, uri: own, target } = await proxyDatabase(uri);
    const link = new DatabaseLink(server, own, port);
    server.on('connection', (client: Socket) => link.join(client, connect(target)));
    return link;
  }

  async cut(): Promise<void> {
    const closed = listenUnless(true, this.server, this.port);
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  restore(): Promise<void> {
    return listenUnless(false, this.server, this.port);
  }

  private join(client: Socket, database: Socket): void {
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      this.sockets.add(from);
      from.setNoDelay(true);
      from.on('error', () => undefined);
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  }
}
