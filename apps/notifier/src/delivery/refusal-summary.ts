import { derivedMessageId, type EscalationTarget } from '#domain';
import { AddressHealthRepository, type Contact, CONTACT_CHANNELS, type ContactDetails } from '#persistence';
import { Clock } from '#platform';
import { Injectable, Logger } from '@nestjs/common';
import { AttemptLimit } from './attempt-limit.js';
import { DeliveryError } from './channel.js';
import { Channels } from './channels/index.js';

/** People of one summary. */
const MOST_CONTACTS = 500;

/** An address that took no message, without the address itself. */
interface RefusedOf {
  user_id: string;
  role: EscalationTarget;
  channel: string;
  since: string;
  by: string;
  reply: string;
}

/** Tells the operator once a day, in one message, which addresses began to refuse what is for people. */
@Injectable()
export class RefusalSummary {
  private readonly logger = new Logger(RefusalSummary.name);

  constructor(
    private readonly health: AddressHealthRepository,
    private readonly channels: Channels,
    private readonly limit: AttemptLimit,
    private readonly clock: Clock,
  ) {}

  /** Sends what is due; a message that could not be sent is sent at the next run, under the same id. */
  async run(): Promise<void> {
    const now = this.clock.now();
    const due = await this.health.findRefusalsDue(now, MOST_CONTACTS);
    if (due.length === 0) return;
    const addresses = due.flatMap((contact) => [
      ...refusedOf(contact._id, 'user', contact),
      ...refusedOf(contact._id, 'carer', contact.carer),
    ]);
    // those that are refused no more are no problem
    if (addresses.length > 0 && !(await this.notify(idOf(due), addresses, now))) return;
    await this.health.endRefusalsDue(due);
  }

  private async notify(id: string, addresses: RefusedOf[], now: Date): Promise<boolean> {
    const event = { type: 'addresses.refused', timestamp: now.toISOString(), data: { addresses } };
    const channel = this.channels.all.find((one) => one.isSetUp && one.notifyOperator !== undefined)!;
    try {
      await this.limit.run(channel.timeLimitMs, (signal) => channel.notifyOperator!(id, event, signal));
      return true;
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      this.logger.warn(`the operator was not notified of refused addresses: ${error.message}`);
      return false;
    }
  }
}

/** The same for the same contacts of the same day. */
function idOf(due: readonly Contact[]): string {
  return derivedMessageId(
    'refusals',
    ...due.map(({ _id, refusals_due_at }) => `${_id} ${refusals_due_at!.getTime()}`),
  );
}

function refusedOf(
  user_id: string,
  role: EscalationTarget,
  details: ContactDetails | undefined,
): RefusedOf[] {
  return CONTACT_CHANNELS.flatMap((channel) => {
    const refusal = details?.refused?.[channel];
    if (!refusal) return [];
    const { at, by, reply } = refusal;
    return [{ user_id, role, channel, since: at.toISOString(), by, reply }];
  });
}
