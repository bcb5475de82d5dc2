import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { ANSWER_MISSING_HOST, answerOnConnection, answersMissingHost } from './connection-errors.js';

let server: Server;

beforeAll(async () => {
  const timeouts = { headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 20 };
  server = createServer({ ...timeouts, ...ANSWER_MISSING_HOST }, (request, response) => {
    if (!answersMissingHost(request, response)) request.resume();
  });
  server.on('clientError', answerOnConnection);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

async function answerTo(text: string): Promise<{ head: string; body: unknown }> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(text);
  let received = '';
  for await (const chunk of socket) received += String(chunk);
  const [head = '', body = ''] = received.split('\r\n\r\n');
  return { head, body: JSON.parse(body) };
}

it.each([
  [
    'a body that does not come',
    'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n{',
    408,
    'request_timeout',
  ],
  ['headers that do not end', 'POST / HTTP/1.1\r\nhost: a\r\n', 408, 'request_timeout'],
  ['17 KB of headers', `GET / HTTP/1.1\r\nx: ${'a'.repeat(17_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ['no Host', 'POST / HTTP/1.1\r\ncontent-length: 1\r\n\r\n{', 400, 'missing_host'],
  ['no HTTP', 'hello\r\n\r\n', 400, 'malformed_request'],
])('%s is answered with problem details', async (_, text, status, code) => {
  const { head, body } = await answerTo(text);
  expect(head).toContain(`HTTP/1.1 ${status} `);
  expect(head).toContain('content-type: application/problem+json');
  const id = /^x-request-id: ([\da-f-]{36})$/m.exec(head)?.[1];
  const instance = `urn:pillwatch:request:${id}`;
  expect(body).toMatchObject({ type: `urn:pillwatch:problem:${code}`, status, code, instance });
});
