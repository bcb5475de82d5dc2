import { alertIdOf, type AlertToEnd, type AlertToRaise, groupBy, onRaised, planEscalation } from '#domain';
import { type Alert, AlertsRepository, asObjectId, type Contact, policyOf } from '#persistence';
import { type Span, traceFields, traceparentOf } from '#platform';
import { Injectable, Logger } from '@nestjs/common';
import { Types } from 'mongoose';
import { OutboxService } from '../delivery/outbox.service.js';
import { Recipients } from '../delivery/recipients.js';
import { AlertTraces } from './alert-traces.js';
import { Flapping } from './flapping.js';

/** A finding, and the alert that records it, with all that was read for it. */
export interface PreparedAlert {
  found: AlertToRaise;
  alert: Alert;
  contact: Contact | undefined;
  /** Undefined while tracing is off. It ends when the alert is recorded. */
  span: Span | undefined;
}

/** More than this of a kind at once are logged in one line. */
const MANY = 10;

/**
 * Records alerts: the step between a check, which detects, and delivery. Every method may be repeated after a crash,
 * because the ids of alerts and notifications derive from what they are about.
 */
@Injectable()
export class AlertsService {
  private readonly logger = new Logger('Alerts');

  constructor(
    private readonly alerts: AlertsRepository,
    private readonly recipients: Recipients,
    private readonly outbox: OutboxService,
    private readonly flapping: Flapping,
    private readonly traces: AlertTraces,
  ) {}

  /**
   * Records alerts and queues the first notifications of their escalation.
   *
   * @returns the ids of the alerts that are open, or whose condition returned while an earlier alert waited to end.
   *   One whose id is missing has to wait until the bottle's earlier alert has ended.
   */
  async raise(found: AlertToRaise[], now: Date): Promise<ReadonlySet<string>> {
    return this.raisePrepared(await this.prepare(found, now), now);
  }

  /**
   * Reads what raising these alerts takes, and writes nothing.
   *
   * @param check its span: the trace of an alert that no report caused begins there.
   */
  async prepare(all: AlertToRaise[], now: Date, check?: Span): Promise<PreparedAlert[]> {
    if (all.length === 0) return [];
    const contacts = await this.recipients.contactsOf(all.map(({ bottle }) => bottle.user_id));
    const isFlapping = await this.flapping.findFlapping(all, now);
    const spans = await this.traces.begin(all, check);
    return all.map((found) => {
      const contact = contacts.get(found.bottle.user_id);
      const span = spans?.get(found);
      const alert = {
        ...toAlert(found, now, span),
        ...(isFlapping(found) ? { flapping: true as const } : {}),
        ...planEscalation(policyOf(contact), found, now),
      };
      return { found, alert, contact, span };
    });
  }

  /** {@link raise}, of what was prepared for the same moment. */
  async raisePrepared(prepared: PreparedAlert[], now: Date): Promise<ReadonlySet<string>> {
    if (prepared.length === 0) return new Set();
    const contacts = new Map(
      prepared.flatMap(({ alert, contact }) => (contact ? [[alert.user_id, contact] as const] : [])),
    );
    const ending = new Set(
      prepared.flatMap(({ found, alert }) => (found.end ? alert._id.toHexString() : [])),
    );
    const raised = await this.record(
      prepared.map(({ alert }) => alert),
      contacts,
      now,
      ({ _id }) => ending.has(_id.toHexString()),
    );
    for (const { span } of prepared) span?.end();
    const byId = new Map(raised.map((alert) => [alert._id.toHexString(), alert]));
    const standing = prepared.map((one) => ({ ...one, alert: byId.get(one.alert._id.toHexString()) }));
    const ended = standing.flatMap(({ found: { end, endsIfRaisedAfter }, alert }) => {
      const stands = endsIfRaisedAfter !== undefined && alert && alert.raised_at <= endsIfRaisedAfter;
      return alert && end && !stands ? [{ alert, end }] : [];
    });
    await this.end(ended, now);
    this.logChanges(raised.map((alert) => ({ what: 'raised', alert })));
    const blocked = standing.filter(({ alert }) => !alert).map((one) => one.found);
    const returned = await this.flapping.resumeReturned(blocked, now);
    return new Set([...byId.keys(), ...returned.map(alertIdOf)]);
  }

  /**
   * Records alerts, and the notifications of their first steps with them. Where that is refused, because one is there
   * already, it is done one after the other: then what a killed notifier has not queued falls due a moment later.
   *
   * @returns those that stand in the database, new or not.
   */
  private async record(
    alerts: Alert[],
    contacts: Map<string, Contact>,
    now: Date,
    isEnding: (alert: Alert) => boolean,
  ): Promise<Alert[]> {
    const begun = this.outbox.firstSteps(alerts, contacts, now, isEnding);
    if (begun && (await this.alerts.raiseNotifying(begun.alerts, begun.notifications))) return begun.alerts;
    const raised = await this.alerts.raise(alerts);
    await this.outbox.queueSteps(raised, contacts, now, isEnding);
    return raised;
  }

  /** Ends alerts and queues the notifications of their end; the end of a flapping alert is held down. */
  async end(all: AlertToEnd[], now: Date): Promise<void> {
    const ending = await this.flapping.holdDown(all, now);
    if (ending.length === 0) return;
    await this.alerts.end(ending);
    await this.outbox.queueEnds(now);
    this.logChanges(ending.map(({ alert, end }) => ({ what: end.owed ?? end.state, alert })));
  }

  /** Corrects how alerts ended, after late data, and notifies whoever was notified of them. */
  async correctEnds(corrected: AlertToEnd[], now: Date): Promise<void> {
    if (corrected.length === 0) return;
    await this.alerts.correctEnds(corrected);
    await this.outbox.queueEnds(now);
  }

  /** Logs one line for each alert, or one for all of a kind when there are many. */
  private logChanges(done: { what: string; alert: AlertToEnd['alert'] }[]): void {
    for (const [line, some] of groupBy(done, ({ what, alert }) => `${what} ${alert.kind}`)) {
      if (some.length > MANY) this.logger.log(`${line} for ${some.length} bottles`);
      else
        for (const { alert } of some)
          this.logger.log(
            `${line} for bottle ${alert.bottle_id.toHexString()}`,
            traceFields(alert.traceparent),
          );
    }
  }
}

/** The id of the alert for a finding. */
export function alertId(found: Parameters<typeof alertIdOf>[0]): Types.ObjectId {
  return new Types.ObjectId(alertIdOf(found));
}

function toAlert(found: AlertToRaise, now: Date, span: Span | undefined): Alert {
  return {
    ...onRaised(found, now),
    _id: alertId(found),
    bottle_id: asObjectId(found.bottle._id),
    ...(span && { traceparent: traceparentOf(span)! }),
  } as Alert;
}
