import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const END_OF_HEAD = '\r\n\r\n';
/** Longer than a response that arrives in one chunk. */
const READ_BUFFER = Buffer.alloc(64 * 1_024);

/**
 * One keep-alive connection that sends a request at a time. By hand and not by an HTTP client, so that the
 * load takes as little as possible of the cores that it shares with what is measured: no promise, no closure and no
 * buffer a request.
 */
export class HttpConnection {
  /** When the request that is on its way was due, and when it was sent. Milliseconds of `performance.now()`. */
  due = 0;
  sent = 0;
  private waits = false;
  /** The beginning of a response that arrives in chunks. */
  private received = '';

  private constructor(
    private readonly socket: Socket,
    private readonly head: string,
    private readonly answered: (connection: HttpConnection, status: number) => void,
  ) {}

  /**
   * @param path what is posted to, the same for each request.
   * @param answered is called with the status of each answer, and with 0 when the connection ended without one.
   */
  static async open(
    url: URL,
    path: string,
    answered: (connection: HttpConnection, status: number) => void,
  ): Promise<HttpConnection> {
    const socket = connect({
      port: Number(url.port),
      host: url.hostname,
      noDelay: true,
      // all connections read into one buffer, as each answer is done with when the next is read
      onread: {
        buffer: READ_BUFFER,
        callback: (length, buffer) => {
          connection.read((buffer as Buffer).toString('latin1', 0, length));
          return true;
        },
      },
    });
    const connection = new HttpConnection(
      socket,
      `POST ${path} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Type: application/json\r\nAuthorization: Bearer `,
      answered,
    );
    await once(socket, 'connect');
    socket.on('error', () => socket.destroy());
    socket.on('close', () => connection.answer(0));
    return connection;
  }

  /** @param body of one byte a character. */
  post(token: string, body: string): void {
    this.waits = true;
    if (this.socket.destroyed) setImmediate(() => this.answer(0));
    else this.socket.write(`${this.head}${token}\r\nContent-Length: ${body.length}\r\n\r\n${body}`, 'latin1');
  }

  close(): void {
    this.socket.destroy();
  }

  private read(chunk: string): void {
    const received = this.received + chunk;
    const end = received.indexOf(END_OF_HEAD);
    const whole = end >= 0 && received.length >= end + END_OF_HEAD.length + bodyLength(received, end);
    this.received = whole ? '' : received;
    if (whole) this.answer(Number(received.slice(9, 12)));
  }

  private answer(status: number): void {
    if (!this.waits) return;
    this.waits = false;
    this.answered(this, status);
  }
}

/** As its head says. */
function bodyLength(answer: string, end: number): number {
  // 204 has no body, and is most of what comes
  if (answer.startsWith('204', 9)) return 0;
  return Number(/\r\ncontent-length: *(\d+)/i.exec(answer.slice(0, end))?.[1] ?? 0);
}
