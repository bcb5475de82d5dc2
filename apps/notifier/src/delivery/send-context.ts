import {
  alertKindFacts,
  asksAboutDoses,
  GATHERED_EVENT,
  type Gathering,
  gatheringSince,
  groupBy,
  isGathered,
  type KnownDoses,
  LISTED_WITHIN_MS,
  movesTo,
  alertsOfUnconfirmedDoses,
  planOf,
  reportsBySlot,
  type SendingMoment,
  SETTLED_LATELY_MS,
  type StateAtSending,
  unconfirmedDosesOf,
} from '#domain';
import {
  type Alert,
  type BottleDescription,
  AlertsRepository,
  AttestationsRepository,
  BottlesRepository,
  BottleStatesRepository,
  type Claim,
  type Contact,
  CoverageGapsRepository,
  DeliveriesRepository,
  type Delivery,
  DoseOutcomesRepository,
  OutboxRepository,
  SharedPlansRepository,
} from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type { Channel } from './channel.js';
import { Recipients } from './recipients.js';
import { type RecentlySent, Throttle } from './throttle.js';

/** A notification waits for no longer than this many incidents. */
const LATEST_INCIDENTS = 10;
/** After this time the context of a notification is read again before it is sent. Milliseconds. */
const FRESH_MS = 2_000;

/** What sending a page of notifications takes, read once for all of them. */
export interface SendContext {
  claim: Claim;
  readAt: Date;
  /** By bottle. */
  states: ReadonlyMap<string, StateAtSending>;
  alerts: ReadonlyMap<string, Alert>;
  contacts: ReadonlyMap<string, Contact>;
  /** By bottle. */
  bottles: ReadonlyMap<string, BottleDescription>;
  /** What decides whether they may be sent, besides the alert of each and its recipients. */
  known: Omit<SendingMoment, 'alert' | 'state' | 'addressees' | 'now'>;
  recentlySent: RecentlySent;
}

/** The context of a page while it is sent: read again when it is old, once for all that is left of the page. */
export class PageContext {
  private readonly claim: Claim;
  private readAt: number;
  private reading: Promise<SendContext>;

  constructor(
    first: SendContext,
    private readonly read: () => Promise<SendContext>,
    private readonly clock: Clock,
  ) {
    this.claim = first.claim;
    this.readAt = first.readAt.getTime();
    this.reading = Promise.resolve(first);
  }

  /** How long the claim lasts. Milliseconds. */
  leaseLeftMs(): number {
    return this.claim.until.getTime() - this.clock.now().getTime();
  }

  /** The context, read no longer than {@link FRESH_MS} ago. */
  latest(): Promise<SendContext> {
    const now = this.clock.now().getTime();
    if (now - this.readAt > FRESH_MS) {
      this.readAt = now;
      this.reading = this.read();
    }
    return this.reading;
  }
}

/** Reads what sending notifications takes. */
@Injectable()
export class SendContexts {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly outbox: OutboxRepository,
    private readonly alerts: AlertsRepository,
    private readonly states: BottleStatesRepository,
    private readonly bottles: BottlesRepository,
    private readonly gaps: CoverageGapsRepository,
    private readonly outcomes: DoseOutcomesRepository,
    private readonly attestations: AttestationsRepository,
    private readonly plans: SharedPlansRepository,
    private readonly recipients: Recipients,
    private readonly throttle: Throttle,
    private readonly clock: Clock,
  ) {}

  /** @param deliveries claimed by this claim, and sent over this channel. */
  async read(claim: Claim, deliveries: Delivery[], channel: Channel): Promise<SendContext> {
    const readAt = this.clock.now();
    const followers = deliveries.filter(({ event }) => event !== 'raised');
    const unknown = deliveries.filter(({ event }) => event === 'unknown');
    const ofDoses = deliveries.filter(({ kind }) => alertKindFacts(kind).foundBy === 'doses');
    const [states, members] = await Promise.all([
      // before the alerts: what is checked by then is in them
      this.states.findAtSending(deliveries.map(({ bottle_id }) => bottle_id)),
      this.plans.findMembersAtSending(ofDoses.map(({ bottle_id }) => bottle_id)),
    ]);
    const listing = await this.alerts.findListingDoses(
      unknown.flatMap(({ bottle_id }) => [
        bottle_id,
        ...(members.get(bottle_id.toHexString()) ?? []).map(({ _id }) => _id),
      ]),
      new Date(Math.min(...unknown.map(({ created_at }) => created_at.getTime())) - LISTED_WITHIN_MS),
    );
    const related = [...followers.map(({ alert_id }) => alert_id), ...listing.map(({ _id }) => _id)];
    const [alerts, notifications, gaps, incidents, bottles] = await Promise.all([
      this.alerts.findByIds(deliveries.map(({ alert_id }) => alert_id)),
      // the first one of an alert waits for no other
      related.length === 0 ? [] : this.deliveries.findByAlerts(related),
      deliveries.some(({ event }) => event === 'unknown' || event === 'unconfirmed')
        ? this.gaps.findUnsettled(new Date(readAt.getTime() - SETTLED_LATELY_MS))
        : [],
      this.alerts.findIncidents(LATEST_INCIDENTS),
      this.bottles.findDescriptions(deliveries.map(({ bottle_id }) => bottle_id)),
    ]);
    const unconfirmed = alerts.flatMap(alertsOfUnconfirmedDoses).map((id) => new Types.ObjectId(id));
    // a dose that is judged after the alerts were read is another daily message's
    const asking = new Set(deliveries.filter(asksAboutDoses).map(({ alert_id }) => alert_id.toHexString()));
    const leaders = new Map(
      alerts.flatMap((alert) => {
        const isOfOther =
          asking.has(alert._id.toHexString()) && planOf(alert) !== alert.bottle_id.toHexString();
        return isOfOther ? [[alert.bottle_id.toHexString(), new Types.ObjectId(planOf(alert))] as const] : [];
      }),
    );
    const [contacts, ofUnconfirmedDoses, knownDoses, gathering, leading] = await Promise.all([
      this.recipients.contactsOf(alerts.map(({ user_id }) => user_id)),
      unconfirmed.length === 0 ? [] : this.deliveries.findByAlerts(unconfirmed),
      this.readKnownDoses(deliveries, alerts),
      this.readGathering(claim, deliveries, alerts, readAt),
      leaders.size === 0 ? [] : this.states.findAtSending([...leaders.values()]),
    ]);
    const alertOf = new Map(alerts.map((alert) => [alert._id.toHexString(), alert]));
    const contactOf = ({ alert_id }: Delivery): Contact | undefined =>
      contacts.get(alertOf.get(alert_id.toHexString())?.user_id ?? '');
    const read = new Set(related.map(String));
    const moving = deliveries.filter((delivery) => {
      const id = delivery.alert_id.toHexString();
      return !read.has(id) && this.isReplaced(delivery, alertOf.get(id), contacts, readAt);
    });
    const ofMoving =
      moving.length === 0 ? [] : await this.deliveries.findByAlerts(moving.map(({ alert_id }) => alert_id));
    return {
      claim,
      readAt,
      states: new Map(
        states.map((state) => {
          const id = state._id.toHexString();
          const further = members.get(id);
          const leader = leading.find(({ _id }) => leaders.get(id)?.equals(_id));
          return [id, { ...state, ...(further && { members: further }), ...(leader && { leader }) }];
        }),
      ),
      alerts: alertOf,
      contacts,
      bottles,
      known: {
        notifications: groupBy([...notifications, ...ofMoving], ({ alert_id }) => String(alert_id)),
        listing,
        gaps,
        gathering,
        incidents,
        ofUnconfirmedDoses,
        knownDoses,
      },
      recentlySent: await this.throttle.read(channel, deliveries, contactOf),
    };
  }

  /** Whether nobody is reached any more where it was to go. What cannot be read is found when it is prepared. */
  private isReplaced(
    delivery: Delivery,
    alert: Alert | undefined,
    contacts: ReadonlyMap<string, Contact>,
    now: Date,
  ): boolean {
    if (!alert) return false;
    try {
      const addressees = this.recipients.addresseesOf(alert, contacts, now);
      return movesTo(delivery, alert, addressees, now).to.length > 0;
    } catch {
      return false;
    }
  }

  /** What is known by now of the doses that starts and reminders of silences are to name. */
  private async readKnownDoses(
    deliveries: readonly Delivery[],
    alerts: readonly Alert[],
  ): Promise<KnownDoses> {
    const asking = new Set(deliveries.filter(asksAboutDoses).map(({ alert_id }) => alert_id.toHexString()));
    const named = alerts
      .filter(({ _id }) => asking.has(_id.toHexString()))
      .flatMap((alert) =>
        unconfirmedDosesOf(alert).map((scheduled_at) => ({
          bottle_id: new Types.ObjectId(planOf(alert)),
          scheduled_at,
        })),
      );
    const [outcomes, entries] = await Promise.all([
      this.outcomes.findOfDoses(named),
      this.attestations.findOfDoses(named),
    ]);
    return { outcomes, statements: new Map([...entries].map(([id, of]) => [id, reportsBySlot(of)])) };
  }

  /**
   * Reads for which doses summaries wait, so that one is one message however long it takes to judge the fleet: those of
   * its bottles that are not judged yet, and those that were found a moment ago.
   */
  private async readGathering(
    claim: Claim,
    deliveries: readonly Delivery[],
    alerts: readonly Alert[],
    now: Date,
  ): Promise<Gathering> {
    const gathered = deliveries.filter((delivery) => isGathered(delivery, now));
    if (gathered.length === 0) return { bottles: [], queued: [] };
    const ids = new Set(gathered.map(({ alert_id }) => alert_id.toHexString()));
    const userIds = alerts.filter(({ _id }) => ids.has(_id.toHexString())).map(({ user_id }) => user_id);
    const since = gatheringSince(now);
    const bottles = await this.states.findJudged(userIds, since.judged);
    // after it: what a bottle owes that is judged by then is queued
    const queued = await this.outbox.findFresh(
      bottles.map(({ _id }) => _id),
      // what is claimed together is sent together
      { event: GATHERED_EVENT, since: since.queued, dueAfter: now, claim },
    );
    return { bottles, queued };
  }
}
