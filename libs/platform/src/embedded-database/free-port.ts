import { createServer } from 'node:net';

/**
 * Below the range of ephemeral ports. In that range, a client that reconnects while mongod is down may get the same
 * port as its own and connect to itself, and mongod cannot bind to it again.
 */
const [LOWEST, HIGHEST] = [20_000, 29_999];
/** MongoDB's default ports, left to the user's own mongod. */
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
