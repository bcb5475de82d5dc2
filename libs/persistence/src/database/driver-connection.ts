import { requireInternals } from '#platform';
import { mongo } from 'mongoose';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

interface DriverConnection {
  command(namespace: unknown, command: object, options: object): Promise<unknown>;
  writeCommand(command: unknown, options: unknown): Promise<void>;
}

type DriverConnectionType = new (socket: Socket, options: unknown) => DriverConnection;

/** The driver does not export its connection class. */
const { Connection } = requireInternals<{ Connection: DriverConnectionType }>(
  { name: 'mongodb', known: ['7.8.0'], adapter: 'libs/persistence/src/database/driver-connection.ts' },
  createRequire(import.meta.url).resolve('mongoose'),
  'lib/cmap/connection.js',
);

/**
 * The driver's connection with two fixes. A command that does not fit into the socket's buffer waits for `drain`, and
 * the driver does not notice if the connection closes meanwhile: such a command, for example a group of reports, never
 * ends. Here the wait ends with the connection; the command fails, and the driver retries it where it may. It happens
 * when a primary is killed; `test/faults/stalled-database.soak.ts` has the case.
 *
 * If the connection breaks during that wait, the driver throws the socket's own error, such as `EPIPE`, which it does
 * not retry and which nobody takes for a failure of the database. Here it is one.
 */
class DrainingConnection extends Connection {
  private socketError: Error | undefined;

  constructor(socket: Socket, options: unknown) {
    super(socket, options);
    socket.once('close', () => socket.emit('drain'));
    socket.once('error', (error) => (this.socketError = error));
  }

  override async writeCommand(command: unknown, options: unknown): Promise<void> {
    try {
      await super.writeCommand(command, options);
    } catch (error) {
      const { socketError } = this;
      if (!socketError || error !== socketError) throw error;
      throw new mongo.MongoNetworkError(socketError.message, { cause: socketError });
    }
  }
}

/** For the options of the driver's client; its types do not include this one. */
export const CONNECTION_TYPE = { connectionType: DrainingConnection };
