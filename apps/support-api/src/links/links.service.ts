import {
  alertIdOf,
  alertTitle,
  asksForDose,
  canBeAcknowledged,
  type DoseEndEvidence,
  isTaken,
  isUser,
  MINUTE_MS,
  NOTIFICATION_EVENT_FACTS,
  type NotificationEvent,
  type Settled,
  settledBy,
  SKIP_REASONS,
  type UnmonitoredPeriod,
} from '#domain';
import {
  type Alert,
  AlertActionsRepository,
  AlertsRepository,
  BottlesRepository,
  BottleStatesRepository,
  type Delivery,
  isEntered,
  isReadByPeople,
} from '#persistence';
import { Clock, html, type Markup, pushKeyOf } from '#platform';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { SupportApiConfig } from '../config.js';
import { DoseAnswers, isDoseAsked, type LinkStatement } from './dose-answers.js';
import { actedText, isTakenByAnother } from './acted.js';
import { type Followed, FollowedLinks, invalid } from './followed-links.js';
import type { Form } from './form-body.js';
import { HelpAnswers } from './help-answers.js';
import { knownOf } from './known.js';
import { LinkAudit } from './link-audit.js';
import { offer } from '../push/offer.js';
import { button, form, link, more, notice, type Page } from './page.js';
import { PillboxAnswers } from './pillbox-answers.js';
import type { Reader } from './reader.js';

/** What a recipient may do through the link of a notification: acknowledge that one alert, and attest its dose. */
@Injectable()
export class LinksService {
  constructor(
    private readonly links: FollowedLinks,
    private readonly alerts: AlertsRepository,
    private readonly actions: AlertActionsRepository,
    private readonly bottles: BottlesRepository,
    private readonly states: BottleStatesRepository,
    private readonly answers: DoseAnswers,
    private readonly help: HelpAnswers,
    private readonly pillbox: PillboxAnswers,
    private readonly audit: LinkAudit,
    private readonly clock: Clock,
    private readonly config: SupportApiConfig,
  ) {}

  /** The page with what the message says, and with the buttons. */
  async ask(token: string, accepted: string | undefined): Promise<Page> {
    const found = await this.links.ofAlert(token, accepted);
    if ('status' in found) return found;
    const { alert, reader, delivery } = found;
    const stated = await this.answers.statementOf(found);
    const report = asksForDose(alert) ? await this.answers.reportOf(alert) : undefined;
    const pillbox = await this.pillbox.enteredOf(found);
    const undo = this.answers.undoUntil(stated);
    const call = asksForDose(alert) ? await this.help.callOf(found) : undefined;
    const actions = [
      ...(undo ? [button(reader.say('undo'), `${token}/undo`)] : []),
      ...(this.answers.promiseUndoUntil(found) ? [button(reader.say('undo'), `${token}/undo-later`)] : []),
      ...(pillbox.undo ? [button(reader.say('undo'), `${token}/undo-pillbox`)] : []),
      ...this.doseActions(found, stated),
      ...(await this.pillbox.actions(found)),
      ...this.help.actions(found, call),
      ...(this.help.undoUntil(found, call) ? [button(reader.say('undo_help'), `${token}/undo-help`)] : []),
      ...(alert.state === 'open' ? [button(reader.say('acknowledge'), '', !asksForDose(alert))] : []),
    ];
    if (actions.length === 0 && !canBeAcknowledged(alert)) return this.links.ended(found);
    const [facts, state, latest] = await Promise.all([
      this.factsOf(found),
      this.states.findById(alert.bottle_id),
      this.latestOf(alert),
    ]);
    const text = [
      ...this.textOf(found, call),
      ...this.answers.text(found, report, stated),
      ...this.pillbox.doseText(found, pillbox),
      ...(asksForDose(alert) ? [reader.say('ask_dose')] : []),
    ];
    const wrong = found.to && isReadByPeople(delivery.channel);
    return {
      status: 200,
      reader,
      title: titleOf(found, latest, settledBy(report), pillbox.period),
      facts,
      lead: asksForDose(alert)
        ? reader.say('dose_of', { time: reader.time(new Date(alert.subject)) })
        : undefined,
      known: knownOf(latest, state, reader),
      text,
      actions: [...actions, ...(wrong ? [link(reader.say('wrong_person'), `../s/${token}`)] : [])],
      push: found.to && isEntered(delivery.channel) ? this.offerPush(reader, token) : undefined,
    };
  }

  /** The alert that says what became of the dose since: for a reminder, that of the late dose, if there is one (MSG-23). */
  private async latestOf(alert: Alert): Promise<Alert> {
    const { kind, bottle_id, subject } = alert;
    if (kind !== 'dose_reminder') return alert;
    const late = alertIdOf({ bottle: { _id: bottle_id }, kind: 'missed_dose', cause: new Date(subject) });
    return (await this.alerts.findById(new Types.ObjectId(late))) ?? alert;
  }

  private offerPush(reader: Reader, token: string): Markup | undefined {
    const { PUSH_KEY } = this.config;
    return PUSH_KEY === undefined ? undefined : offer(reader, pushKeyOf(PUSH_KEY).publicKey, `${token}/push`);
  }

  /** Whose it is, and of which bottle: two bottles that are due at once cannot be taken for each other. */
  private async factsOf({ alert, to, reader }: Followed): Promise<[string, string][]> {
    const bottle = await this.bottles.findById(alert.bottle_id);
    if (!bottle) return [];
    const end = bottle._id.toHexString().slice(-6);
    const { label } = bottle;
    return [
      [reader.say('person'), to?.contact.name ?? alert.user_id],
      [
        reader.say('bottle'),
        label ? reader.say('bottle_labelled', { label, end }) : reader.say('bottle_unlabelled', { end }),
      ],
      // as in messages: the operator's name it (MSG-5)
      ...(this.config.MAIL_NAMES_MEDICATION || !to
        ? [[reader.say('medication'), alert.medication] satisfies [string, string]]
        : []),
    ];
  }

  /** What somebody did before, and what pressing does. */
  private textOf(found: Followed, call: Alert<'help_requested'> | undefined): string[] {
    const { alert, reader } = found;
    const ofCall = this.help.text(found, alert.kind === 'help_requested' ? alert : call);
    if (alert.kind === 'help_requested')
      return [
        reader.say('help_with_dose', { time: reader.time(new Date(alert.subject)) }),
        ...ofCall,
        ...(alert.state === 'open' ? [reader.say('ask_acknowledge')] : []),
      ];
    const acted = [...actedText(found, this.clock.now()), ...ofCall];
    if (asksForDose(alert)) return acted;
    const ask = alert.state === 'open' ? [reader.say('ask_acknowledge')] : [];
    return [...acted, ...(this.pillbox.text(found) ?? ask)];
  }

  private doseActions(found: Followed, stated: LinkStatement): Markup[] {
    if (!this.answers.canState(found, stated)) return [];
    const { alert, delivery, token, reader } = found;
    const isTheirs = isUser(delivery);
    const at = reader.say('taken_when');
    const from = reader.say('taken_from');
    const source = (value: string, label: string): Markup =>
      html`<label><input type="radio" name="source" value="${value}" />${label}</label>`;
    const otherwise = form(
      `${token}/taken`,
      [
        html`<label>${at}<input type="time" name="at" /></label>`,
        html`<fieldset>
          <legend>${from}</legend>
          ${source('from_bottle', reader.say('from_bottle'))}
          ${source('elsewhere', reader.say('from_elsewhere'))}
        </fieldset>`,
      ],
      reader.say('record'),
    );
    const reasons = SKIP_REASONS.map((reason) =>
      button(reader.say(`skip_${reason}`), `${token}/skipped-${reason}`),
    );
    const otherReason = form(
      `${token}/skipped-other`,
      [
        html`<label
          >${reader.say('skip_in_own_words')}<input type="text" name="note" maxlength="200"
        /></label>`,
      ],
      reader.say('record'),
    );
    return [
      button(reader.say(isTheirs ? 'i_took_it' : 'it_was_taken'), `${token}/taken`, true),
      ...this.answers
        .laterTimes(alert)
        .map((time) =>
          button(
            reader.say(isTheirs ? 'i_will_take_it' : 'it_will_be_taken', { time: reader.timeOfDay(time) }),
            `${token}/later-${time.getTime() / MINUTE_MS}`,
          ),
        ),
      more(reader.say('taken_otherwise'), [otherwise]),
      more(reader.say(isTheirs ? 'i_skip' : 'it_is_skipped'), [...reasons, otherReason]),
    ];
  }

  /** What the recipient answers: of a dose as {@link DoseAnswers.answer} takes it, about a pillbox, or help. */
  async answer(token: string, answer: string, fields: Form, accepted: string | undefined): Promise<Page> {
    const found = await this.links.ofAlert(token, accepted);
    if ('status' in found) return found;
    return (
      (await this.help.answer(found, answer)) ??
      (await this.pillbox.answer(found, answer)) ??
      (await this.answers.answer(found, answer, fields)) ??
      invalid(found.reader)
    );
  }

  async acknowledge(token: string, accepted: string | undefined): Promise<Page> {
    const found = await this.links.ofAlert(token, accepted);
    if ('status' in found) return found;
    const { alert, delivery, reader } = found;
    if (!canBeAcknowledged(alert)) return this.links.ended(found);
    const { recipient: by } = delivery;
    const acknowledged = await this.actions.acknowledge(alert._id, { by, at: this.clock.now() });
    if (acknowledged) await this.audit.record(acknowledged, by, 'alert.acknowledge');
    const current = acknowledged ?? (await this.alerts.findById(alert._id));
    if (!current) return this.links.ended(found);
    const now = { ...found, alert: current };
    if (current.state !== 'acknowledged') return this.links.ended(now);
    if (!isTakenByAnother(now)) return notice(reader, 200, 'thank_you', ['acknowledged']);
    return {
      ...notice(reader, 409, 'already_acknowledged', []),
      text: [...actedText(now, this.clock.now()), reader.say('ended_text')],
    };
  }
}

/** As the message, unless it is known since what became of the dose: by the bottle, or else by what people say (MSG-23). */
function titleOf(
  { alert, delivery, reader }: Followed,
  latest: Alert,
  settled: Settled | undefined,
  pillbox: UnmonitoredPeriod | undefined,
): string {
  if (isDoseAsked(alert) && settled) return reader.sayInMessages(STATED_TITLES[settled]);
  if (isDoseAsked(alert) && pillbox) return reader.say('dose_in_pillbox');
  const { outcome } = latest.evidence as DoseEndEvidence;
  if (alert.kind === 'dose_reminder' && outcome && isTaken(outcome)) return reader.say('dose_taken');
  return alertTitle({ ...latest, event: eventShown(latest, delivery) }, reader.sayInMessages);
}

const STATED_TITLES = {
  taken: NOTIFICATION_EVENT_FACTS.reported_taken.title,
  skipped: NOTIFICATION_EVENT_FACTS.reported_skipped.title,
} as const;

/** By which event the page is titled: as the message, unless it is known since what became of the dose. */
function eventShown(alert: Alert, { event }: Delivery): NotificationEvent {
  if (asksForDose(alert) && alert.state === 'retracted') return 'retracted';
  if (alert.kind === 'coverage_gap' && asksForDose(alert)) return 'unconfirmed';
  if (alert.kind !== 'missed_dose') return event;
  const { outcome } = alert.evidence;
  if (outcome && isTaken(outcome)) return 'resolved';
  return outcome === 'missed' || outcome === 'partial' || outcome === 'unknown' ? outcome : event;
}
