import { requireInternals } from '#platform';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

type DriverConnection = new (socket: Socket, options: unknown) => object;

/** The driver does not export its connection class. */
const { Connection } = requireInternals<{ Connection: DriverConnection }>(
  { name: 'mongodb', known: ['7.8.0'], adapter: 'libs/persistence/src/database/driver-connection.ts' },
  createRequire(import.meta.url).resolve('mongoose'),
  'lib/cmap/connection.js',
);

/**
 * The driver's connection with one fix. A command that does not fit into the socket's buffer waits for `drain`, and
 * the driver does not notice if the connection closes meanwhile: such a command, for example a group of reports, never
 * ends. Here the wait ends with the connection; the command fails, and the driver retries it where it may. It happens
 * when a primary is killed; `test/faults/stalled-database.soak.ts` has the case.
 */
class DrainingConnection extends Connection {
  constructor(socket: Socket, options: unknown) {
    super(socket, options);
    socket.once('close', () => socket.emit('drain'));
  }
}

/** For the options of the driver's client; its types do not include this one. */
export const CONNECTION_TYPE = { connectionType: DrainingConnection };
