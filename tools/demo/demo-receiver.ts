import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A receiver of webhooks on this machine, for the demo: tells `heard` of every message once. */
export async function startDemoReceiver(
  heard: (message: DemoMessage) => void,
): Promise<{ url: string; close(): Promise<void> }> {
  const seen = new Set<string>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const id = String(request.headers['webhook-id']);
      if (!seen.has(id)) heard(JSON.parse(Buffer.concat(chunks).toString()) as DemoMessage);
      seen.add(id);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

/** What the demo shows of a message. */
export interface DemoMessage {
  type: string;
  data: { kind: string; event: string; user_id: string; medication: string; bottle_id: string };
}
