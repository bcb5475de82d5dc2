import type { Server } from 'node:http';
import type { Server as SocketServer } from 'node:net';

/** Lets a server refuse connections, those that it has included, or listen again on its port. */
export async function listenUnless(
  refuses: boolean,
  server: SocketServer & Partial<Pick<Server, 'closeAllConnections'>>,
  port: number,
): Promise<void> {
  if (refuses !== server.listening) return;
  if (refuses) {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections?.();
    await closed;
  } else {
    await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  }
}
