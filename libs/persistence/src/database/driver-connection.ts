import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

type DriverConnection = new (socket: Socket, options: unknown) => object;

const require = createRequire(import.meta.url);
const ofMongoose = createRequire(require.resolve('mongoose'));
const { Connection } = ofMongoose('mongodb/lib/cmap/connection.js') as { Connection: DriverConnection };

/**
 * The driver's connection, mended in one thing. A command that does not fit into the socket's buffer waits for
 * `drain`, and the driver (7.8.0) does not notice when the connection is closed meanwhile: such a command, a group of
 * reports or of marks, never ends. Here the wait ends with the connection; the driver then finds the command failed, and
 * tries again where it may. Met with a primary that was killed; `test/faults/stalled-database.e2e.ts` has the case.
 */
class MendedConnection extends Connection {
  constructor(socket: Socket, options: unknown) {
    super(socket, options);
    socket.once('close', () => socket.emit('drain'));
  }
}

/** To be given to the driver's client; its types do not name the option. */
export const MENDED_CONNECTION = { connectionType: MendedConnection };
