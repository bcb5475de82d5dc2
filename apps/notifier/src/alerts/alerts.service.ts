import { derivedId } from '#domain';
import { type Alert, type AlertEnd, type AlertKind, AlertsRepository, type Evidence } from '#persistence';
import { Injectable, Logger } from '@nestjs/common';
import { Types } from 'mongoose';
import { OutboxService } from '../delivery/outbox.service.js';
import { Recipients } from '../delivery/recipients.js';

/** A trouble that a check has found and confirmed. */
export interface Trouble {
  bottle: { _id: Types.ObjectId; user_id: string; medication: string };
  kind: AlertKind;
  /** What of the bottle is concerned; empty unless there can be several at once. */
  subject: string;
  /** What makes this trouble this one: the same cause never makes a second alert. */
  cause: Date;
  deadline: Date;
  evidence: Evidence;
  /** How it has ended, when it is found only after its end: it is recorded all the same, and the end told. */
  end?: AlertEnd;
}

/** An alert and how it ends. */
export interface AlertEnding {
  alert: Alert;
  end: AlertEnd;
}

/**
 * Detect, record, deliver: this is the middle step. Whatever is done here may be done again after a crash:
 * alerts and messages are named by what they are about.
 */
@Injectable()
export class AlertsService {
  private readonly logger = new Logger('Alerts');

  constructor(
    private readonly alerts: AlertsRepository,
    private readonly recipients: Recipients,
    private readonly outbox: OutboxService,
  ) {}

  /**
   * Records troubles and queues the first messages of their escalation.
   *
   * @returns the ids of the alerts that stand; a trouble whose alert is not among them has to wait until the
   *   bottle's earlier alert of the kind has ended.
   */
  async raise(troubles: Trouble[], now: Date): Promise<ReadonlySet<string>> {
    if (troubles.length === 0) return new Set();
    const contacts = await this.recipients.contactsOf(troubles.map(({ bottle }) => bottle.user_id));
    const alerts = troubles.map((trouble) => ({
      ...toAlert(trouble, now),
      ...this.outbox.plan(contacts.get(trouble.bottle.user_id), trouble.kind, now),
    }));
    const standing = await this.alerts.raise(alerts);
    await this.outbox.step(
      standing.filter(({ next_step_at }) => next_step_at && next_step_at <= now),
      now,
    );
    const byId = new Map(standing.map((alert) => [alert._id.toHexString(), alert]));
    const over = troubles.flatMap(({ end, ...trouble }) => {
      const alert = byId.get(alertId(trouble).toHexString());
      return alert && end ? [{ alert, end }] : [];
    });
    await this.end(over, now);
    for (const alert of standing)
      this.logger.log(`raised ${alert.kind} for bottle ${alert.bottle_id.toHexString()}`);
    return new Set(byId.keys());
  }

  /** Ends alerts; who was told of them is owed the end, and hears of it even if we are killed in between. */
  async end(endings: AlertEnding[], now: Date): Promise<void> {
    if (endings.length === 0) return;
    await this.alerts.end(
      endings.map(({ alert, end }) => ({ id: alert._id, bottle_id: alert.bottle_id, end })),
    );
    await this.outbox.tellEnds(now);
    for (const { alert, end } of endings) {
      this.logger.log(`${end.owed ?? end.state} ${alert.kind} for bottle ${alert.bottle_id.toHexString()}`);
    }
  }

  /** Takes back alerts that have ended: late data shows that nobody should have been told. */
  async retract(alerts: { alert: Alert; evidence: Partial<Evidence> }[], now: Date): Promise<void> {
    if (alerts.length === 0) return;
    for (const { alert, evidence } of alerts) await this.alerts.retractEnded(alert, now, evidence);
    await this.outbox.tellEnds(now);
  }
}

/** The id of the alert for a trouble. */
export function alertId({ bottle, kind, cause }: Pick<Trouble, 'bottle' | 'kind' | 'cause'>): Types.ObjectId {
  return new Types.ObjectId(derivedId('alert', bottle._id.toHexString(), kind, cause.toISOString()));
}

function toAlert(trouble: Trouble, now: Date): Alert {
  const { bottle, kind, subject, deadline, evidence } = trouble;
  return {
    _id: alertId(trouble),
    bottle_id: bottle._id,
    user_id: bottle.user_id,
    medication: bottle.medication,
    kind,
    subject,
    state: 'open',
    open: true,
    deadline,
    raised_at: now,
    evidence,
    history: [{ event: 'raised', at: now, by: 'notifier' }],
    escalation: [],
  };
}
