import { contactAt, type ContactHistory, type PersonalChannel, type Recipient } from './contact-plan.js';
import { whenNotified } from './coverage.js';
import { type ExpectedNotification, STAND_ALONE } from './expected-notification.js';
import { type ExpectedAlert, MINUTE, type ServiceFacts, type Span } from './facts.js';
import type { WallClocks } from './wall-clock.js';

/** One channel to one recipient. */
export interface Address extends Pick<ExpectedNotification, 'who'> {
  channel: PersonalChannel;
  /** To whom it is owed, if that person could not be reached. */
  owedTo?: string;
}

/** When something is sent, and where; nowhere if nobody is owed it any more. */
export interface Sent {
  at: number;
  to: Address | undefined;
  /** Where it was to go, first of all. */
  trail: Address[];
  /** It may come so much later. */
  leeway: number;
}

/** A receiver that refuses everything for a time: nothing arrives. */
export interface RefusedSpan extends Span {
  channel: ExpectedNotification['channel'];
  /** Of a webhook: the endpoint, if it is not that of the settings. */
  endpoint?: string;
}

/** What is sent may wait so long for its next attempt. */
const NEXT_ATTEMPT = 15 * MINUTE;

/** To whom, and when, goes what is owed by one alert: to the addresses, and by the quiet hours, of the moment. */
export class Routes {
  /**
   * @param steps of the alert, in their order
   * @param refused what receivers refuse over these routes
   */
  constructor(
    private readonly alert: ExpectedAlert,
    private readonly steps: readonly { to: string; after: number }[],
    private readonly contact: ContactHistory,
    private readonly service: Pick<ServiceFacts, 'notifying' | 'to'>,
    private readonly walls: WallClocks,
    private readonly refused: readonly RefusedSpan[],
  ) {}

  /** Where a step goes at a moment: whoever has no address is replaced by the next person of the plan. */
  addressesFor(to: string, now: number): Address[] {
    const { user, carers } = contactAt(this.contact, now);
    const planned = this.steps.map((step) => step.to);
    const after = planned.indexOf(to) + 1;
    const next = [...planned.slice(after), ...planned.slice(0, after)].filter(isCarer);
    const person = [to, ...next, 'user']
      .filter((who) => who !== this.alert.askedBy)
      .map((who) => [user, ...carers].find((one) => one.who === who))
      .find((one) => one && one.channels.length > 0);
    // nobody is reminded in the user's place
    if (this.alert.kind === 'dose_reminder' && person?.who !== 'user') return [];
    const owed = person?.who === to ? {} : { owedTo: to };
    if (!person) return [{ who: 'operator', channel: 'webhook', ...owed }];
    return person.channels.map((channel) => ({ who: person.who, channel, ...owed }));
  }

  /**
   * Where something goes that waits for who stands for a person, once that person is reached. What waits for somebody whom a
   * step has named by then is theirs, too.
   */
  private backAt({ who, owedTo }: Address, at: number): Address[] {
    const isTheirs = this.steps.some(({ to, after }) => to === who && this.alert.raisedAt + after <= at);
    if (owedTo === undefined || owedTo === who || owedTo === this.alert.askedBy || isTheirs) return [];
    return (this.recipientAt(owedTo, at)?.channels ?? []).map((channel) => ({ who: owedTo, channel }));
  }

  /** When, after a moment and up to another, a change of the contact lets something go back. */
  private turnsBack(address: Address, after: number, until: number): number | undefined {
    return this.contact.changes.find(
      ({ at }) => after < at && at < until && this.backAt(address, at).length > 0,
    )?.at;
  }

  /**
   * Where what is owed over a route goes: when quiet hours are over, to whom is reached then; to another person over every
   * channel of theirs.
   */
  sending(
    address: Address,
    event: ExpectedNotification['event'],
    from: number,
    whenTrue: (at: number) => number = (at) => at,
    until = Infinity,
    before: Pick<Sent, 'trail' | 'leeway'> = { trail: [], leeway: 0 },
  ): Sent[] {
    const { who } = address;
    let { channel } = address;
    const trail = [...before.trail, address];
    let at = from;
    let { leeway } = before;
    for (;;) {
      const back = at >= until ? [] : this.backAt(address, at);
      if (back.length > 0)
        return back.flatMap((one) => this.sending(one, event, at, whenTrue, until, { trail: [], leeway }));
      const all = at >= until ? [{ who, channel }] : this.reachedAt({ who, channel }, event, at);
      const [to] = all;
      if (!to || at >= until) return [{ to, at, trail, leeway }];
      if (to.who !== who)
        return all.flatMap((one) =>
          this.sending({ ...one, owedTo: address.owedTo ?? who }, event, at, whenTrue, until, {
            trail,
            leeway,
          }),
        );
      if (!isSame(to)({ who, channel })) trail.push(to);
      // the quiet hours are those of whoever is reached
      const awakeAt = whenTrue(this.afterQuietHours(at, who));
      if (awakeAt > at) {
        at = awakeAt;
        continue;
      }
      ({ channel } = to);
      const turnedAt = this.turnsAt(
        { ...to, ...(address.owedTo !== undefined && { owedTo: address.owedTo }) },
        event,
        at,
      );
      if (turnedAt === undefined) return [{ to, at, trail, leeway }];
      at = turnedAt;
      leeway = NEXT_ATTEMPT;
    }
  }

  /** When something that is refused at a moment goes elsewhere, because its address changes before it is taken. */
  private turnsAt(to: Address, event: ExpectedNotification['event'], at: number): number | undefined {
    const fault = this.refused.find((span) => span.channel === to.channel && span.from <= at && at < span.to);
    if (!fault) return undefined;
    const back = this.turnsBack(to, at, fault.to);
    if (back !== undefined) return back;
    const change = this.contact.changes.find((one) => at < one.at && one.at < fault.to);
    return change && !this.reachedAt(to, event, change.at).some(isSame(to)) ? change.at : undefined;
  }

  /** The address itself, another one of the same person, or all of whoever comes next; of a carer who is gone only news. */
  private reachedAt(address: Address, event: ExpectedNotification['event'], at: number): Address[] {
    const { who, channel } = address;
    const person = this.recipientAt(who, at);
    if (who === 'operator' || person?.channels.includes(channel)) return [address];
    const isNewFact =
      event === 'raised' ||
      event === 'escalated' ||
      STAND_ALONE.includes(event) ||
      (event === 'unknown' && this.alert.isUnseen === true);
    if (isCarer(who) && !person && !isNewFact) return [];
    const all = this.addressesFor(who, at);
    return all.filter((one, index) => index === 0 || one.who !== who);
  }

  /** Where a person is reached who was to be reached at an address; the address itself if nobody, or somebody else, is. */
  reachedInstead(address: Address, now: number): Address {
    const [reached] = this.reachedAt(address, 'raised', now);
    return reached?.who === address.who ? reached : address;
  }

  recipientAt(who: Recipient['who'], now: number): Recipient | undefined {
    const { user, carers } = contactAt(this.contact, now);
    return [user, ...carers].find((recipient) => recipient.who === who);
  }

  /** What was reported while no notifier ran is judged at the next full minute: what is due before then waits. */
  private whenJudged(at: number): number {
    const { from = at } = this.service.notifying.find((span) => span.from <= at && at < span.to) ?? {};
    const checkedAt = Math.floor(at / MINUTE) * MINUTE;
    if (from <= checkedAt || !this.alert.reportedAt) return at;
    const stopped = Math.max(...this.service.notifying.map(({ to }) => to).filter((to) => to < at), 0);
    return this.alert.reportedAt.some((one) => stopped < one && one <= at) ? checkedAt + MINUTE : at;
  }

  /** When a notifier runs and the condition is not clear. */
  whenHeld(from: number): number {
    const at = this.whenJudged(whenNotified(from, this.service.notifying));
    const clear = this.alert.clear.find((span) => span.from <= at && at < span.to);
    return clear ? this.whenHeld(clear.to) : at;
  }

  /** Quiet hours defer a message to their end, or to the next time a notifier runs. */
  private afterQuietHours(from: number, who: Recipient['who']): number {
    const { wakesFrom = Infinity } = this.alert;
    let at = from;
    for (;;) {
      if (at >= wakesFrom) return at;
      // it is looked at again when the quiet hours of the moment are over
      const recipient = this.recipientAt(who, at);
      if (at > this.service.to || !this.isQuietAt(at, recipient)) return at;
      while (at < wakesFrom && at <= this.service.to && this.isQuietAt(at, recipient))
        at = whenNotified((Math.floor(at / MINUTE) + 1) * MINUTE, this.service.notifying);
    }
  }

  private isQuietAt(at: number, recipient: Recipient | undefined): boolean {
    return (
      recipient?.quiet !== undefined && isQuiet(recipient.quiet, this.walls.in(recipient.zone).timeAt(at))
    );
  }
}

export function isCarer(who: string): boolean {
  return who !== 'operator' && who !== 'user';
}

export const isSame =
  (one: Address) =>
  (other: Address): boolean =>
    one.who === other.who && one.channel === other.channel;

/** Each once; what is owed to somebody as well is theirs. */
export function distinct(addresses: readonly Address[]): Address[] {
  const own = addresses.filter(({ owedTo }) => owedTo === undefined);
  return addresses
    .filter((one, index) => addresses.findIndex(isSame(one)) === index)
    .map((one) => own.find(isSame(one)) ?? one);
}

export function isQuiet({ from, to }: { from: string; to: string }, time: string): boolean {
  return from < to ? from <= time && time < to : from <= time || time < to;
}
