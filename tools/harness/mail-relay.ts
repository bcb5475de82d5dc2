import { createTransport } from 'nodemailer';
import { type ReceivedMail, SmtpSink } from './smtp-sink.js';

/** A real mail server that passes mails on to the servers of their recipients, as MX records would have it. */
export class MailRelay {
  /** Accepts mails as before, and passes none on. */
  isLosing = false;
  /** What becomes of the mails: each an error, or undefined. */
  private readonly passing: Promise<unknown>[] = [];
  private server!: SmtpSink;

  /** @param ports the port of each domain's mail server, on this machine */
  private constructor(private readonly ports: Readonly<Record<string, number>>) {}

  static async start(ports: Readonly<Record<string, number>>): Promise<MailRelay> {
    const relay = new MailRelay(ports);
    relay.server = await SmtpSink.start((mail) => relay.pass(mail));
    return relay;
  }

  get url(): string {
    return this.server.url;
  }

  /** Whether it takes connections. */
  async setUp(isUp: boolean): Promise<void> {
    await this.server.behave(isUp ? 'works' : 'refuses');
  }

  /** Resolves when all mails are passed on. @throws if a server refused one */
  async untilIdle(): Promise<void> {
    while (this.passing.length > 0) {
      const errors = await Promise.all(this.passing.splice(0));
      const error = errors.find((one) => one !== undefined);
      if (error !== undefined) throw error;
    }
  }

  async stop(): Promise<void> {
    await this.server.stop();
  }

  private pass({ to, raw }: ReceivedMail): void {
    if (this.isLosing) return;
    for (const address of to) {
      const port = this.ports[address.slice(address.indexOf('@') + 1)];
      const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
      const envelope = { from: 'notifier@example.test', to: address };
      this.passing.push(
        transport.sendMail({ envelope, raw }).then(
          () => undefined,
          (error: unknown) => error,
        ),
      );
    }
  }
}
