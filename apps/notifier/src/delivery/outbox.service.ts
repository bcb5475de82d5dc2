import { derivedMessageId, type DueStep, dueSteps, nextStepAt, stepsFor } from '#domain';
import {
  type Alert,
  AlertDuesRepository,
  type Contact,
  DeliveriesRepository,
  type Delivery,
  type MessageEvent,
  type ContactDetails,
  TELLING_EVENTS,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import { heldUntil } from './quiet.js';
import { type Address, Recipients } from './recipients.js';

const PAGE = 500;
/** So long the first step of an alert is its raiser's alone. Milliseconds. */
const RAISING_MS = 5_000;

/** Puts messages into the outbox: the document exists before the first attempt to send. */
@Injectable()
export class OutboxService {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly dues: AlertDuesRepository,
    private readonly recipients: Recipients,
  ) {}

  /**
   * The plan of an alert for this user, and when its next step is owed: set as the alert is raised. A step that
   * is owed at once is taken by whoever raises the alert; others look after it when that one was killed.
   */
  plan(contact: Contact | undefined, kind: string, now: Date): Pick<Alert, 'escalation' | 'next_step_at'> {
    const escalation = stepsFor(this.recipients.escalationOf(contact), kind);
    const next = nextStepAt(escalation, now, new Date(now.getTime() - 1));
    if (!next) return { escalation };
    return { escalation, next_step_at: next > now ? next : new Date(now.getTime() + RAISING_MS) };
  }

  /** Queues every step that is owed by now and arms the next. Any number of notifiers may do it at once. */
  async escalate(now: Date, stopping: () => boolean = () => false): Promise<number> {
    let total = 0;
    for (;;) {
      const due = await this.dues.findDueSteps(now, PAGE);
      await this.step(due, await this.recipients.contactsOf(due.map(({ user_id }) => user_id)), now);
      total += due.length;
      if (due.length < PAGE || stopping()) return total;
    }
  }

  /** Queues what these alerts owe by now, if anything. */
  async step(alerts: Alert[], contacts: Map<string, Contact>, now: Date): Promise<void> {
    const owed = alerts
      .filter(({ next_step_at }) => next_step_at !== undefined)
      .map((alert) => ({ alert, steps: owedSteps(alert, now) }))
      .filter(({ alert, steps }) => steps.length > 0 || alert.next_step_at! <= now);
    await this.deliveries.enqueue(
      owed.flatMap(({ alert, steps }) =>
        steps.flatMap((step) => this.messages(alert, step, contacts.get(alert.user_id), now)),
      ),
    );
    await this.dues.armNextSteps(
      owed.map(({ alert, steps }) => ({
        alert,
        next: nextStepAt(alert.escalation, alert.raised_at, now),
        escalated: steps.some((step) => eventOf(alert, step) === 'escalated'),
      })),
      now,
    );
  }

  private messages(alert: Alert, step: DueStep, contact: Contact | undefined, now: Date): Delivery[] {
    return this.recipients.addresses(contact, step.to).map((address) => {
      const details = this.recipients.detailsOf(address.recipient, contact);
      return message(alert, eventOf(alert, step), stepName(alert, step, details, now), address, now);
    });
  }

  /**
   * Queues every end that is still untold, for everyone who was, or is about to be, told of the alert; those first
   * that have waited whether the trouble comes back.
   */
  async tellEnds(now: Date, stopping: () => boolean = () => false): Promise<void> {
    await this.dues.endCleared(now);
    for (;;) {
      const ended = await this.dues.findOwedEnds(PAGE);
      if (ended.length === 0) return;
      const told = await this.deliveries.findByAlerts(ended.map(({ _id }) => _id));
      await this.deliveries.enqueue(ended.flatMap((alert) => endMessages(alert, told, now)));
      await this.dues.clearOwedEnds(ended);
      if (ended.length < PAGE || stopping()) return;
    }
  }
}

function endMessages(alert: Alert, deliveries: Delivery[], now: Date): Delivery[] {
  const event = alert.end_owed!;
  const told = deliveries.filter(
    ({ alert_id, event: before }) => alert_id.equals(alert._id) && TELLING_EVENTS.includes(before),
  );
  const addresses = new Map(
    told.map(({ recipient, channel }) => [`${recipient} ${channel}`, { recipient, channel }]),
  );
  return [...addresses.values()].map((address) => message(alert, event, event, address, now));
}

/**
 * What is owed since the last time: nothing in a snooze, and one that has ended repeats the last step told. A step
 * that came round several times meanwhile, in a snooze or while no notifier ran, is told once.
 */
function owedSteps(alert: Alert, now: Date): DueStep[] {
  if (alert.snoozed_until && alert.snoozed_until > now) return [];
  const rounds = dueSteps(alert.escalation, alert.raised_at, alert.stepped_until, now);
  const due = rounds.filter(({ index }, at) => rounds.findIndex((other) => other.index === index) === at);
  if (due.length > 0 || alert.snoozed_until === undefined) return due;
  return dueSteps(alert.escalation, alert.raised_at, undefined, now).slice(-1);
}

/** The first step raises; every later one, and every repetition, escalates. */
function eventOf(alert: Alert, { round, at }: DueStep): MessageEvent {
  const first = dueSteps(alert.escalation, alert.raised_at, undefined, at)[0];
  const isFirst = round === 0 && at.getTime() === first?.at.getTime();
  return isFirst && alert.snoozed_until === undefined ? 'raised' : 'escalated';
}

/** Names a message. All repetitions that the same quiet hours put off have one name: they are told once. */
function stepName(alert: Alert, step: DueStep, details: ContactDetails | undefined, now: Date): string {
  const quietUntil = step.round > 0 ? readableQuiet(alert, details, now) : undefined;
  const round = quietUntil ? `until-${quietUntil.getTime()}` : step.round;
  const snoozed = alert.snoozed_until ? `:${alert.snoozed_until.getTime()}` : '';
  return `${eventOf(alert, step)}:${step.index}:${round}${snoozed}`;
}

/** A contact that cannot be read holds up no other alert here: its own message fails when it is sent. */
function readableQuiet({ kind }: Alert, details: ContactDetails | undefined, now: Date): Date | undefined {
  try {
    return heldUntil(kind, details, now);
  } catch {
    return undefined;
  }
}

function message(
  alert: Alert,
  event: MessageEvent,
  step: string,
  { recipient, channel }: Address,
  now: Date,
): Delivery {
  return {
    _id: derivedMessageId('delivery', alert._id.toHexString(), step, recipient, channel),
    alert_id: alert._id,
    bottle_id: alert.bottle_id,
    kind: alert.kind,
    event,
    step,
    recipient,
    channel,
    status: 'pending',
    attempts: [],
    next_attempt_at: now,
    created_at: now,
  };
}
