import type { AddressInfo, Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { listenUnless } from './listen-unless.js';
import type { Behaviour } from './webhook-receiver.js';

/** A mail as it came in; the names of headers are in lower case. */
export interface ReceivedMail {
  to: string[];
  subject: string;
  headers: Map<string, string>;
  raw: string;
}

/** Line by line it begins an answer that never ends: a time-out of an idle connection does not notice. */
type MailBehaviour = Behaviour | 'trickles';

const TRICKLE_MS = 200;

type Answer = (error?: (Error & { responseCode?: number }) | null) => void;

/** Greets at once. smtp-server waits 100 ms first, to catch senders that do not wait for the greeting. */
class PromptServer extends SMTPServer {
  override connect(socket: Socket, options?: object): void {
    super.connect(socket, options);
    const connection = [...this.connections].at(-1) as unknown as { connectionReady: () => void };
    const greet = connection.connectionReady.bind(connection);
    connection.connectionReady = () => undefined;
    greet();
  }
}

/** A real SMTP server that keeps every mail. */
export class SmtpSink {
  readonly mails: ReceivedMail[] = [];
  behaviour: MailBehaviour = 'works';
  /** Addresses that it refuses for good, and its reply to each: `550 5.1.1 No such user`. */
  readonly refused = new Map<string, string>();
  private readonly sockets = new Map<number, Socket>();
  private readonly server: SMTPServer;
  private port = 0;

  private constructor(private readonly onMail: (mail: ReceivedMail) => void) {
    this.server = new PromptServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      disableReverseLookup: true,
      closeTimeout: 100,
      onRcptTo: ({ address }, _session, answer: Answer) => answer(this.refusalOf(address)),
      onData: (stream, session, answer) => void this.accept(stream, session, answer),
    });
    // a sender that breaks the connection is not an error of the sink
    this.server.on('error', () => undefined);
    this.server.server.on('connection', (socket: Socket) => {
      const port = socket.remotePort!;
      this.sockets.set(port, socket);
      socket.once('close', () => this.sockets.delete(port));
    });
  }

  /** @param onMail called with each accepted mail, before it is answered */
  static async start(onMail: (mail: ReceivedMail) => void = () => undefined): Promise<SmtpSink> {
    const sink = new SmtpSink(onMail);
    await new Promise<void>((resolve) => void sink.server.listen(0, '127.0.0.1', () => resolve()));
    sink.port = (sink.server.server.address() as AddressInfo).port;
    return sink;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  /** Changes its behaviour, for which it may have to stop listening. */
  async behave(behaviour: MailBehaviour): Promise<void> {
    this.behaviour = behaviour;
    if (behaviour === 'refuses') for (const socket of this.sockets.values()) socket.destroy();
    await listenUnless(behaviour === 'refuses', this.server.server, this.port);
  }

  /** @param reply undefined: it takes mails for the address */
  refuse(address: string, reply: string | undefined): void {
    if (reply === undefined) this.refused.delete(address);
    else this.refused.set(address, reply);
  }

  /** How many connections are open. */
  get connections(): number {
    return this.sockets.size;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets.values()) socket.destroy();
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
    });
  }

  private async accept(stream: Readable, session: SMTPServerSession, answer: Answer): Promise<void> {
    // a sender that was killed in the middle of a mail has sent none
    const parts: Buffer[] | undefined = await stream.toArray().catch(() => undefined);
    if (!parts) return;
    const raw = Buffer.concat(parts).toString();
    if (this.behaviour === 'fails')
      return answer(Object.assign(new Error('try again later'), { responseCode: 451 }));
    const headers = headersOf(raw);
    const to = session.envelope.rcptTo.map(({ address }) => address);
    const mail = { to, subject: headers.get('subject') ?? '', headers, raw };
    this.mails.push(mail);
    this.onMail(mail);
    if (this.behaviour === 'works') answer();
    else if (this.behaviour === 'times-out-after-accepting') this.sockets.get(session.remotePort)?.destroy();
    else if (this.behaviour === 'trickles') this.trickle(this.sockets.get(session.remotePort)!);
  }

  private refusalOf(address: string): (Error & { responseCode: number }) | null {
    const reply = this.refused.get(address);
    if (reply === undefined) return null;
    const [, code, text] = /^(\d{3}) (.*)$/.exec(reply)!;
    return Object.assign(new Error(text), { responseCode: Number(code) });
  }

  private trickle(socket: Socket): void {
    const timer = setInterval(() => socket.write('250-still at it\r\n'), TRICKLE_MS);
    socket.once('close', () => clearInterval(timer));
  }
}

function headersOf(raw: string): Map<string, string> {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
  return new Map(
    head.split('\r\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}
