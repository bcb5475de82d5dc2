import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { instanceOf, problemBody } from './problem.js';

/** How long a client has to read the answer. */
const LINGER_MS = 2_000;

const ANSWERS: Record<string, [status: number, code: string, detail: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout', 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: [431, 'headers_too_large', 'The headers are larger than 16 KB.'],
};

/** The answer to what no route takes; the connection closes after it. */
function problemAnswer(
  status: number,
  code: string,
  detail: string,
): { status: number; headers: Record<string, string>; body: string } {
  const id = randomUUID();
  const body = JSON.stringify({ ...problemBody(status, code, detail), instance: instanceOf(id) });
  const headers = {
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': id,
    connection: 'close',
  };
  return { status, headers, body };
}

/** For `createServer`: without it Node answers a request without `Host` by an empty 400. */
export const ANSWER_MISSING_HOST = { requireHostHeader: false };

/** Refuses a request of HTTP/1.1 without `Host`, as RFC 9112 demands. @returns whether it did */
export function answersMissingHost(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.headers.host !== undefined || request.httpVersion === '1.0') return false;
  const { status, headers, body } = problemAnswer(
    400,
    'missing_host',
    'Send the header Host: HTTP/1.1 needs it.',
  );
  response.writeHead(status, headers).end(body);
  return true;
}

/** Answers what cannot be read as a request: node reports it by the connection, as it has no request to answer. */
export function answerOnConnection({ code }: NodeJS.ErrnoException, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) return;
  const [status, name, detail] = ANSWERS[code ?? ''] ?? [
    400,
    'malformed_request',
    'Not a valid HTTP request.',
  ];
  const { headers, body } = problemAnswer(status, name, detail);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([header, value]) => `${header}: ${value}`),
  ];
  // closing at once would take the answer away from a client that still sends
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
