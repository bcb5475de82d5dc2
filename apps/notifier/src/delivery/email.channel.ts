import type { Reach } from '#persistence';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { NotifierConfig } from '../config.js';
import { type DeliveryChannel, DeliveryError, type Outgoing } from './channel.js';
import { composeMail } from './mail.js';

/** How long the mail server may take over each step. Milliseconds. */
const SMTP_TIMEOUT_MS = 8_000;

/** Sends mail, plain and HTML; several messages for one person at once are one mail. */
@Injectable()
export class EmailChannel implements DeliveryChannel, OnApplicationShutdown {
  readonly name = 'email';
  readonly digests = true;
  readonly atOnce = 50;
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

  async send(
    outgoing: readonly [Outgoing, ...Outgoing[]],
    reach: Reach | undefined,
  ): Promise<{ status?: number }> {
    if (!this.transport) throw new DeliveryError('SMTP_URL is not set', true);
    if (reach?.email === undefined)
      throw new DeliveryError('the contact has no e-mail address any more', true);
    const mail = composeMail(outgoing, reach.time_zone);
    try {
      await this.transport.sendMail({ ...mail, from: this.config.MAIL_FROM, to: reach.email });
      return {};
    } catch (error) {
      const { responseCode, code } = error as { responseCode?: number; code?: string };
      // 5xx: the mailbox or the message is refused for good
      throw new DeliveryError(code ?? 'the mail server refused', (responseCode ?? 0) >= 500, responseCode);
    }
  }
}
