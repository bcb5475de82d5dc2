/** The operator's own program, in a process of its own: takes every message and notes when which one came. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came in; repeats are requests too. */
export interface Attempt {
  id: string;
  /** Unix time in milliseconds. */
  at: number;
}

const attempts: Attempt[] = [];

const server = createServer((request, response) => {
  attempts.push({ id: String(request.headers['webhook-id']), at: Date.now() });
  request.resume().on('end', () => response.writeHead(204).end());
});
server.listen(0, '127.0.0.1', () => {
  process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
});
process.on('message', () => process.send!(attempts.splice(0)));
