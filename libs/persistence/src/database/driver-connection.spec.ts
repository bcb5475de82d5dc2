import { mongo } from 'mongoose';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { CONNECTION_TYPE } from './driver-connection.js';

/** What becomes of a command that does not fit into the socket's buffer, while the server takes nothing. */
function commandOn(socket: Socket): Promise<unknown> {
  const connection = new CONNECTION_TYPE.connectionType(socket, { id: 1, generation: 1 });
  return connection
    .command({ db: 'test' }, { ping: 1, comment: 'x'.repeat(1_000_000) }, {})
    .catch((error: unknown) => error);
}

const stalled = (): Socket => {
  const stream = new Duplex({ read: () => undefined, write: () => undefined });
  return Object.assign(stream, { setTimeout: () => stream }) as unknown as Socket;
};

it.each(['EPIPE', 'ECONNRESET'])(
  'a connection that breaks with %s under a command is a failure of the database',
  async (code) => {
    const socket = stalled();
    const failed = commandOn(socket);
    await new Promise(setImmediate);
    const cause = Object.assign(new Error(`write ${code}`), { code, syscall: 'write' });
    socket.destroy(cause);
    const error = await failed;
    expect(error).toBeInstanceOf(mongo.MongoNetworkError);
    expect(error).toMatchObject({ message: cause.message, cause });
  },
);

it('a connection that closes under a command is a failure of the database', async () => {
  const socket = stalled();
  const failed = commandOn(socket);
  await new Promise(setImmediate);
  socket.destroy();
  expect(await failed).toBeInstanceOf(mongo.MongoNetworkError);
});
