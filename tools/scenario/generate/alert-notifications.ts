import { contactAt, type ContactHistory } from './oracle/contact-plan.js';
import { type ExpectedAlert, type ServiceFacts, MINUTE, type Span } from './oracle/facts.js';
import {
  isQuiet,
  type StaffAction,
  notificationsOf,
  type ExpectedNotification,
} from './oracle/notifications.js';
import type { WallClocks } from './oracle/wall-clock.js';

/** An expected alert and its notifications. */
export class AlertNotifications {
  actions: StaffAction[] = [];
  /** When the bottle is erased: then nothing more is sent. */
  erasedAt = Infinity;

  constructor(
    readonly alert: ExpectedAlert,
    private readonly contact: ContactHistory,
    private readonly service: ServiceFacts,
    private readonly walls: WallClocks,
    /** Those of all alerts of the fleet. */
    private readonly all: ReadonlyMap<ExpectedAlert, AlertNotifications>,
  ) {}

  get messages(): ExpectedNotification[] {
    const all = notificationsOf(
      this.alert,
      this.contact,
      this.actions,
      this.service,
      this.walls,
      (other) => this.all.get(other)?.messages ?? [],
    );
    return all.filter(({ at }) => at < this.erasedAt);
  }

  /** Whether the alert is open at a moment, with a margin on both sides. */
  isOpenAround(at: number, room: number): boolean {
    const { raisedBy, ends } = this.alert;
    return raisedBy + room < at && at < (ends[0]?.at ?? Infinity) - room;
  }

  /** How often the alert changes within a span: its state, its recipients, or whether quiet hours defer it. */
  changesWithin({ from, to }: Span): number {
    const { raisedAt, raisedBy, ends } = this.alert;
    const last = Math.max(...ends.map(({ at }) => at), ...this.messages.map(({ at }) => at), raisedAt);
    if (raisedAt > to || (ends.length > 0 && last < from)) return 0;
    const steps = contactAt(this.contact, raisedAt).steps.flatMap(({ after, repeat }) => {
      const first = raisedAt + after;
      return repeat === undefined
        ? [first]
        : [first, first + Math.max(0, Math.ceil((from - first) / repeat)) * repeat];
    });
    const moments = [
      raisedAt,
      raisedBy,
      ...ends.map(({ at }) => at),
      ...steps,
      ...this.actions.map(({ at }) => at),
      this.erasedAt,
      this.contact.change?.at ?? Infinity,
      ...this.alert.clear.flatMap((span) => [span.from, span.to]),
    ];
    const changes = new Set(moments.filter((at) => from <= at && at <= to));
    return changes.size + this.quietEdges(from, to);
  }

  private quietEdges(from: number, to: number): number {
    let edges = 0;
    const { first, change } = this.contact;
    for (const recipient of [first.user, first.carer, change?.to.user, change?.to.carer]) {
      if (!recipient?.quiet) continue;
      const wall = this.walls.in(recipient.zone);
      const isQuietAt = (at: number): boolean => isQuiet(recipient.quiet!, wall.timeAt(at));
      for (let at = from; at < to; at += MINUTE) if (isQuietAt(at) !== isQuietAt(at + MINUTE)) edges += 1;
    }
    return edges;
  }
}
