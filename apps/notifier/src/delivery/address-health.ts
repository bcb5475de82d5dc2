import { type Address, DAY_MS, HOUR_MS } from '#domain';
import { AddressHealthRepository } from '#persistence';
import { Injectable } from '@nestjs/common';
import type { RefusedAddress } from './channel.js';

/** The operator is notified of refused addresses at this time of the day, UTC. Milliseconds. */
const SUMMARY_AT_MS = 6 * HOUR_MS;

/** Notes which addresses take no messages, and that one does again. */
@Injectable()
export class AddressHealth {
  constructor(private readonly addresses: AddressHealthRepository) {}

  /** @param address undefined of the webhook */
  async refused(
    to: Address,
    address: string | undefined,
    { by, reply }: RefusedAddress,
    now: Date,
  ): Promise<void> {
    const sinceSummary = (now.getTime() - SUMMARY_AT_MS) % DAY_MS;
    const due = new Date(now.getTime() - sinceSummary + DAY_MS);
    // mail servers repeat the address, which the operator's summary leaves out
    const kept = address === undefined ? reply : reply.replaceAll(address, '...');
    await this.addresses.noteRefused(to, address, { at: now, by, reply: kept }, due);
  }

  async healed(to: Address, address: string | undefined): Promise<void> {
    await this.addresses.heal(to, address);
  }
}
