import type { ContactDetails } from '#persistence';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { NotifierConfig } from '../../../config.js';
import { type Channel, DeliveryError, type Notification } from '../../channel.js';
import { composeMail } from './mail.js';

/** How long the mail server may take over each step. Milliseconds. */
const SMTP_TIMEOUT_MS = 8_000;

/** Sends e-mail, as plain text and HTML; several notifications to one person are one e-mail. */
@Injectable()
export class EmailChannel implements Channel, OnApplicationShutdown {
  readonly name = 'email';
  readonly digests = true;
  readonly concurrency = 50;
  readonly timeLimitMs = 10_000;
  readonly servesOperator = false;
  private readonly transport: Transporter | undefined;

  constructor(private readonly config: NotifierConfig) {
    this.transport =
      config.SMTP_URL === undefined
        ? undefined
        : createTransport(config.SMTP_URL, {
            connectionTimeout: SMTP_TIMEOUT_MS,
            greetingTimeout: SMTP_TIMEOUT_MS,
            socketTimeout: SMTP_TIMEOUT_MS,
          } as never);
  }

  onApplicationShutdown(): void {
    this.transport?.close();
  }

  serves({ email }: ContactDetails): boolean {
    return email !== undefined;
  }

  async send(
    notifications: readonly [Notification, ...Notification[]],
    contact: ContactDetails | undefined,
  ): Promise<{ status?: number }> {
    if (!this.transport) throw new DeliveryError('SMTP_URL is not set', true);
    if (contact?.email === undefined)
      throw new DeliveryError('the contact no longer has an e-mail address', true);
    const mail = composeMail(notifications, contact.time_zone);
    try {
      await this.transport.sendMail({ ...mail, from: this.config.MAIL_FROM, to: contact.email });
      return {};
    } catch (error) {
      const { responseCode, code } = error as { responseCode?: number; code?: string };
      // 5xx: the mailbox or the message is refused for good
      throw new DeliveryError(code ?? 'the mail server refused', (responseCode ?? 0) >= 500, responseCode);
    }
  }
}
