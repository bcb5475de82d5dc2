import type { ContactDetails } from '#persistence';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { NotifierConfig } from '../../../config.js';
import { type Channel, DeliveryError, type Notification } from '../../channel.js';
import { isUnconnected } from '../unconnected.js';
import { composeMail } from './mail.js';

/** How long an e-mail may take, from connecting to the mail server's answer. Milliseconds. */
const TIMEOUT_MS = 10_000;
/** How long the mail server may take to greet. Shorter, so that one that hangs is not taken for one that is not there. */
const GREETING_TIMEOUT_MS = 5_000;
/** How long the mail server may take to close a connection that we have closed. Milliseconds. */
const CLOSE_TIMEOUT_MS = 500;

/** Sends e-mail, as plain text and HTML; several notifications to one person are one e-mail. */
@Injectable()
export class EmailChannel implements Channel, OnApplicationShutdown {
  readonly name = 'email';
  readonly digests = true;
  readonly concurrency = 50;
  readonly timeLimitMs = TIMEOUT_MS;
  readonly servesOperator = false;
  private readonly transport: Transporter | undefined;

  constructor(private readonly config: NotifierConfig) {
    this.transport =
      config.SMTP_URL === undefined
        ? undefined
        : createTransport({
            url: config.SMTP_URL,
            requireTLS: !config.SMTP_ALLOW_PLAIN,
            dnsTimeout: GREETING_TIMEOUT_MS,
            connectionTimeout: GREETING_TIMEOUT_MS,
            greetingTimeout: GREETING_TIMEOUT_MS,
            socketTimeout: TIMEOUT_MS,
            socketCloseTimeout: CLOSE_TIMEOUT_MS,
          });
  }

  onApplicationShutdown(): void {
    this.transport?.close();
  }

  serves({ email }: ContactDetails): boolean {
    return email !== undefined;
  }

  async answers(): Promise<boolean> {
    return this.transport !== undefined && (await this.transport.verify());
  }

  async send(
    notifications: readonly [Notification, ...Notification[]],
    contact: ContactDetails | undefined,
    signal: AbortSignal,
  ): Promise<{ status?: number }> {
    if (!this.transport) throw new DeliveryError('SMTP_URL is not set', { permanent: true, unsent: true });
    if (contact?.email === undefined)
      throw new DeliveryError('the contact no longer has an e-mail address', {
        permanent: true,
        unsent: true,
      });
    const mail = composeMail(notifications, contact.time_zone, this.config.MAIL_NAMES_MEDICATION);
    try {
      await this.transport.sendMail({ ...mail, from: this.config.MAIL_FROM, to: contact.email, signal });
      return {};
    } catch (error) {
      const { responseCode: status, code } = error as { responseCode?: number; code?: string };
      const noTls = code === 'ETLS';
      const reason = noTls ? 'the mail server offers no TLS (SMTP_ALLOW_PLAIN permits that)' : code;
      throw new DeliveryError(reason ?? 'the mail server refused', {
        // 5xx: the mailbox or the message is refused for good; without TLS neither was sent
        permanent: !noTls && (status ?? 0) >= 500,
        unsent: noTls || isUnconnected(error),
        status,
      });
    }
  }
}
