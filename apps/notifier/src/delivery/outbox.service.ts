import {
  type Addressees,
  type AlertOwingEnd,
  endDependsOnAddresses,
  owedEnds,
  type OwedSteps,
  owedSteps,
  RAISING_MS,
  asReached,
  withoutDuplicates,
  withStepsQueued,
} from '#domain';
import {
  type Alert,
  type Contact,
  DeliveriesRepository,
  type Delivery,
  isDamaged,
  OutboxRepository,
  OwedNotificationsRepository,
} from '#persistence';
import { Injectable, Logger } from '@nestjs/common';
import type { Types } from 'mongoose';
import { Recipients } from './recipients.js';

const PAGE = 500;

/** Queues notifications: each is a document in the outbox before the first attempt to send it. */
@Injectable()
export class OutboxService {
  private readonly logger = new Logger('Outbox');

  constructor(
    private readonly outbox: OutboxRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly owed: OwedNotificationsRepository,
    private readonly recipients: Recipients,
  ) {}

  /** Queues all that is owed now. As a rule nothing is: one query says so. */
  async queueOwed(now: Date, stopping: () => boolean = () => false): Promise<void> {
    if (!(await this.owed.owesAny(now))) return;
    await this.escalate(now, stopping);
    await this.queueEnds(now, stopping);
  }

  /** Queues every due step and arms the next ones. Any number of notifiers may do this at once. */
  async escalate(now: Date, stopping: () => boolean = () => false): Promise<number> {
    let total = 0;
    for (;;) {
      const due = await this.owed.findDueSteps(now, PAGE);
      await this.queueSteps(due, await this.recipients.contactsOf(due.map(({ user_id }) => user_id)), now);
      total += due.length;
      if (due.length < PAGE || stopping()) return total;
    }
  }

  /**
   * New alerts as they are when their due steps are queued, with the notifications of these.
   *
   * @param isEnding see {@link queueSteps}.
   * @returns undefined if one of the alerts cannot be read.
   */
  firstSteps(
    alerts: readonly Alert[],
    contacts: Map<string, Contact>,
    now: Date,
    isEnding: (alert: Alert) => boolean,
  ): { alerts: Alert[]; notifications: Delivery[] } | undefined {
    try {
      const begun = alerts.map((alert) => {
        if (alert.next_step_at === undefined) return { alert, notifications: [] };
        const { isDue, notifications, next } = this.owedBy(alert, contacts, now);
        if (!isDue) return { alert, notifications: [] };
        const queued = withoutDuplicates(notifications, [], now);
        return {
          alert: withStepsQueued(alert, { next, escalated: hasEscalated(queued) }, now),
          notifications: isEnding(alert) ? afterTheEnd(queued, now) : queued,
        };
      });
      return {
        alerts: begun.map(({ alert }) => alert),
        notifications: begun.flatMap(({ notifications }) => notifications),
      };
    } catch {
      return undefined;
    }
  }

  /**
   * Queues the steps of these alerts that are due, if any.
   *
   * @param isEnding of an alert that the caller ends at once: what begins it is not sent before, so that it is cancelled.
   */
  async queueSteps(
    alerts: Alert[],
    contacts: Map<string, Contact>,
    now: Date,
    isEnding: (alert: Alert) => boolean = () => false,
  ): Promise<void> {
    const owing = alerts.filter(({ next_step_at }) => next_step_at !== undefined);
    const planned = await this.eachReadable(owing, now, (alert) => ({
      alert,
      ...this.owedBy(alert, contacts, now),
    }));
    const due = planned.filter(({ isDue }) => isDue);
    const reminding = due.filter(({ notifications }) =>
      notifications.some(({ event }) => event !== 'raised'),
    );
    const earlier =
      reminding.length === 0
        ? []
        : await this.deliveries.findByAlerts(reminding.map(({ alert: { _id } }) => _id));
    const queued = due.map(({ alert, addressees, next, notifications }) => {
      const reached = earlier
        .filter(({ alert_id }) => alert_id.equals(alert._id))
        .map((one) => asReached(one, alert.escalation, addressees));
      return { alert, next, notifications: withoutDuplicates(notifications, reached, now) };
    });
    await this.outbox.enqueue(
      queued.flatMap(({ alert, notifications }) =>
        isEnding(alert) ? afterTheEnd(notifications, now) : notifications,
      ),
    );
    await this.owed.armNextSteps(
      queued.map(({ alert, next, notifications }) => ({
        alert,
        next,
        escalated: hasEscalated(notifications),
      })),
      now,
    );
  }

  /**
   * Queues the notifications of ended alerts, for everyone who was or is about to be notified of the alert, or
   * whom its policy names. First resolves the alerts whose hold-down has passed.
   */
  async queueEnds(now: Date, stopping: () => boolean = () => false): Promise<void> {
    await this.owed.endCleared(now);
    for (;;) {
      const ended = (await this.owed.findOwedEnds(PAGE)) as (Alert & AlertOwingEnd<Types.ObjectId>)[];
      if (ended.length === 0) return;
      const [earlier, contacts] = await Promise.all([
        this.deliveries.findByAlerts(ended.map(({ _id }) => _id)),
        this.recipients.contactsOf(
          // one that is damaged cannot be read: it is quarantined below
          ended
            .filter((alert) => !isDamaged(alert) && endDependsOnAddresses(alert))
            .map(({ user_id }) => user_id),
        ),
      ]);
      const ends = await this.eachReadable(ended, now, (alert) => {
        const ofAlert = earlier.filter(({ alert_id }) => alert_id.equals(alert._id));
        const addressees = this.recipients.addresseesOf(alert, contacts, now);
        const notifications = owedEnds<Types.ObjectId>(alert, ofAlert, addressees, now);
        return {
          alert,
          notifications: this.recipients.endsWanted(alert, notifications, ofAlert, addressees),
        };
      });
      await this.outbox.enqueue(ends.flatMap(({ notifications }) => notifications));
      await this.owed.clearOwedEnds(ends.map(({ alert }) => alert));
      if (ended.length < PAGE || stopping()) return;
    }
  }

  /** What an alert owes by its steps, and where its people are reached. */
  private owedBy(
    alert: Alert,
    contacts: Map<string, Contact>,
    now: Date,
  ): OwedSteps<Types.ObjectId> & { addressees: Addressees } {
    const addressees = this.recipients.addresseesOf(alert, contacts, now);
    const owed = owedSteps<Types.ObjectId>(alert, addressees, now);
    return { ...owed, addressees, notifications: this.recipients.wanted(owed.notifications) };
  }

  /** What is made of each of these alerts. One that makes it throw is quarantined and holds up no other. */
  private async eachReadable<A extends Alert, T>(
    alerts: A[],
    now: Date,
    make: (alert: A) => T,
  ): Promise<T[]> {
    const made: T[] = [];
    for (const alert of alerts) {
      try {
        made.push(make(alert));
      } catch (error) {
        const failure = { check: 'OutboxService', error: String(error), at: now };
        if (await this.owed.quarantine(alert, failure))
          this.logger.error(`alert ${alert._id.toHexString()} quarantined: ${String(error)}`);
      }
    }
    return made;
  }
}

const hasEscalated = (queued: readonly Delivery[]): boolean =>
  queued.some(({ event }) => event === 'escalated');

/** What begins an alert that ends at once is looked at when the end is recorded. */
function afterTheEnd(notifications: readonly Delivery[], now: Date): Delivery[] {
  const next_attempt_at = new Date(now.getTime() + RAISING_MS);
  return notifications.map((one) => ({ ...one, next_attempt_at }));
}
