import type { Message } from '#domain';
import { AddressLimit, Clock, Problem } from '#platform';
import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { WatchdogConfig } from './config.js';
import { WatchdogService } from './watchdog.service.js';

/** A signature that is older is a recording. Milliseconds. */
const TOLERANCE_MS = 5 * 60_000;

/** Receives the notifications of the canary. */
@ApiExcludeController()
@Controller('webhook')
export class WebhookController {
  private readonly signers: Webhook[];

  constructor(
    private readonly watchdog: WatchdogService,
    private readonly failures: AddressLimit,
    private readonly clock: Clock,
    config: WatchdogConfig,
  ) {
    this.signers = config.WEBHOOK_SECRET.split(' ').map((secret) => new Webhook(secret));
  }

  /**
   * What is signed is taken from every address: others behind the same one may have failed.
   *
   * @throws Problem 401 for a wrong signature, 404 for a bottle of another watchdog, 429 after too many failures
   */
  @Post()
  @HttpCode(204)
  receive(@Req() request: FastifyRequest<{ Body: string | undefined }>): void {
    const { headers, body } = request;
    if (body === undefined || !this.isSigned(headers, body)) {
      this.failures.admit(request);
      this.failures.failed(request);
      throw new Problem(401, 'wrong_signature', 'The signature is wrong.');
    }
    if (!this.watchdog.receive(JSON.parse(body) as Message)) throw Problem.notFound('bottle');
  }

  /** By the injected clock, unlike `verify` of the library. */
  private isSigned(headers: FastifyRequest['headers'], body: string): boolean {
    const sentAt = new Date(Number(headers['webhook-timestamp']) * 1_000);
    if (!(Math.abs(sentAt.getTime() - this.clock.now().getTime()) <= TOLERANCE_MS)) return false;
    const given = String(headers['webhook-signature'])
      .split(' ')
      .map((one) => Buffer.from(one));
    return this.signers
      .map((signer) => Buffer.from(signer.sign(String(headers['webhook-id']), sentAt, body)))
      .some((right) => given.some((one) => one.length === right.length && timingSafeEqual(one, right)));
  }
}
