import { carerSince, contactAt, type ContactHistory, stepsFor } from './oracle/contact-plan.js';
import type { EndpointPlan } from './oracle/endpoints.js';
import { type ExpectedAlert, type HiddenDose, type ServiceFacts, type Span } from './oracle/facts.js';
import { isCarer, type RefusedSpan } from './oracle/routes.js';
import type { StaffAction } from './oracle/due-messages.js';
import { notificationsOf } from './oracle/notifications.js';
import type { ExpectedNotification } from './oracle/expected-notification.js';
import { QuietHours } from './quiet-hours.js';
import type { WallClocks } from './oracle/wall-clock.js';

/** What is sent of a bottle that is retired: that something is over, or was wrong (LIFE-3). */
const STILL_SENT: ExpectedNotification['event'][] = ['closed_by_staff', 'resolved', 'retracted', 'corrected'];

/** An expected alert and its notifications. */
export class AlertNotifications {
  actions: StaffAction[] = [];
  private readonly delayed = new Map<string, number>();
  private kept: { messages: ExpectedNotification[]; last: number; quietHours: QuietHours[] } | undefined;
  /** Receivers that refuse everything for a time. */
  refused: readonly RefusedSpan[] = [];
  /** When the bottle is erased: then nothing more is sent. */
  erasedAt = Infinity;
  /** When the bottle is retired: then only what is over, or was wrong, is sent. */
  retiredAt = Infinity;

  constructor(
    readonly alert: ExpectedAlert,
    /** Whose bottle it is about; nobody's if it is about the service. */
    readonly user: string | undefined,
    public contact: ContactHistory,
    private readonly service: ServiceFacts,
    private readonly walls: WallClocks,
    /** Those of all alerts of the fleet. */
    private readonly all: ReadonlyMap<ExpectedAlert, AlertNotifications>,
    /** Beside that of the settings. */
    private readonly endpoints: readonly EndpointPlan[],
  ) {}

  /** Of this alert. Works them out each time, unless they are kept. */
  get messages(): ExpectedNotification[] {
    return this.kept?.messages ?? this.workOut();
  }

  /** Those of them that are mails; no other endpoint changes them. */
  get mails(): ExpectedNotification[] {
    return this.messagesWith(undefined).filter(({ channel }) => channel === 'email');
  }

  /** Keeps the messages as they are now, while nothing is changed. */
  keep(): void {
    const messages = this.workOut();
    this.kept = { messages, last: this.lastMoment(messages), quietHours: this.quietHours() };
  }

  /** Works the messages out again from now on. */
  release(): void {
    this.kept = undefined;
  }

  private workOut(): ExpectedNotification[] {
    return [undefined, ...this.endpoints].flatMap((endpoint) => this.messagesWith(endpoint));
  }

  /**
   * Those over mail and to the endpoint of the settings, or those to another endpoint.
   *
   * @param until later ones may be left out
   */
  private messagesWith(endpoint: EndpointPlan | undefined, until = Infinity): ExpectedNotification[] {
    const kept = this.kept?.messages.filter((message) => message.endpoint === endpoint?.name);
    if (kept) return kept;
    const all = notificationsOf(
      this.alert,
      this.contact,
      this.actions,
      this.service,
      this.walls,
      {
        about: (other, moment) => this.all.get(other)?.messagesWith(endpoint, moment) ?? [],
        isKnown: (silence, now) => this.all.get(silence)?.isKnown(now) ?? false,
        alertsOf: (dose) => this.alertsOf(dose),
      },
      this.refused,
      endpoint,
      until,
    );
    return all
      .filter((message) => message.endpoint === endpoint?.name)
      .filter((one) => one.at < this.erasedAt && (one.at < this.retiredAt || STILL_SENT.includes(one.event)))
      .map((message) => this.afterDelay(message));
  }

  /** Whether people know of the alert at a moment: staff closed it, or a start or reminder was sent to somebody in the plan. */
  private isKnown(now: number): boolean {
    return (
      this.actions.some(({ action, at }) => action === 'close' && at <= now) ||
      [undefined, ...this.endpoints]
        .flatMap((endpoint) => this.messagesWith(endpoint, now))
        .some(
          ({ event, who, at }) =>
            (event === 'raised' || event === 'escalated') &&
            at <= now &&
            !(isCarer(who) && at < carerSince(this.contact, now, who)),
        )
    );
  }

  /** The alerts by which people are notified that a dose is unknown, or unconfirmed after a gap of ours. */
  private alertsOf({ bottle, dose }: HiddenDose): ExpectedAlert[] {
    return [...this.all.keys()].filter(
      ({ kind, bottle: of, facts }) =>
        (kind === 'missed_dose' || kind === 'coverage_gap') && of === bottle && facts?.dose === dose,
    );
  }

  /** Sends a message later than is expected. */
  delay(message: ExpectedNotification, until: number): void {
    this.delayed.set(keyOf(message), until);
  }

  /** Whether a message that is due is sent unchanged up to a moment, as far as its alert goes, and no other about it. */
  staysTrue({ at, who, channel, endpoint }: ExpectedNotification, until: number): boolean {
    const { ends, clear } = this.alert;
    const others = this.messages.filter(
      (other) => other.who === who && other.channel === channel && other.endpoint === endpoint,
    );
    const changes = [
      ...ends.map((end) => end.at),
      ...clear.flatMap(({ from, to }) => [from, to]),
      ...this.actions.flatMap((action) => [action.at, action.until ?? action.at]),
      ...others.map((other) => other.at),
      ...this.contact.changes.map((change) => change.at),
      this.erasedAt,
      this.retiredAt,
    ];
    const isCalm = !changes.some((change) => at < change && change <= until);
    return isCalm && until < this.service.to && this.isAwakeWithin({ from: at, to: until });
  }

  private afterDelay(message: ExpectedNotification): ExpectedNotification {
    const until = this.delayed.get(keyOf(message));
    return until === undefined ? message : { ...message, at: until, by: until };
  }

  /** Whether the alert is open at a moment, with a margin on both sides. */
  isOpenAround(at: number, room: number): boolean {
    const { raisedBy, ends } = this.alert;
    return raisedBy + room < at && at < (ends[0]?.at ?? Infinity) - room;
  }

  /**
   * How often the contact changes within a span, if anything is owed of the alert then.
   *
   * @param from changes before are left out
   */
  contactChangesWithin(span: Span, from = span.from): number {
    return this.momentsWithin(span) === undefined ? 0 : this.contactChanges({ from, to: span.to }).length;
  }

  /**
   * How often the alert changes within a span: its state, its recipients, or whether quiet hours defer it.
   *
   * @param without what is left out
   */
  changesWithin(span: Span, without?: 'contact'): number {
    const moments = this.momentsWithin(span);
    if (!moments) return 0;
    const all = without ? moments : [...moments, ...this.contactChanges(span)];
    return new Set(all).size + this.quietEdges(span);
  }

  private contactChanges({ from, to }: Span): number[] {
    return this.contact.changes.map(({ at }) => at).filter((at) => from <= at && at <= to);
  }

  private momentsWithin({ from, to }: Span): number[] | undefined {
    const { kind, raisedAt, raisedBy, ends, facts } = this.alert;
    if (raisedAt > to || (ends.length > 0 && (this.kept?.last ?? this.lastMoment()) < from)) return undefined;
    const steps = stepsFor(kind, contactAt(this.contact, raisedAt)).flatMap(({ after, repeat }) => {
      const first = (kind === 'dose_reminder' ? facts!.dose! : raisedAt) + after;
      return repeat === undefined
        ? [first]
        : [first, first + Math.max(0, Math.ceil((from - first) / repeat)) * repeat];
    });
    const moments = [
      raisedAt,
      raisedBy,
      ...ends.map(({ at }) => at),
      ...steps,
      ...this.actions.flatMap(({ at, until }) => (until === undefined ? [at] : [at, until])),
      this.erasedAt,
      ...this.alert.clear.flatMap((span) => [span.from, span.to]),
    ];
    return moments.filter((at) => from <= at && at <= to);
  }

  /** Whether a notifier runs all the time, and nobody has quiet hours. */
  isAwakeWithin({ from, to }: Span): boolean {
    return (
      this.service.notifying.some((span) => span.from <= from && to < span.to) &&
      !this.quietHours().some((hours) => hours.isWithin({ from, to }))
    );
  }

  private quietEdges(span: Span): number {
    const all = this.kept?.quietHours ?? this.quietHours();
    return all.reduce((edges, hours) => edges + hours.edgesWithin(span), 0);
  }

  /** Of each recipient that has some. */
  private quietHours(): QuietHours[] {
    const { first, changes } = this.contact;
    const recipients = [first, ...changes.map(({ to }) => to)].flatMap(({ user, carers }) => [
      user,
      ...carers,
    ]);
    return [...new Set(recipients.flatMap((one) => QuietHours.of(one, this.walls) ?? []))];
  }

  /** When the last happens of what is known to happen. */
  private lastMoment(messages = this.messages): number {
    const { ends, raisedAt } = this.alert;
    return Math.max(...ends.map(({ at }) => at), ...messages.map(({ at }) => at), raisedAt);
  }
}

/** Distinguishes the messages about one alert. */
const keyOf = ({ event, who, channel, endpoint, at }: ExpectedNotification): string =>
  `${event} ${who} ${channel} ${endpoint} ${at}`;
