import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A browser that subscribed: what it sends to us, and the key that it keeps. */
export interface TestBrowser {
  endpoint: string;
  p256dh: string;
  auth: string;
  ecdh: ECDH;
}

/** One request of ours to a push service. */
export interface ReceivedPush {
  /** The browser's path. */
  path: string;
  headers: IncomingHttpHeaders;
  /** Encrypted. */
  body: Buffer;
}

/** What a browser shows of a message. */
export interface ShownPush {
  title: string;
  tag: string;
  url?: string;
}

interface Answer {
  status: number;
  headers?: Record<string, string>;
}

/** A real HTTP server in place of the push services of browsers. */
export class PushReceiver {
  readonly requests: ReceivedPush[] = [];
  /** What it answers; by default, that it took the message. */
  answer: (push: ReceivedPush) => Answer | undefined = () => undefined;
  private readonly server: Server;
  private browsers = 0;

  private constructor(private readonly onPush: (push: ReceivedPush) => Promise<void> | void) {
    this.server = createServer((request, response) => void this.accept(request, response));
  }

  /** @param onPush called with each accepted message, before it is answered */
  static async start(
    onPush: (push: ReceivedPush) => Promise<void> | void = () => undefined,
  ): Promise<PushReceiver> {
    const receiver = new PushReceiver(onPush);
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  subscribe(): TestBrowser {
    const ecdh = createECDH('prime256v1');
    this.browsers += 1;
    return {
      endpoint: `${this.url}/send/${this.browsers}`,
      p256dh: ecdh.generateKeys().toString('base64url'),
      auth: randomBytes(16).toString('base64url'),
      ecdh,
    };
  }

  /** What was sent to a browser. */
  to({ endpoint }: TestBrowser): ReceivedPush[] {
    return this.requests.filter(({ path }) => endpoint === this.url + path);
  }

  /** What its pages show, as the browser reads it (RFC 8291). That others read the same, http-ece.soak.ts shows. */
  shownBy(browser: TestBrowser): ShownPush[] {
    return this.to(browser).map(({ body }) => this.read(browser, body));
  }

  read(browser: TestBrowser, body: Buffer): ShownPush {
    return JSON.parse(decrypt(browser, body)) as ShownPush;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async accept(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat((await request.toArray()) as Buffer[]);
    const push = { path: request.url!, headers: request.headers, body };
    this.requests.push(push);
    const refused = this.answer(push);
    if (!refused) await this.onPush(push);
    const { status, headers } = refused ?? { status: 201 };
    response.writeHead(status, headers).end();
  }
}

const SALT_BYTES = 16;
const KEY_AT = 21;
const TAG_BYTES = 16;

function decrypt({ ecdh, auth }: TestBrowser, body: Buffer): string {
  const salt = body.subarray(0, SALT_BYTES);
  const record = KEY_AT + body[KEY_AT - 1]!;
  const theirs = body.subarray(KEY_AT, record);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), theirs]);
  const input = hkdfSync('sha256', ecdh.computeSecret(theirs), Buffer.from(auth, 'base64url'), info, 32);
  const derive = (name: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', Buffer.from(input), salt, `Content-Encoding: ${name}\0`, length));
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  decipher.setAuthTag(body.subarray(-TAG_BYTES));
  const plain = Buffer.concat([decipher.update(body.subarray(record, -TAG_BYTES)), decipher.final()]);
  // the end of the content, then zeros
  return plain.subarray(0, plain.lastIndexOf(2)).toString();
}
