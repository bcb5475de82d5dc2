import { asReply, type Language, type Say, sayIn } from '#domain';
import { addressOver, type ContactDetails } from '#persistence';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport, type SendMailOptions, type Transporter } from 'nodemailer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import SMTPTransport from 'nodemailer/lib/smtp-transport';
import { PassThrough, pipeline } from 'node:stream';
import { NotifierConfig } from '../../../config.js';
import { type Channel, DeliveryError, type Notification } from '../../channel.js';
import { composeMail, composeNotice, type MailPart } from './mail.js';

/** How long an e-mail may take, from connecting to the mail server's answer. Milliseconds. */
const TIMEOUT_MS = 10_000;
/** How long the mail server may take to greet. Shorter, so that one that hangs is not taken for one that is not there. */
const GREETING_TIMEOUT_MS = 5_000;
/** How long the mail server may take to close a connection that we have closed. Milliseconds. */
const CLOSE_TIMEOUT_MS = 500;

const testIn = (say: Say): MailPart => ({
  title: say('Test message'),
  lines: [
    say('This is a test. Messages reach this address. Nothing has happened, and there is nothing to do.'),
  ],
});

/** To which a 5xx reply is about the recipient, or what goes there: before, it is about us. */
const REFUSING_COMMANDS = new Set<string | undefined>(['RCPT TO', 'DATA']);

/** What nodemailer says of a reply of the mail server. */
interface SmtpError {
  responseCode?: number;
  code?: string;
  command?: string;
  response?: string;
}

const verificationOf = (url: string, say: Say): MailPart => ({
  title: say('Please confirm your e-mail address'),
  lines: [
    say(
      'Somebody has entered this address to receive messages. To receive them, open this page and press its button.',
    ),
    { ask: say('Confirm the address'), url },
    say(
      'The link works for seven days. If you do not know what this is about, ignore this mail: nothing will be sent.',
    ),
  ],
});

/** Sends e-mail, as plain text and HTML; several notifications to one person are one e-mail. */
@Injectable()
export class EmailChannel implements Channel, OnApplicationShutdown {
  readonly name = 'email';
  readonly digests = true;
  readonly concurrency = 50;
  readonly timeLimitMs = TIMEOUT_MS;
  readonly isSetUp: boolean;
  /** Absent without a mail server. */
  readonly verifyAddress: Channel['verifyAddress'];
  private readonly server: SMTPTransport.Options | undefined;
  private readonly transport: Transporter | undefined;
  /** The attempts whose mail server has asked for the content: before, it certainly has nothing of the mail. */
  private readonly contentAsked = new WeakSet<AbortSignal>();

  constructor(private readonly config: NotifierConfig) {
    this.isSetUp = config.SMTP_URL !== undefined;
    if (config.SMTP_URL === undefined) return;
    const smtp = new SMTPTransport({
      url: config.SMTP_URL,
      requireTLS: !config.SMTP_ALLOW_PLAIN,
      dnsTimeout: GREETING_TIMEOUT_MS,
      connectionTimeout: GREETING_TIMEOUT_MS,
      greetingTimeout: GREETING_TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      socketCloseTimeout: CLOSE_TIMEOUT_MS,
    });
    this.server = smtp.options;
    this.transport = createTransport(smtp);
    this.transport.use('stream', ({ data, message }, done) => {
      message.processFunc((content) => {
        const sent = pipeline(content, new PassThrough(), () => undefined);
        return sent.once('resume', () => this.contentAsked.add(data.signal!));
      });
      done();
    });
    this.verifyAddress = async (to, link, language, signal) => {
      const mail = composeNotice(verificationOf(link, sayIn(language)), config, language);
      await this.sendMail({ ...mail, to }, signal);
      return {};
    };
  }

  onApplicationShutdown(): void {
    this.transport?.close();
  }

  /** Begins a session and ends it. nodemailer's `verify` does so too, but nothing ends it when it takes too long. */
  async answers(signal: AbortSignal): Promise<boolean> {
    if (!this.server) return false;
    const { auth } = this.server;
    const session = new SMTPConnection(this.server);
    try {
      await new Promise<void>((resolve, reject) => {
        const done = (error?: Error | null): void => (error ? reject(error) : resolve());
        session.on('error', done).once('end', () => reject(new Error('the mail server left')));
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
        session.connect((error) =>
          !error && auth && session.allowsAuth ? session.login(auth, done) : done(error),
        );
      });
      session.quit();
      return true;
    } catch (error) {
      session.close();
      throw error;
    }
  }

  async send(
    notifications: readonly [Notification, ...Notification[]],
    contact: ContactDetails | undefined,
    signal: AbortSignal,
  ): Promise<{ status?: number }> {
    const to = contact && addressOver(this.name, contact);
    if (contact === undefined || to === undefined)
      throw new DeliveryError('the contact no longer has a verified e-mail address', {
        permanent: true,
        unsent: true,
      });
    await this.sendMail({ ...composeMail(notifications, contact, this.config), to }, signal);
    return {};
  }

  async notifyStaff(
    { email: to, language }: { email: string; language?: Language },
    text: MailPart,
    signal: AbortSignal,
  ): Promise<void> {
    await this.sendMail({ ...composeNotice(text, this.config, language), to }, signal);
  }

  async sendTest(
    id: string,
    contact: ContactDetails | undefined,
    signal: AbortSignal,
  ): Promise<{ status?: number }> {
    const to = contact && addressOver(this.name, contact);
    if (!contact || to === undefined)
      throw new DeliveryError('there is no verified e-mail address', { permanent: true, unsent: true });
    const { language } = contact;
    const test = composeNotice(testIn(sayIn(language)), this.config, language);
    const mail = { ...test, headers: { 'X-Pillwatch-Test': id } };
    await this.sendMail({ ...mail, to }, signal);
    return {};
  }

  /** @throws DeliveryError */
  private async sendMail(mail: SendMailOptions, signal: AbortSignal): Promise<void> {
    if (!this.transport) throw new DeliveryError('SMTP_URL is not set', { permanent: true, unsent: true });
    const ended = new Promise<never>((_resolve, reject) => {
      const end = (): void => {
        const { message } = signal.reason as Error;
        reject(new DeliveryError(message, { unsent: !this.contentAsked.has(signal) }));
      };
      signal.addEventListener('abort', end, { once: true });
    });
    try {
      await Promise.race([ended, this.transport.sendMail({ ...mail, from: this.config.MAIL_FROM, signal })]);
    } catch (error) {
      if (error instanceof DeliveryError) throw error;
      const { responseCode: status, code, command, response } = error as SmtpError;
      const noTls = code === 'ETLS';
      const reason = noTls ? 'the mail server offers no TLS (SMTP_ALLOW_PLAIN permits that)' : code;
      throw new DeliveryError(reason ?? 'the mail server refused', {
        // 5xx: the mailbox or the message is refused for good; without TLS neither was sent
        permanent: !noTls && (status ?? 0) >= 500,
        unsent: !this.contentAsked.has(signal),
        status,
        ...(REFUSING_COMMANDS.has(command) &&
          (status ?? 0) >= 500 && { refusal: { by: this.server!.host!, reply: asReply(response) ?? '' } }),
      });
    }
  }
}
