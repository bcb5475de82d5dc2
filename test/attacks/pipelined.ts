import { connect } from 'node:net';

/** How many responses there were of each status. */
export type Statuses = Record<string, number>;

const STATUS_LINE = /HTTP\/1\.1 (\d{3}) /g;

/**
 * Sends requests on one connection without waiting for any response.
 *
 * @param heads of the requests, without `Host`
 * @param within milliseconds, more than the slowest machine needs; what has no response then is counted as `none`
 */
export async function pipelined(port: number, heads: readonly string[], within = 300_000): Promise<Statuses> {
  const socket = connect({ port, host: '127.0.0.1' });
  const statuses: Statuses = {};
  let left = heads.length;
  let rest = '';
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, within);
    socket.on('error', reject);
    socket.on('close', resolve);
    socket.on('data', (chunk: Buffer) => {
      const text = rest + chunk.toString('latin1');
      let end = 0;
      for (const match of text.matchAll(STATUS_LINE)) {
        statuses[match[1]!] = (statuses[match[1]!] ?? 0) + 1;
        end = match.index + match[0].length;
        left -= 1;
      }
      // a status line may come in two chunks
      rest = text.slice(Math.max(end, text.length - 13));
      if (left > 0) return;
      clearTimeout(timer);
      resolve();
    });
    socket.write(heads.map((head) => `${head}\r\nHost: attacked\r\n\r\n`).join(''));
  });
  socket.destroy();
  return left > 0 ? { ...statuses, none: left } : statuses;
}

/** A GET of a path with this bearer token. */
export const get = (path: string, token: string): string =>
  `GET ${path} HTTP/1.1\r\nAuthorization: Bearer ${token}`;

/** A heartbeat with this token. */
export const heartbeat = (token: string): string =>
  `POST /v1/heartbeats HTTP/1.1\r\nContent-Length: 0\r\nAuthorization: Bearer ${token}`;
