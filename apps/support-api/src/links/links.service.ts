import {
  ACTIVE_STATES,
  alertTitle,
  asksForDose,
  type DoseEndEvidence,
  type Attestation,
  attestorText,
  canBeAcknowledged,
  derivedId,
  isCarer,
  isOperator,
  isTaken,
  isUser,
  MINUTE_MS,
  readReport,
  SKIP_REASON_TEXTS,
  SKIP_REASONS,
  type Statement,
} from '#domain';
import {
  addressOver,
  type Alert,
  AlertActionsRepository,
  AlertsRepository,
  AttestationsRepository,
  type ContactDetails,
  contactDetailsOf,
  ContactsRepository,
  DeliveriesRepository,
  type Delivery,
} from '#persistence';
import { Clock, Problem, type SignedLink } from '#platform';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { AttestationsService } from '../attestations/attestations.service.js';
import { PeriodsService } from '../bottles/periods.service.js';
import { AuditLog } from '../auth/audit-log.js';
import { itsBottle } from '../auth/audited.js';
import { SupportApiConfig } from '../config.js';
import { type Button, invalidLink, openLink, type Page, page, revokedLink } from './page.js';

const NOT_ACKNOWLEDGED = 'The alert was not acknowledged, and nothing was recorded.';
/** The times at which a recipient can promise to take a dose are multiples of this. Milliseconds. */
const QUARTER_MS = 15 * MINUTE_MS;
/** How long from now they are, at least. Milliseconds. */
const LATER_MS = [15 * MINUTE_MS, 45 * MINUTE_MS, 105 * MINUTE_MS];

/** What a valid link stands for. */
interface Followed {
  alert: Alert;
  delivery: Delivery;
  /** Absent for the operator. */
  details?: ContactDetails;
}

/** What a recipient may do through the link of a notification: acknowledge that one alert, and attest its dose. */
@Injectable()
export class LinksService {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly actions: AlertActionsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly contacts: ContactsRepository,
    private readonly statements: AttestationsRepository,
    private readonly attestations: AttestationsService,
    private readonly periods: PeriodsService,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly config: SupportApiConfig,
  ) {}

  /** The page with the buttons. */
  async ask(token: string): Promise<Page> {
    const found = await this.find(token);
    if ('html' in found) return found;
    const { alert } = found;
    const buttons = [...(await this.doseButtons(found, token)), ...pillboxButtons(found, token)];
    if (canBeAcknowledged(alert)) buttons.push(['I am taking care of it', '']);
    if (buttons.length === 0) return ended();
    const ask = 'Are you taking care of it? If you confirm, reminders stop.';
    const text = asksForDose(alert) ? await this.doseText(found) : (pillboxText(found) ?? ask);
    const event = alert.kind === 'coverage_gap' && asksForDose(alert) ? 'unconfirmed' : 'raised';
    return page(200, alertTitle({ ...alert, event }), text, buttons);
  }

  /** Which dose it is, and what somebody reported of it before. */
  private async doseText({ alert, details }: Followed): Promise<string> {
    const time = timeIn(zoneOf(details));
    const slot = new Date(alert.subject);
    const entries = await this.statements.findBetween(alert.bottle_id, slot, new Date(slot.getTime() + 1));
    const latest = readReport(entries)?.latest;
    return [
      `The dose of ${time(slot)}.`,
      ...(latest ? [`${statedText(latest, time)}.`] : []),
      'What you press is recorded.',
    ].join(' ');
  }

  private async doseButtons(found: Followed, token: string): Promise<Button[]> {
    if (!(await this.canAttest(found))) return [];
    const to = (statement: string): string => `${token}/${statement}`;
    const isTheirs = isUser(found.delivery);
    const [taken, later, skipped] = isTheirs
      ? ['I took it', 'I will take it', 'I am skipping it']
      : ['It was taken', 'It will be taken', 'It is skipped'];
    return [
      [taken, to('taken')],
      ...this.laterTimes(found.alert).map((at): Button => [
        `${later} at ${timeOfDay(at, found.details)}`,
        to(`later-${at.getTime() / MINUTE_MS}`),
      ]),
      ...[...SKIP_REASON_TEXTS].map(([reason, text]): Button => [
        `${skipped}: ${text}`,
        to(`skipped-${reason}`),
      ]),
    ];
  }

  /** Each link attests the dose once, and only while the bottle did not measure that it was taken. */
  private async canAttest({ alert, delivery }: Followed): Promise<boolean> {
    if (!asksForDose(alert) || alert.state === 'retracted') return false;
    const { outcome }: DoseEndEvidence = alert.evidence;
    if (outcome && isTaken(outcome)) return false;
    return (await this.statements.find(alert.bottle_id, statementId(delivery))) === null;
  }

  /** When a dose can be promised: soon, before it is missed, and if no promise is kept waiting already. */
  private laterTimes(alert: Alert): Date[] {
    const now = this.clock.now();
    const { state, snoozed_until } = alert;
    if (!ACTIVE_STATES.includes(state) || (snoozed_until && snoozed_until > now)) return [];
    if (alert.kind !== 'missed_dose') return [];
    const { missed_at } = alert.evidence;
    const quarters = LATER_MS.map((ms) => Math.ceil((now.getTime() + ms) / QUARTER_MS) * QUARTER_MS);
    return quarters.map((at) => new Date(at)).filter((at) => at <= missed_at);
  }

  /** What the recipient states about the dose: `taken`, `skipped-REASON` or `later-MINUTES` since 1970. */
  async state(token: string, statement: string): Promise<Page> {
    const found = await this.find(token);
    if ('html' in found) return found;
    const [kind, of = ''] = statement.split('-') as [string, string?];
    if (statement === 'pillbox') return this.fillPillbox(found);
    if (kind === 'later') return this.promise(found, new Date(Number(of) * MINUTE_MS));
    const reason = SKIP_REASONS.find((each) => each === of);
    if (kind === 'taken' && of === '') return this.attest(found, { kind: 'taken' });
    if (kind === 'skipped' && reason) return this.attest(found, { kind: 'skipped', reason });
    return invalidLink();
  }

  private async attest(found: Followed, statement: Statement): Promise<Page> {
    if (!(await this.canAttest(found))) return used();
    const { alert, delivery } = found;
    const { recipient } = delivery;
    const attested_by = isCarer(delivery) ? 'carer' : isOperator(delivery) ? 'staff' : 'user';
    const by = { attested_by, recorded_by: recipient } as const;
    try {
      const slot = new Date(alert.subject);
      await this.attestations.attest(alert.bottle_id, slot, statement, by, statementId(delivery));
    } catch (error) {
      // the link was used at the same time, or the schedule has the dose no more
      if (error instanceof Problem) return used();
      throw error;
    }
    await this.recordAction(alert, recipient, 'dose.attest');
    return page(200, 'Thank you', 'It is recorded. Everyone involved can see what you reported.');
  }

  /** The doses that the pills are for are not monitored, and the alert ends. */
  private async fillPillbox({ alert, delivery: { recipient: by } }: Followed): Promise<Page> {
    const until = pillboxUntil(alert);
    if (!until || alert.kind !== 'extra_dose') return used();
    const id = derivedId('pillbox', alert._id.toHexString());
    const period = { from: alert.evidence.removed_at, to: until, by };
    if (!(await this.periods.addPillbox(alert.bottle_id, id, period))) return used();
    await this.recordAction(alert, by, 'bottle.add_period');
    return page(200, 'Thank you', 'It is recorded: those doses are expected from the pillbox.');
  }

  /** Reminders wait until the time that the recipient promises. */
  private async promise({ alert, delivery, details }: Followed, until: Date): Promise<Page> {
    const { recipient: by } = delivery;
    const isOffered =
      this.laterTimes(alert).length > 0 &&
      until > this.clock.now() &&
      alert.kind === 'missed_dose' &&
      until <= alert.evidence.missed_at;
    if (!isOffered || !(await this.canAttest({ alert, delivery }))) return used();
    const actor = { by, at: this.clock.now(), note: 'will take it then' };
    if (!(await this.actions.snooze(alert._id, until, actor, alert.state))) return used();
    await this.recordAction(alert, by, 'alert.snooze');
    const time = timeOfDay(until, details);
    return page(200, 'Thank you', `Reminders wait until ${time}. Take the dose from the bottle then.`);
  }

  async acknowledge(token: string): Promise<Page> {
    const found = await this.find(token);
    if ('html' in found) return found;
    const { alert, delivery } = found;
    if (!canBeAcknowledged(alert)) return ended();
    const { recipient } = delivery;
    const acknowledged = await this.actions.acknowledge(alert._id, { by: recipient, at: this.clock.now() });
    if (acknowledged) await this.recordAction(acknowledged, recipient, 'alert.acknowledge');
    const current = acknowledged ?? (await this.alerts.findById(alert._id));
    return acknowledged || current?.state === 'acknowledged'
      ? page(
          200,
          'Thank you',
          'The alert is acknowledged. Everyone involved can see that you are taking care of it.',
        )
      : ended();
  }

  private recordAction({ _id, bottle_id }: Alert, recipient: string, action: string): Promise<void> {
    return this.audit.record(
      { kind: 'link', id: recipient, name: recipient },
      {
        action,
        subject: { kind: 'alert', id: _id.toHexString() },
        also: itsBottle({ bottle_id: bottle_id.toHexString() }),
      },
    );
  }

  /** What the link stands for; a page that says why it stands for nothing. */
  private async find(token: string): Promise<Followed | Page> {
    const link = openLink(this.config, token, this.clock.now(), NOT_ACKNOWLEDGED);
    if ('html' in link) return link;
    const delivery = await this.deliveries.findById(link.id);
    const alert = delivery && (await this.alerts.findById(delivery.alert_id));
    if (!alert || !(canBeAcknowledged(alert) || asksForDose(alert))) return ended();
    if (isOperator(delivery)) return { alert, delivery };
    const details = await this.recipientOf(link, delivery, alert);
    return details
      ? { alert, delivery, details }
      : revokedLink(`${NOT_ACKNOWLEDGED} Please contact support.`);
  }

  /** The recipient, if still one of the user's contacts, with the address to which the link was sent. */
  private async recipientOf(
    link: SignedLink,
    { recipient, channel }: Delivery,
    { user_id }: Alert,
  ): Promise<ContactDetails | undefined> {
    const details = contactDetailsOf(recipient, (await this.contacts.findByUser(user_id)) ?? undefined);
    const address = details && addressOver(channel, details);
    return address !== undefined && link.wasSentTo(address) ? details : undefined;
  }
}

/** Until when the pills of an alert may be in a pillbox; undefined if they may not, or if it has ended. */
function pillboxUntil(alert: Alert): Date | undefined {
  if (alert.kind !== 'extra_dose' || !ACTIVE_STATES.includes(alert.state)) return undefined;
  return alert.evidence.pillbox_until;
}

function pillboxButtons({ alert, details }: Followed, token: string): Button[] {
  const until = pillboxUntil(alert);
  if (!until) return [];
  return [[`They are in a pillbox until ${timeIn(zoneOf(details))(until)}`, `${token}/pillbox`]];
}

function pillboxText({ alert, details }: Followed): string | undefined {
  const until = pillboxUntil(alert);
  if (!until || alert.kind !== 'extra_dose') return undefined;
  const time = timeIn(zoneOf(details));
  return `Pills were removed on ${time(alert.evidence.removed_at)}, as many as the doses before ${time(until)} have. What you press is recorded.`;
}

/** Of the one statement that a link can make. */
const statementId = ({ _id }: Delivery): Types.ObjectId => new Types.ObjectId(derivedId('link', _id));

const zoneOf = (details: ContactDetails | undefined): string => details?.time_zone ?? 'UTC';

/** In the recipient's zone; the operator has none, and reads which it is. */
function timeOfDay(at: Date, details: ContactDetails | undefined): string {
  const time = new Intl.DateTimeFormat('en-GB', { timeZone: zoneOf(details), timeStyle: 'short' }).format(at);
  return details ? time : `${time} UTC`;
}

/** `Sunday 1 March, 12:00 CET` */
function timeIn(timeZone: string): (at: Date) => string {
  const day = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'long', day: 'numeric', month: 'long' });
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  return (at) => `${day.format(at)}, ${time.format(at)}`;
}

/** `The patient reported it taken at Sunday 1 March, 12:10 CET` */
function statedText(
  { outcome, taken_at, reason, ...attested }: Attestation,
  time: (at: Date) => string,
): string {
  const who = attestorText(attested);
  const reasonText = reason && SKIP_REASON_TEXTS.get(reason);
  const skipped = reasonText === undefined ? 'skipped' : `skipped (${reasonText})`;
  const what: Record<string, string> = { skipped, not_taken: 'removed for later', partial: 'partly taken' };
  const when = taken_at ? ` at ${time(taken_at)}` : '';
  const text = `${who} reported it ${what[outcome] ?? 'taken'}${when}, on ${time(attested.at)}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function used(): Page {
  const text =
    'This was recorded before, or is too late. Nothing was changed. To correct it, contact support.';
  return page(409, 'Already answered', text);
}

function ended(): Page {
  return page(200, 'This alert has ended', 'You do not need to do anything.');
}
