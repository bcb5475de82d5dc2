import {
  ACTIVE_STATES,
  asksForDose,
  DAY_MS,
  derivedId,
  HOUR_MS,
  isRetractedByPillbox,
  lastAt,
  MINUTE_MS,
  periodAt,
  type UnmonitoredPeriod,
} from '#domain';
import { type Alert, type Bottle, BottlesRepository } from '#persistence';
import { Clock, type Markup } from '#platform';
import { Injectable } from '@nestjs/common';
import { PeriodsService } from '../bottles/periods.service.js';
import { actorName } from './acted.js';
import { isDoseAsked } from './dose-answers.js';
import { asItStands, type Followed, used } from './followed-links.js';
import { LinkAudit } from './link-audit.js';
import { button, more, notice, type Page } from './page.js';
import { undoableUntil, undone, undoText } from './undo.js';

/** What is entered of a pillbox. */
interface EnteredPillbox {
  /** That the dose is in, whoever entered it. */
  period: UnmonitoredPeriod | undefined;
  /** Until when the recipient's own can be withdrawn. */
  undo: Date | undefined;
}

/** A pillbox has pills for so many days. */
const WEEK_DAYS = 7;

/** What a recipient says by a link: the pills are in a pillbox, so the bottle reports nothing of their doses (PERIOD-9). */
@Injectable()
export class PillboxAnswers {
  constructor(
    private readonly bottles: BottlesRepository,
    private readonly periods: PeriodsService,
    private readonly audit: LinkAudit,
    private readonly clock: Clock,
  ) {}

  /** The buttons of the page: of pills that are too many, until when they suffice; of a dose, for it or for a week. */
  async actions(found: Followed): Promise<Markup[]> {
    const { alert, token, reader } = found;
    const periods = (await this.isAnswered(alert)) ? [] : periodsFor(found);
    const until = (to: Date): string => reader.say('pillbox_until', { time: reader.time(to) });
    const buttons = periods.map(({ to, path }, index) => {
      const label = isOfDose(alert) && index === 0 ? reader.say('pillbox_this_dose') : until(to);
      return button(label, `${token}/${path}`, !isOfDose(alert));
    });
    return isOfDose(alert) && buttons.length > 0 ? [more(reader.say('in_pillbox'), buttons)] : buttons;
  }

  /** What is asked of pills that are too many; undefined if nothing is. */
  text({ alert, reader }: Followed): string[] | undefined {
    const until = pillboxUntil(alert);
    if (!until || alert.kind !== 'extra_dose') return undefined;
    const removed = { time: reader.time(alert.evidence.removed_at), until: reader.time(until) };
    return [reader.say('pills_removed', removed), reader.say('ask_dose')];
  }

  async enteredOf(found: Followed): Promise<EnteredPillbox> {
    const { alert } = found;
    const bottle = await this.bottles.findById(alert.bottle_id);
    const period = bottle && isOfDose(alert) ? periodAt(bottle.pauses, new Date(alert.subject)) : undefined;
    return {
      period: period?.reason === 'pillbox' ? period : undefined,
      undo: this.undoUntil(enteredBy(found, bottle)),
    };
  }

  /** Who stated that the dose is in a pillbox, and until when this link can undo it. */
  doseText({ reader, to }: Followed, { period, undo }: EnteredPillbox): string[] {
    if (period?.recorded_by === undefined) return [];
    const { recorded_by, recorded_at: at = period.from } = period;
    const who = actorName(recorded_by, at, to?.contact, reader);
    const text = reader.say('reported_in_pillbox', { who, at: reader.time(at) });
    return [undo ? `${text} ${undoText(undo, reader)}` : text];
  }

  /** Whether pills that are too many are in a pillbox by what somebody entered. */
  private async isAnswered(alert: Alert): Promise<boolean> {
    if (!isRetractedByPillbox(alert)) return false;
    const bottle = await this.bottles.findById(alert.bottle_id);
    return !bottle || periodAt(bottle.pauses, alert.evidence.removed_at) !== undefined;
  }

  private async entered(found: Followed): Promise<UnmonitoredPeriod | undefined> {
    return enteredBy(found, await this.bottles.findById(found.alert.bottle_id));
  }

  /** Until when the answer of a recipient can be withdrawn; undefined if there is none, or no more. */
  private undoUntil(entered: UnmonitoredPeriod | undefined): Date | undefined {
    return entered?.recorded_at && undoableUntil(entered.recorded_at, this.clock.now());
  }

  /** @param answer `pillbox`, or one of the paths of the page; undefined if it is neither */
  async answer(found: Followed, answer: string): Promise<Page | undefined> {
    if (answer === 'undo-pillbox') return this.undo(found);
    if (!answer.startsWith('pillbox')) return undefined;
    const { alert, reader, delivery } = found;
    const { recipient: by } = delivery;
    const period = periodsFor(found).find(({ path }) => path === answer);
    const isEntered =
      period !== undefined &&
      !(await this.isAnswered(alert)) &&
      (await this.periods.addPillbox(alert.bottle_id, periodIdOf(alert), { ...period, by }));
    if (!isEntered) {
      const before = await this.entered(found);
      const isSame = before && (!period || before.to?.getTime() === period.to.getTime());
      return isSame ? asItStands(found) : used(found);
    }
    await this.audit.record(alert, by, 'bottle.add_period');
    const now = this.clock.now();
    const until = undoableUntil(now, now)!;
    const page = notice(
      reader,
      200,
      'thank_you',
      ['recorded_pillbox'],
      [button(reader.say('undo'), 'undo-pillbox')],
    );
    return { ...page, text: [...page.text, undoText(until, reader)] };
  }

  /** The doses are monitored again (PERIOD-3). */
  private async undo(found: Followed): Promise<Page> {
    const { alert, delivery } = found;
    const entered = await this.entered(found);
    if (!entered) return asItStands(found);
    const isUndone =
      this.undoUntil(entered) !== undefined &&
      (await this.periods.removePillbox(alert.bottle_id, periodIdOf(alert)));
    if (!isUndone) return used(found);
    await this.audit.record(alert, delivery.recipient, 'bottle.remove_period');
    return undone(found);
  }
}

/** The period that this recipient has entered about the alert, unless staff have changed or removed it. */
function enteredBy({ alert, delivery }: Followed, bottle: Bottle | null): UnmonitoredPeriod | undefined {
  const entered = bottle?.pauses.find(({ id }) => id === periodIdOf(alert));
  return entered?.recorded_by === delivery.recipient && !entered.changed_at ? entered : undefined;
}

/** Those that the recipient can enter, with what posts them. */
function periodsFor(found: Followed): { from: Date; to: Date; path: string }[] {
  const { alert, to: reached } = found;
  const until = pillboxUntil(alert);
  if (until && alert.kind === 'extra_dose')
    return [{ from: alert.evidence.removed_at, to: until, path: 'pillbox' }];
  if (!isOfDose(alert) || !isDoseAsked(alert)) return [];
  const slot = new Date(alert.subject);
  const zone = reached?.details.time_zone ?? 'UTC';
  const time = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short' }).format(slot);
  // the same time of day, also across a change of the clocks
  const inAWeek = lastAt(time, zone, new Date(slot.getTime() + WEEK_DAYS * DAY_MS + 2 * HOUR_MS))!;
  return [
    { from: slot, to: new Date(slot.getTime() + MINUTE_MS), path: 'pillbox-dose' },
    { from: slot, to: inAWeek, path: 'pillbox-week' },
  ];
}

const isOfDose = (alert: Alert): boolean => asksForDose(alert);

const periodIdOf = ({ _id }: Alert): string => derivedId('pillbox', _id.toHexString());

/** Until when the pills of an alert may be in a pillbox; undefined if they may not, or if it has ended otherwise. */
function pillboxUntil(alert: Alert): Date | undefined {
  if (alert.kind !== 'extra_dose') return undefined;
  const isAsked = ACTIVE_STATES.includes(alert.state) || isRetractedByPillbox(alert);
  return isAsked ? alert.evidence.pillbox_until : undefined;
}
