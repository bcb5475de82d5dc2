import { type Address, DAY_MS, HOUR_MS } from '#domain';
import { ContactsRepository } from '#persistence';
import { Injectable } from '@nestjs/common';
import type { RefusedAddress } from './channel.js';

/** The operator is told of refused addresses at this time of the day, UTC. Milliseconds. */
const TOLD_AT_MS = 6 * HOUR_MS;

/** Notes which addresses take no messages, and that one does again. */
@Injectable()
export class AddressHealth {
  constructor(private readonly contacts: ContactsRepository) {}

  /** @param address undefined of the webhook */
  async refused(
    to: Address,
    address: string | undefined,
    { by, said }: RefusedAddress,
    now: Date,
  ): Promise<void> {
    const sinceTold = (now.getTime() - TOLD_AT_MS) % DAY_MS;
    const due = new Date(now.getTime() - sinceTold + DAY_MS);
    await this.contacts.noteRefused(to, address, { at: now, by, said }, due);
  }

  async healed(to: Address, address: string | undefined): Promise<void> {
    await this.contacts.heal(to, address);
  }
}
