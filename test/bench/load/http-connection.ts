import { connect, type Socket } from 'node:net';
import { once } from 'node:events';

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/**
 * One keep-alive connection that sends a request at a time. By hand and not by an HTTP client, so that the
 * load takes as little as possible of the cores that it shares with what is measured.
 */
export class HttpConnection {
  private answered: ((status: number) => void) | undefined;
  private received: Buffer = Buffer.alloc(0);

  private constructor(
    private readonly socket: Socket,
    private readonly head: string,
  ) {
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.read(chunk));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.answer(0));
  }

  /** @param path what is posted to, the same for each request. */
  static async open(url: URL, path: string): Promise<HttpConnection> {
    const socket = connect(Number(url.port), url.hostname);
    await once(socket, 'connect');
    return new HttpConnection(
      socket,
      `POST ${path} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Type: application/json\r\nAuthorization: Bearer `,
    );
  }

  /** Resolves with the status, or with 0 when the connection ended without one. */
  post(token: string, body: string): Promise<number> {
    if (this.socket.destroyed) return Promise.resolve(0);
    this.socket.write(
      `${this.head}${token}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      'latin1',
    );
    return new Promise((resolve) => {
      this.answered = resolve;
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private read(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
    const end = this.received.indexOf(END_OF_HEAD);
    if (end < 0) return;
    const head = this.received.toString('latin1', 0, end);
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (this.received.length < end + END_OF_HEAD.length + length) return;
    this.received = Buffer.alloc(0);
    this.answer(Number(head.slice(9, 12)));
  }

  private answer(status: number): void {
    const resolve = this.answered;
    this.answered = undefined;
    resolve?.(status);
  }
}
