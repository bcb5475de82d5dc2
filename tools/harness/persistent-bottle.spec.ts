import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PersistentBottle } from './persistent-bottle.js';

/** Longer than the test takes. Milliseconds. */
const NEVER_MS = 3_600_000;

describe('a persistent bottle', () => {
  let server: Server;
  let holdMs = 0;

  beforeAll(async () => {
    server = createServer((_, response) => void sleep(holdMs).then(() => response.writeHead(204).end()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('knows how often its reports may have lain too far apart', async () => {
    const bottle = new PersistentBottle('6a00000000000000000000ff', 'token', {
      targets: [`http://127.0.0.1:${(server.address() as AddressInfo).port}`],
      acknowledged: () => undefined,
      signal: new AbortController().signal,
    });
    await bottle.heartbeat();
    await bottle.heartbeat();
    expect(bottle.silences(NEVER_MS)).toBe(0);
    const began = performance.now();
    holdMs = 100;
    await bottle.heartbeat();
    // whenever the service took it in that time
    expect(bottle.silences(100)).toBeGreaterThanOrEqual(1);
    expect(bottle.silences(performance.now() - began + NEVER_MS)).toBe(0);
  });
});
