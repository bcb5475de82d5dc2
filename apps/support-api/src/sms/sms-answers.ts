import {
  type AlertEnding,
  asksForDose,
  endingOf,
  type DoseReply,
  groupBy,
  HOUR_MS,
  MINUTE_MS,
} from '#domain';
import { type Alert, BottlesRepository, type Delivery, RepliesRepository } from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { DoseAnswers } from '../links/dose-answers.js';
import { HelpAnswers } from '../links/help-answers.js';
import { type Followed, FollowedLinks, used } from '../links/followed-links.js';

/** A digit answers what came to the number within so long (excluded). Milliseconds. */
const ANSWERABLE_MS = 12 * HOUR_MS;

const SETTLED: readonly AlertEnding[] = [
  'reported_taken',
  'reported_skipped',
  'dose_taken',
  'dose_stated',
  'dose_not_due',
];

/** Answers to messages about doses by a digit: as the page behind the link takes them, for one dose and no other. */
@Injectable()
export class SmsAnswers {
  constructor(
    private readonly replies: RepliesRepository,
    private readonly bottles: BottlesRepository,
    private readonly links: FollowedLinks,
    private readonly answers: DoseAnswers,
    private readonly help: HelpAnswers,
    private readonly clock: Clock,
  ) {}

  /**
   * @param id the gateway's, of the reply: one that comes again is about the same dose
   * @returns what is answered; undefined if the number got no message about a dose
   */
  async take(number: string, reply: DoseReply, id: string | undefined): Promise<string | undefined> {
    const since = new Date(this.clock.now().getTime() - ANSWERABLE_MS);
    const sent = await this.aboutDoses(await this.replies.findSentTo(number, since), number);
    const [newest] = sent;
    if (!newest) return undefined;
    const before = sent.find(({ delivery }) => id !== undefined && delivery.replies?.includes(id));
    if (before) return this.answer(before, reply, id);
    // whoever needs help is not asked of which dose
    if (reply === 'help') return this.answerOnce(newest, reply, id);
    const [open, ...others] = await this.openDoses(sent);
    if (!open) return newest.reader.say('sms_none');
    if (others.length > 0) return newest.reader.say('sms_several');
    return this.answerOnce(open, reply, id);
  }

  private async answerOnce(found: Followed, reply: DoseReply, id: string | undefined): Promise<string> {
    if (id !== undefined) await this.replies.noteReply(found.delivery._id, id);
    return this.answer(found, reply, id);
  }

  private async aboutDoses(deliveries: readonly Delivery[], number: string): Promise<Followed[]> {
    const found = await Promise.all(deliveries.map((delivery) => this.links.ofSms(delivery, number)));
    return found.filter((one) => one !== undefined).filter(({ alert }) => asksForDose(alert));
  }

  /** The newest message about each dose that waits for an answer: none of them has one, and its outcome is not known. */
  private async openDoses(sent: readonly Followed[]): Promise<Followed[]> {
    const doses = groupBy(sent, ({ alert }) => `${alert.bottle_id.toHexString()} ${alert.subject}`);
    const open: Followed[] = [];
    for (const messages of doses.values()) {
      const [newest] = messages as [Followed];
      const stated = await Promise.all(messages.map((one) => this.answers.statementOf(one)));
      const isOver = isSettled(newest.alert) || stated.some(({ standing }) => standing);
      if (!isOver && this.answers.canState(newest, stated[0]!)) open.push(newest);
    }
    return open;
  }

  /** Which dose it is about, what the person answered, and what became of that. */
  private async answer(found: Followed, reply: DoseReply, id: string | undefined): Promise<string> {
    const { alert, reader } = found;
    const page =
      reply === 'help'
        ? await this.help.ask(found, `sms-${id ?? this.clock.now().toISOString()}`)
        : ((await this.answers.answer(found, this.answerOf(found, reply), {})) ?? used(found));
    const bottle = await this.bottles.findById(alert.bottle_id);
    const end = alert.bottle_id.toHexString().slice(-6);
    const name = bottle?.label
      ? reader.say('bottle_labelled', { label: bottle.label, end })
      : reader.say('bottle_unlabelled', { end });
    return [
      `${reader.say('bottle')}: ${name}.`,
      reader.say('dose_of', { time: reader.time(new Date(alert.subject)) }),
      reader.say(`sms_${reply}`),
      ...page.text,
    ].join(' ');
  }

  /** As the page names it; later is the first time that it offers. */
  private answerOf({ alert }: Followed, reply: Exclude<DoseReply, 'help'>): string {
    if (reply !== 'later') return reply === 'skipped' ? 'skipped-other' : reply;
    const [at] = this.answers.laterTimes(alert);
    return at ? `later-${at.getTime() / MINUTE_MS}` : reply;
  }
}

/** Whether it is known what became of the dose, or it is due no more. */
function isSettled(alert: Alert): boolean {
  const ending = endingOf(alert);
  return ending !== undefined && SETTLED.includes(ending);
}
