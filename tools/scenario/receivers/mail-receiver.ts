import type { AddressInfo, Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import type { Behaviour } from '../file/format.js';
import type { MessageLog } from './message-log.js';

type Answer = (error?: (Error & { responseCode?: number }) | null) => void;

/** A real SMTP server for everybody's mail. */
export class MailReceiver {
  behaviour: Behaviour = 'works';
  private readonly sockets = new Map<number, Socket>();
  private readonly server: SMTPServer;

  private constructor(private readonly log: MessageLog) {
    this.server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      disableReverseLookup: true,
      closeTimeout: 100,
      onData: (stream, session, answer) => void this.take(stream, session, answer),
    });
    // a sender that goes away in the middle is not an error of ours
    this.server.on('error', () => undefined);
    this.server.server.on('connection', (socket: Socket) => {
      const port = socket.remotePort!;
      this.sockets.set(port, socket);
      socket.once('close', () => this.sockets.delete(port));
    });
  }

  static async start(log: MessageLog): Promise<MailReceiver> {
    const receiver = new MailReceiver(log);
    await new Promise<void>((resolve) => void receiver.server.listen(0, '127.0.0.1', () => resolve()));
    return receiver;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets.values()) socket.destroy();
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
    });
  }

  private async take(stream: Readable, session: SMTPServerSession, answer: Answer): Promise<void> {
    const mail = Buffer.concat(await stream.toArray()).toString();
    if (this.behaviour === 'fails') {
      return answer(Object.assign(new Error('try again later'), { responseCode: 451 }));
    }
    this.record(mail);
    if (this.behaviour === 'works') answer();
    else this.sockets.get(session.remotePort)?.destroy();
  }

  /** A mail with several messages names each in its headers, in the same order. */
  private record(mail: string): void {
    const [ids, bottles, kinds, events] = ['Delivery', 'Bottle', 'Kind', 'Event'].map((name) =>
      listOf(mail, `X-Pillwatch-${name}`),
    );
    ids!.forEach((id, index) => {
      const [bottle_id, kind, event] = [bottles![index], kinds![index], events![index]];
      if (!bottle_id || !kind || !event) this.log.problems.push(`mail ${id} does not say what it is about`);
      else this.log.record({ id, channel: 'email', bottle_id, kind, event });
    });
    if (ids!.length === 0) this.log.problems.push('a mail without the header X-Pillwatch-Delivery');
  }
}

function listOf(mail: string, name: string): string[] {
  const [head = ''] = mail.split('\r\n\r\n', 1);
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const line = lines.find((text) => text.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  return line === undefined
    ? []
    : line
        .slice(name.length + 1)
        .split(',')
        .map((word) => word.trim());
}
