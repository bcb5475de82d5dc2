import {
  asShown,
  afterFailure,
  afterRefusal,
  asMessages,
  type Attempt,
  type DeliveryResult,
  isCanary,
  isForOperator,
  isOperator,
  isStaff,
  isSummarized,
  type Message,
  namedDoses,
  personOf,
  recheck,
  retryWithoutResult,
} from '#domain';
import {
  addressOver,
  type Alert,
  type Claim,
  type ContactChannel,
  type ContactDetails,
  type Delivery,
  isDatabaseError,
  namesOf,
} from '#persistence';
import { Clock, failSpan, type Span, startSpan, traceparentOf } from '#platform';
import { Injectable } from '@nestjs/common';
import { AttemptLimit } from './attempt-limit.js';
import { AttemptWriter, type RunResults } from './attempt-writer.js';
import { AddressHealth } from './address-health.js';
import { type Channel, DeliveryError, type Notification } from './channel.js';
import { Messages } from './message.js';
import { Recipients } from './recipients.js';
import { Recovery } from './recovery.js';
import type { SendContext } from './send-context.js';
import { Throttle } from './throttle.js';

interface ReadyToSend {
  delivery: Delivery;
  alert: Alert;
  contact: ContactDetails | undefined;
  /** Where it goes; undefined over channels without addresses. */
  address: string | undefined;
  message: Message;
  /** Which doses it names. */
  naming: Pick<Attempt, 'doses'>;
}

interface SendOptions {
  channel: Channel;
  results: RunResults;
  /** Called for each notification when its attempt begins, or when it gets a result without one. */
  onBegun: (delivery: Delivery) => void;
}

/** An attempt whose beginning is recorded. */
interface AttemptInProgress {
  claim: Claim;
  at: Date;
  /** Called when the channel gets the message: from then on it may have arrived. */
  onSend: () => void;
}

/** Rechecks notifications, sends them, and records the results. */
@Injectable()
export class Sender {
  constructor(
    private readonly recipients: Recipients,
    private readonly messages: Messages,
    private readonly throttle: Throttle,
    private readonly attempts: AttemptWriter,
    private readonly limit: AttemptLimit,
    private readonly recovery: Recovery,
    private readonly health: AddressHealth,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends the notifications of a group that pass the recheck, as one message, and records a result for each. A record
   * that causes an error counts as a failed attempt and affects no other: it is found before an attempt begins, when it
   * certainly did not arrive.
   */
  async send(
    group: Delivery[],
    context: SendContext,
    { channel, results, onBegun }: SendOptions,
  ): Promise<void> {
    const unfinished = new Set(group);
    let mayArrive = false;
    const record = async (delivery: Delivery, result: DeliveryResult): Promise<void> => {
      unfinished.delete(delivery);
      onBegun(delivery);
      await results.add(delivery, context.claim, result);
    };
    try {
      const ready: ReadyToSend[] = [];
      for (const delivery of group) {
        const found = this.prepare(delivery, context, channel);
        if ('alert' in found) ready.push(found);
        else await record(delivery, found);
      }
      if (ready.length === 0) return;
      const delayed = this.throttle.delay(
        ready.map(({ delivery }) => delivery),
        context.recentlySent,
      );
      if (delayed) {
        for (const { delivery } of ready) await record(delivery, delayed);
        return;
      }
      const [limited] = ready;
      // digests and summaries are distinguished by when they were begun
      const isTimed = channel.digests || (limited && isSummarized(limited.delivery));
      const at = isTimed ? this.clock.now() : this.attempts.startingAt();
      // what goes to one address at the same time may be for several people
      if (channel.limitsAddresses && limited) this.throttle.count(limited.delivery, at, context.recentlySent);
      const held = await this.begin(ready, context.claim, at);
      for (const { delivery } of ready) {
        onBegun(delivery);
        if (!held.has(delivery)) unfinished.delete(delivery);
      }
      const sending = ready.filter(({ delivery }) => held.has(delivery));
      const [first, ...others] = sending;
      if (!first) return;
      const started = { claim: context.claim, at, onSend: () => (mayArrive = true) };
      const resultOf = await this.attempt(channel, [first, ...others], started);
      if (resultOf(first).kind === 'delivered') {
        if (!channel.limitsAddresses) this.throttle.count(first.delivery, at, context.recentlySent);
        for (const { delivery, alert } of sending) this.attempts.noteDelay(delivery, alert, at);
      }
      for (const one of sending) await record(one.delivery, resultOf(one));
    } catch (error) {
      if (isDatabaseError(error)) throw error;
      for (const delivery of unfinished)
        await record(delivery, failedByError(delivery, error, this.clock.now(), mayArrive));
    }
  }

  /** Records that a notification caused an error before anything was sent. */
  async fail(delivery: Delivery, claim: Claim, error: unknown, results: RunResults): Promise<void> {
    await results.add(delivery, claim, failedByError(delivery, error, this.clock.now(), false));
  }

  /** Why it cannot be sent now, or an error that it causes; otherwise what to send. */
  private prepare(delivery: Delivery, context: SendContext, channel: Channel): DeliveryResult | ReadyToSend {
    try {
      return this.recheck(delivery, context, channel);
    } catch (error) {
      return failedByError(delivery, error, this.clock.now(), false);
    }
  }

  private recheck(delivery: Delivery, context: SendContext, { hold }: Channel): DeliveryResult | ReadyToSend {
    const alert = context.alerts.get(delivery.alert_id.toHexString());
    const bottle = delivery.bottle_id.toHexString();
    const now = this.clock.now();
    const addressees = this.recipients.addresseesOf(alert, context.contacts, now);
    const state = context.states.get(bottle);
    const postponed = recheck(delivery, { ...context.known, alert, state, addressees, now });
    if (postponed?.kind === 'moved')
      return { ...postponed, ...this.recipients.movedTo(delivery, postponed, addressees, now) };
    if (postponed) return postponed;
    if (hold) return this.recipients.whileHeld(delivery, alert!, hold, now);
    const contact = personOf(delivery, addressees)?.details;
    const shown = asShown(delivery, alert!, { ...context.known, addressees, state });
    const address = (contact && addressOver(delivery.channel, contact)) || undefined;
    const names = namesOf(alert!, context.bottles, context.contacts.get(alert!.user_id)?.name);
    const message = this.messages.compose(delivery, shown, contact, names);
    return { delivery, alert: shown, contact, address, message, naming: namingOf(delivery, shown) };
  }

  /** Records that an attempt begins. @returns the notifications that are still claimed. */
  private async begin(ready: ReadyToSend[], claim: Claim, at: Date): Promise<ReadonlySet<Delivery>> {
    const held = await this.attempts.begin(
      ready.map(({ delivery, address, naming }) => ({
        id: delivery._id,
        claim,
        at,
        ...(address !== undefined && { address }),
        ...naming,
        ...(delivery.early && { early: delivery.early }),
        next_attempt_at: retryWithoutResult(delivery, claim, at),
      })),
    );
    return new Set(ready.filter((_one, index) => held[index]).map(({ delivery }) => delivery));
  }

  /** Makes an attempt that began. @returns the result for each of its notifications. */
  private async attempt(
    channel: Channel,
    [first, ...others]: [ReadyToSend, ...ReadyToSend[]],
    { claim, at, onSend }: AttemptInProgress,
  ): Promise<(one: ReadyToSend) => DeliveryResult> {
    const begun = { at, ...(first.address !== undefined && { address: first.address }) };
    const span = startAttempt(channel, first, others);
    const toNotification = ({ delivery, message, contact }: ReadyToSend): Notification => ({
      delivery,
      message,
      stopUrl: contact && this.messages.stopUrl(delivery, contact),
      at,
      traceparent: traceparentOf(span),
    });
    const notifications = asMessages([toNotification(first), ...others.map(toNotification)]);
    try {
      // this process may have hung since the lease was checked
      if (claim.until.getTime() - this.clock.now().getTime() < channel.timeLimitMs)
        throw new DeliveryError('not sent: the lease ends too soon', { unsent: true });
      onSend();
      const { status, awaitsReceipt } = await this.limit.run(channel.timeLimitMs, (signal) =>
        channel.send(notifications, first.contact, signal),
      );
      // a watchdog answers for itself, not for the operator's receiver
      if (!isCanary(first.delivery.bottle_id)) this.recovery.noteAnswer(channel);
      if (first.contact?.refused?.[channel.name as ContactChannel] && !awaitsReceipt)
        await this.health.healed(first.delivery, first.address);
      const attempt: Attempt = { ...begun, ok: true, ...(status === undefined ? {} : { status }) };
      const toNumber = channel.limitsAddresses && first.address;
      return ({ delivery, naming }) => ({
        kind: 'delivered',
        attempt: { ...attempt, ...naming },
        toPerson: !isForOperator(delivery),
        toNumber,
      });
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      const attempt = failedAttempt(begun, error);
      failSpan(span, error.message);
      if (error.refusal && !isOperator(first.delivery)) {
        // before the result: whoever looks at the notifications again knows of it
        const now = this.clock.now();
        if (!isStaff(first.delivery))
          await this.health.refused(first.delivery, first.address, error.refusal, now);
        return ({ delivery, naming }) => afterRefusal(delivery, { ...attempt, ...naming }, now);
      }
      // the same jitter for all of them, so that they are retried as one message
      const random = Math.random();
      return ({ delivery, naming }) =>
        afterFailure(delivery, { ...attempt, ...naming }, error.permanent, random, error.retryAfterMs);
    } finally {
      span?.end();
    }
  }
}

/** Which doses a notification names, as its attempts store it. */
function namingOf(delivery: Delivery, shown: Alert): Pick<Attempt, 'doses'> {
  const doses = namedDoses(delivery, shown);
  return doses ? { doses: [...doses] } : {};
}

/** The span of an attempt: in the trace of its alert, or of the first of several. */
function startAttempt(
  { name }: Channel,
  { delivery, alert }: ReadyToSend,
  others: readonly ReadyToSend[],
): Span | undefined {
  return startSpan(`deliver ${name}`, {
    kind: 'client',
    parent: alert.traceparent,
    links: others.flatMap((other) => other.alert.traceparent ?? []),
    attributes: {
      'pillwatch.delivery_id': delivery._id,
      'pillwatch.event': delivery.event,
      'pillwatch.attempt': delivery.attempts.length + 1,
    },
  });
}

function failedAttempt(
  begun: Pick<Attempt, 'at' | 'address'>,
  { message, status, unsent }: DeliveryError,
): Attempt {
  return {
    ...begun,
    ok: false,
    error: message,
    ...(status === undefined ? {} : { status }),
    ...(unsent ? { unsent: true } : {}),
  };
}

/** A notification that caused an error follows the backoff, whatever its receiver answers. */
function failedByError(delivery: Delivery, error: unknown, at: Date, mayArrive: boolean): DeliveryResult {
  const attempt: Attempt = { at, ok: false, error: String(error), ...(mayArrive ? {} : { unsent: true }) };
  const result = afterFailure(delivery, attempt, false, Math.random());
  return result.kind === 'retry' ? { ...result, retry_early_from: undefined } : result;
}
