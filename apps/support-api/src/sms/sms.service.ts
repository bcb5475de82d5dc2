import { asReply, doseReply, type Receipt, smsCommand, type SmsCommand, userIn } from '#domain';
import { AddressHealthRepository, ReceiptsRepository } from '#persistence';
import { Clock, Problem, readLink } from '#platform';
import { Injectable } from '@nestjs/common';
import { createHash, timingSafeEqual } from 'node:crypto';
import { AuditLog } from '../auth/audit-log.js';
import { SupportApiConfig } from '../config.js';
import { WaitingMessages } from '../contacts/waiting-messages.js';
import { SmsAnswers } from './sms-answers.js';

/** What is answered to a command. */
const ANSWERS: Record<SmsCommand, string> = {
  stop: 'No more messages come to this number. Reply START to get them again.',
  start: 'Messages come to this number again. Reply STOP to end them.',
  help: 'Messages about pill bottles come to this number because somebody has entered it, and it was confirmed. Reply STOP to end them.',
};

/** What networks and people say by SMS. */
@Injectable()
export class SmsService {
  constructor(
    private readonly receipts: ReceiptsRepository,
    private readonly addresses: AddressHealthRepository,
    private readonly answers: SmsAnswers,
    private readonly audit: AuditLog,
    private readonly waiting: WaitingMessages,
    private readonly clock: Clock,
    private readonly config: SupportApiConfig,
  ) {}

  /** The attempt for which receipts are taken at an address. @throws Problem 404 if it is not ours, or too old */
  attemptOf(token: string): { id: string; attempt_at: Date } {
    const { LINK_SECRET } = this.config;
    const link = LINK_SECRET === undefined ? undefined : readLink(LINK_SECRET, token);
    const [, id, began] = /^([0-9a-f]{32}):(\d+)$/.exec(link?.id ?? '') ?? [];
    if (!link || id === undefined || link.expires_at <= this.clock.now()) throw Problem.notFound('receipt');
    return { id, attempt_at: new Date(Number(began)) };
  }

  /** @param state undefined of a receipt that says nothing new @throws Problem as {@link attemptOf} */
  async takeReceipt(
    token: string,
    state: Receipt['state'] | undefined,
    reply: string | undefined,
  ): Promise<void> {
    const { id, attempt_at } = this.attemptOf(token);
    if (state === undefined) return;
    const line = asReply(reply);
    const receipt = {
      attempt_at,
      at: this.clock.now(),
      state,
      ...(line !== undefined && { reply: line }),
    };
    const delivery = await this.receipts.note(id, receipt);
    // of a notification that is erased there is nothing to say
    if (!delivery || state !== 'delivered') return;
    const attempts = [...(delivery.earlier_attempts ?? []), ...delivery.attempts];
    const { address } = attempts.find(({ at }) => at.getTime() === attempt_at.getTime()) ?? {};
    if (address !== undefined) await this.addresses.heal(delivery, address);
  }

  /** Whether a request has the gateway's key, as the password of any user. */
  isGateway(authorization: string | undefined): boolean {
    const { SMS_INCOMING_KEY } = this.config;
    const [, credentials = ''] = /^Basic ([\w+/=-]+)$/i.exec(authorization ?? '') ?? [];
    const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(credentials, 'base64').toString()) ?? [];
    return SMS_INCOMING_KEY !== undefined && isSame(password, SMS_INCOMING_KEY);
  }

  /** @param id the gateway's, of the message @returns what is answered; undefined if nothing */
  async takeMessage(from: string, text: string, id?: string): Promise<string | undefined> {
    const number = toNumber(from);
    const reply = doseReply(text);
    if (reply) return this.answers.take(number, reply, id);
    const command = smsCommand(text);
    if (command === undefined) return undefined;
    if (command === 'stop') {
      const stopped = await this.addresses.pause(number, this.clock.now());
      await this.note('contact.pause', stopped);
      for (const userId of new Set(stopped.flatMap((recipient) => userIn(recipient) ?? [])))
        await this.waiting.sendAgain(userId);
    }
    if (command === 'start') await this.note('contact.resume', await this.addresses.resume(number));
    return ANSWERS[command];
  }

  private async note(action: string, recipients: string[]): Promise<void> {
    for (const id of recipients) {
      const actor = { kind: 'link' as const, id, name: id };
      await this.audit.record(actor, { action, subject: { kind: 'contact', id: userIn(id)! } });
    }
  }
}

/** E.164 of a number as gateways write it: with a plus sign, two zeros, or neither. */
function toNumber(from: string): string {
  return `+${from.replaceAll(/\D/g, '').replace(/^00/, '')}`;
}

function isSame(offered: string, expected: string): boolean {
  const [one, other] = [offered, expected].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(one!, other!);
}
