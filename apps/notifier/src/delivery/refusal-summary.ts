import { derivedMessageId, type EscalationTarget, HOUR_MS, OUTPUT } from '#domain';
import { AddressHealthRepository, type Contact, CONTACT_CHANNELS, type ContactDetails } from '#persistence';
import { Clock } from '#platform';
import { Injectable, Logger } from '@nestjs/common';
import { AttemptLimit } from './attempt-limit.js';
import { type Channel, DeliveryError, type OperatorEvent } from './channel.js';
import { Channels } from './channels/index.js';

const TYPE = 'addresses.refused';
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
  /** Who has the summary that is being sent. */
  private taken = { id: '', by: new Set<string>() };

  constructor(
    private readonly health: AddressHealthRepository,
    private readonly channels: Channels,
    private readonly limit: AttemptLimit,
    private readonly clock: Clock,
  ) {}

  /** Sends what is due; what an endpoint did not take is sent there again at the next run, under the same id. */
  async run(): Promise<void> {
    const now = this.clock.now();
    const due = await this.health.findRefusalsDue(now, MOST_CONTACTS);
    if (due.length === 0) return;
    const addresses = due.flatMap((contact) => [
      ...refusedOf(contact._id, 'user', contact),
      ...refusedOf(contact._id, 'carer', contact.carer),
    ]);
    // those that are refused no more are no problem
    if (addresses.length > 0 && !(await this.notify(idOf(due), addresses, due[0]!.refusals_due_at!, now)))
      return;
    await this.health.endRefusalsDue(due);
  }

  private async notify(id: string, addresses: RefusedOf[], due: Date, now: Date): Promise<boolean> {
    const event: OperatorEvent = { type: TYPE, timestamp: now.toISOString(), data: { addresses } };
    if (this.taken.id !== id) this.taken = { id, by: new Set() };
    for (const channel of this.channelsOfOperator()) {
      if (this.taken.by.has(channel.name)) continue;
      try {
        await this.limit.run(channel.timeLimitMs, (signal) => channel.notifyOperator!(id, event, signal));
        this.taken.by.add(channel.name);
      } catch (error) {
        if (!(error instanceof DeliveryError)) throw error;
        this.logger.warn(`${channel.name} was not notified of refused addresses: ${error.message}`);
      }
    }
    const isTakenByAll = this.channelsOfOperator().every(({ name }) => this.taken.by.has(name));
    // an endpoint that fails for longer does not have the others get it again, with those of the next day
    return isTakenByAll || (this.taken.by.size > 0 && now.getTime() - due.getTime() >= HOUR_MS);
  }

  /** The endpoints that want it; the notifier's output if there is none. */
  private channelsOfOperator(): Channel[] {
    const all = this.channels.all.filter(({ notifyOperator }) => notifyOperator !== undefined);
    const wanting = all.filter((one) => one.isSetUp && (one.wants?.(TYPE) ?? true));
    return wanting.length > 0 ? wanting : all.filter(({ name }) => name === OUTPUT);
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
