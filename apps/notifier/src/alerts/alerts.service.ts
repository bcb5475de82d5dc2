import { derivedId } from '#domain';
import { type Alert, type AlertEnd, type AlertKind, AlertsRepository, type Evidence } from '#persistence';
import { Injectable, Logger } from '@nestjs/common';
import { Types } from 'mongoose';
import { OutboxService } from '../delivery/outbox.service.js';
import { Recipients } from '../delivery/recipients.js';
import { Flapping } from './flapping.js';

/** More than this of a kind at once are logged together. */
const MANY = 10;

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
    private readonly flapping: Flapping,
  ) {}

  /**
   * Records troubles and queues the first messages of their escalation.
   *
   * @returns the ids of the alerts that stand, or that an earlier one stands for because the trouble has only come
   *   back; a trouble whose alert is not among them has to wait until the bottle's earlier alert has ended.
   */
  async raise(troubles: Trouble[], now: Date): Promise<ReadonlySet<string>> {
    if (troubles.length === 0) return new Set();
    const contacts = await this.recipients.contactsOf(troubles.map(({ bottle }) => bottle.user_id));
    const comesAndGoes = await this.flapping.among(troubles, now);
    const alerts = troubles.map((trouble) => ({
      ...toAlert(trouble, now),
      ...(comesAndGoes(trouble) ? { flapping: true as const } : {}),
      ...this.outbox.plan(contacts.get(trouble.bottle.user_id), trouble.kind, now),
    }));
    const standing = await this.alerts.raise(alerts);
    await this.outbox.step(standing, contacts, now);
    const byId = new Map(standing.map((alert) => [alert._id.toHexString(), alert]));
    const over = troubles.flatMap(({ end, ...trouble }) => {
      const alert = byId.get(alertId(trouble).toHexString());
      return alert && end ? [{ alert, end }] : [];
    });
    await this.end(over, now);
    this.say(standing.map((alert) => ({ what: 'raised', alert })));
    const blocked = troubles.filter((trouble) => !byId.has(alertId(trouble).toHexString()));
    const back = await this.flapping.goOn(blocked, now);
    return new Set([...byId.keys(), ...back.map((trouble) => alertId(trouble).toHexString())]);
  }

  /**
   * Ends alerts; who was told of them is owed the end, and hears of it even if we are killed in between. Where the
   * trouble comes and goes, the end waits.
   */
  async end(all: AlertEnding[], now: Date): Promise<void> {
    const endings = await this.flapping.hold(all, now);
    if (endings.length === 0) return;
    await this.alerts.end(
      endings.map(({ alert, end }) => ({ id: alert._id, bottle_id: alert.bottle_id, end })),
    );
    await this.outbox.tellEnds(now);
    this.say(endings.map(({ alert, end }) => ({ what: end.owed ?? end.state, alert })));
  }

  /** A line for each, unless there are many: then a line for all of a kind. */
  private say(done: { what: string; alert: Alert }[]): void {
    const lines = new Map<string, Alert[]>();
    for (const { what, alert } of done) {
      const line = `${what} ${alert.kind}`;
      if (!lines.get(line)?.push(alert)) lines.set(line, [alert]);
    }
    for (const [line, alerts] of lines) {
      if (alerts.length > MANY) this.logger.log(`${line} for ${alerts.length} bottles`);
      else
        for (const { bottle_id } of alerts) this.logger.log(`${line} for bottle ${bottle_id.toHexString()}`);
    }
  }

  /** Corrects how alerts ended, by what late data shows; who was told of them hears it. */
  async endAgain(endings: AlertEnding[], now: Date): Promise<void> {
    if (endings.length === 0) return;
    await this.alerts.endAgain(endings);
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
