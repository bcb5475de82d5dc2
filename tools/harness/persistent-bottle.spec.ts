import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PersistentBottle } from './persistent-bottle.js';

/** Longer than the test takes. Milliseconds. */
const NEVER_MS = 3_600_000;

describe('a persistent bottle', () => {
  let server: Server;
  let holdMs: number;
  let refusals: number;

  beforeEach(() => {
    holdMs = 0;
    refusals = 0;
  });

  beforeAll(async () => {
    server = createServer((_, response) => {
      const status = refusals > 0 ? 503 : 204;
      refusals -= 1;
      void sleep(holdMs).then(() => response.writeHead(status).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  function bottle(acknowledged: (id: string, sentAt: number) => void = () => undefined): PersistentBottle {
    return new PersistentBottle('6a00000000000000000000ff', 'token', {
      targets: [`http://127.0.0.1:${(server.address() as AddressInfo).port}`],
      acknowledged,
      signal: new AbortController().signal,
    });
  }

  it('says of an acknowledged report when it was first sent', async () => {
    refusals = 1;
    const sent: number[] = [];
    const began = performance.now();
    const reported = bottle((_, sentAt) => sent.push(sentAt)).heartbeat();
    const sentBy = performance.now();
    await reported;
    expect(sent).toHaveLength(1);
    expect(sent[0]).toBeGreaterThanOrEqual(began);
    expect(sent[0]).toBeLessThanOrEqual(sentBy);
  });

  it('knows how often its reports may have lain too far apart', async () => {
    const reporting = bottle();
    await reporting.heartbeat();
    await reporting.heartbeat();
    expect(reporting.silences(NEVER_MS)).toBe(0);
    const began = performance.now();
    holdMs = 100;
    await reporting.heartbeat();
    // whenever the service took it in that time
    expect(reporting.silences(100)).toBeGreaterThanOrEqual(1);
    expect(reporting.silences(performance.now() - began + NEVER_MS)).toBe(0);
  });
});
