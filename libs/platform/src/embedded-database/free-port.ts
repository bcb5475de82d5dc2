import { createServer } from 'node:net';

/**
 * Below the range from which systems take ports for outgoing connections. In it, a client that keeps
 * knocking while mongod is down may be given the very same port and connect to itself, and then mongod
 * cannot have its port back.
 */
const [LOWEST, HIGHEST] = [20_000, 29_999];
/** MongoDB's own ports: leave them to a mongod of the user's. */
const RESERVED = new Set([27_017, 27_018, 27_019]);

export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isFree(preferred))) return preferred;
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST + 1));
    if (!RESERVED.has(port) && port !== preferred && (await isFree(port))) return port;
  }
  throw new Error(`No free port on 127.0.0.1 between ${LOWEST} and ${HIGHEST}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
