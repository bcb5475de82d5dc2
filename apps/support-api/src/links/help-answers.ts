import {
  asksForDose,
  derivedId,
  helpRequested,
  helpWithdrawn,
  helpWithdrawableUntil,
  onRaised,
  personIn,
  planEscalation,
} from '#domain';
import { type Alert, AlertsRepository, policyOf } from '#persistence';
import { Clock, type Markup } from '#platform';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { actedText, actorName } from './acted.js';
import { isDoseAsked } from './dose-answers.js';
import { asItStands, type Followed, invalid, used } from './followed-links.js';
import { LinkAudit } from './link-audit.js';
import { button, link, notice, type Page } from './page.js';
import { undoText } from './undo.js';

/** How a page names one press of its button: the second at which it was made. */
const PRESS = /^help-\d{1,12}$/;

/** A person asks the others of the plan for help with a dose (HELP-1). */
@Injectable()
export class HelpAnswers {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly audit: LinkAudit,
    private readonly clock: Clock,
  ) {}

  /** The call for help with this dose that lasts, whoever made it. */
  async callOf({ alert: { bottle_id, subject } }: Followed): Promise<Alert<'help_requested'> | undefined> {
    const open = await this.alerts.findOpen([bottle_id], 'help_requested');
    return open.find((call) => call.subject === subject);
  }

  /** The button of the page of a dose whose outcome is not known; for the operator there is none. */
  actions({ alert, to, token, reader }: Followed, call: Alert<'help_requested'> | undefined): Markup[] {
    if (!to || call || !isDoseAsked(alert)) return [];
    return [button(reader.say('help'), `${token}/help-${Math.floor(this.clock.now().getTime() / 1_000)}`)];
  }

  /** Who has asked for help, and who takes care of it. */
  text({ reader, to, delivery }: Followed, call: Alert<'help_requested'> | undefined): string[] {
    if (!call) return [];
    const { by, at } = call.history[0]!;
    const who = actorName(by, at, to?.contact, reader);
    return [
      reader.say('asked_for_help', { who, at: reader.time(at) }),
      ...actedText({ alert: call, delivery, reader, ...(to && { to }) }, this.clock.now()),
    ];
  }

  /** Until when this recipient can undo their call; undefined if it is not theirs, or too late. */
  undoUntil({ delivery }: Followed, call: Alert<'help_requested'> | undefined): Date | undefined {
    const until = call && helpWithdrawableUntil(call);
    if (!until || call.history[0]!.by !== delivery.recipient) return undefined;
    return until < this.clock.now() ? undefined : until;
  }

  /** @returns undefined if it is no answer about help */
  async answer(found: Followed, answer: string): Promise<Page | undefined> {
    if (answer === 'undo-help') return this.undo(found);
    return PRESS.test(answer) ? this.ask(found, answer) : undefined;
  }

  /**
   * Raises the alert: its first steps are due at once.
   *
   * @param press the same press, however often it is sent, is one call
   */
  async ask(found: Followed, press: string): Promise<Page> {
    const { alert, delivery, reader, to } = found;
    const asker = personIn(delivery.recipient);
    if (!to || asker === undefined || !asksForDose(alert)) return invalid(reader);
    const { bottle_id, user_id, medication, subject } = alert;
    const now = this.clock.now();
    const bottle = { _id: bottle_id, user_id, medication };
    const request = helpRequested(bottle, new Date(subject), asker, now);
    const call = {
      ...onRaised(request, now),
      _id: new Types.ObjectId(derivedId('help', delivery._id, press)),
      bottle_id,
      history: [{ event: 'raised', at: now, by: delivery.recipient }],
      ...planEscalation(policyOf(to.contact), request, now),
      // by any notifier
      next_step_at: now,
    } as Alert<'help_requested'>;
    const [standing] = await this.alerts.raise([call]);
    const isNew = standing?.raised_at === now;
    if (isNew) await this.audit.record(alert, delivery.recipient, 'alert.ask_for_help');
    const current = await this.callOf(found);
    // the press of a call that was withdrawn
    if (!current) return asItStands(found);
    const until = this.undoUntil(found, current);
    const page = notice(
      reader,
      200,
      isNew ? 'thank_you' : 'already_called',
      isNew ? ['called'] : [],
      until ? [button(reader.say('undo_help'), 'undo-help')] : [],
    );
    const others = isNew ? [] : this.text(found, current);
    const undo = until ? [undoText(until, reader)] : [];
    return { ...page, text: [...page.text, ...others, ...undo] };
  }

  private async undo(found: Followed): Promise<Page> {
    const { alert, delivery, reader, token } = found;
    const { recipient: by } = delivery;
    const call = await this.callOf(found);
    if (!call) return asItStands(found);
    if (!this.undoUntil(found, call)) return used(found);
    await this.alerts.end([{ alert: call, end: helpWithdrawn(by, this.clock.now()) }]);
    await this.audit.record(alert, by, 'alert.withdraw_help');
    const again = link(reader.say('answer_again'), `../${token}`);
    return notice(reader, 200, 'undone_help', ['undone_help_text'], [again]);
  }
}
