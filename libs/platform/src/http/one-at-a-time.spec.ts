import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { isPipelined, oneAtATime } from './one-at-a-time.js';

/** A server that answers when it is asked to, and a connection to it. */
async function start() {
  const begun: { url: string; isPipelined: boolean; response: ServerResponse }[] = [];
  const server = createServer(
    oneAtATime((request, response) => {
      begun.push({ url: request.url!, isPipelined: isPipelined(request), response });
    }),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const received = { text: '' };
  client.on('data', (chunk: Buffer) => (received.text += chunk.toString()));
  const until = async (isTrue: () => boolean): Promise<void> => {
    while (!isTrue()) await turn();
  };
  const send = (urls: string[]) =>
    client.write(urls.map((url) => `GET ${url} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
  const stop = async (): Promise<void> => {
    client.destroy();
    server.close();
    await once(server, 'close');
  };
  return { begun, received, until, send, stop, client };
}

it('begins a request when the one before it on the connection is answered, in order', async () => {
  const { begun, received, until, send, stop } = await start();
  send(['/1', '/2', '/3']);
  for (const count of [1, 2, 3]) {
    await until(() => begun.length === count);
    for (let turns = 0; turns < 5; turns += 1) await turn();
    expect(begun).toHaveLength(count);
    begun.at(-1)!.response.end(`answer ${count}`);
  }
  await until(() => received.text.includes('answer 3'));
  expect(begun.map(({ url, isPipelined: is }) => [url, is])).toEqual([
    ['/1', false],
    ['/2', true],
    ['/3', true],
  ]);
  send(['/4']);
  await until(() => begun.length === 4);
  expect(begun[3]!.isPipelined).toBe(false);
  begun[3]!.response.end();
  await stop();
});

it('reads no more of a connection than it needs, and all of it in the end', async () => {
  const { begun, until, send, stop } = await start();
  const urls = Array.from({ length: 20_000 }, (_, n) => `/${n}`);
  send(urls);
  for (let count = 1; count <= urls.length; count += 1) {
    await until(() => begun.length === count);
    begun.at(-1)!.response.end();
  }
  expect(begun.map(({ url }) => url)).toEqual(urls);
  await stop();
});

it('begins nothing of a connection that is closed', async () => {
  const { begun, until, send, stop, client } = await start();
  send(['/1', '/2', '/3']);
  await until(() => begun.length === 1);
  client.destroy();
  await until(() => begun[0]!.response.destroyed || begun[0]!.response.closed);
  for (let turns = 0; turns < 10; turns += 1) await turn();
  expect(begun).toHaveLength(1);
  await stop();
});

it('begins one that waited in each turn, however many connections have some', async () => {
  let turns = 0;
  const begunIn: number[] = [];
  const server = createServer(
    oneAtATime((request, response) => {
      if (isPipelined(request)) begunIn.push(turns);
      response.end();
    }),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const clients = Array.from({ length: 20 }, () =>
    connect((server.address() as AddressInfo).port, '127.0.0.1'),
  );
  for (const client of clients) client.resume().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(6));
  while (begunIn.length < 100) {
    await turn();
    turns += 1;
  }
  const inOne = begunIn.map((one) => begunIn.filter((other) => other === one).length);
  expect(Math.max(...inOne)).toBeLessThanOrEqual(2);
  for (const client of clients) client.destroy();
  server.close();
  await once(server, 'close');
});
