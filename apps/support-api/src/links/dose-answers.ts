import {
  ACTIVE_STATES,
  asksForDose,
  type Attestation,
  type DoseEndEvidence,
  derivedId,
  isCarer,
  isOperator,
  isTaken,
  lastAt,
  MINUTE_MS,
  PILL_SOURCES,
  readReport,
  type Reported,
  SKIP_REASONS,
  type Statement,
} from '#domain';
import {
  type Alert,
  AlertActionsRepository,
  type AttestationEntry,
  AttestationsRepository,
  type Delivery,
} from '#persistence';
import { Clock, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { isDeepStrictEqual } from 'node:util';
import { AttestationsService } from '../attestations/attestations.service.js';
import { type DosePromise, promiseIn } from './acted.js';
import { asItStands, type Followed, used } from './followed-links.js';
import type { Form } from './form-body.js';
import { statedText } from './known.js';
import { LinkAudit } from './link-audit.js';
import { button, notice, type Page } from './page.js';
import { undoableUntil, undone, undoText } from './undo.js';

/** The times at which a recipient can promise to take a dose are multiples of this. Milliseconds. */
const QUARTER_MS = 15 * MINUTE_MS;
/** How long from now they are, at least. Milliseconds. */
const LATER_MS = [15 * MINUTE_MS, 45 * MINUTE_MS, 105 * MINUTE_MS];
/** How often one link can answer, each time after its last answer was withdrawn. */
const MOST_ANSWERS = 20;
/** In characters: what people write fits into a line of the history. */
const MOST_LETTERS = 200;

/** What a link has stated of its dose. */
export interface LinkStatement {
  /** Under this id it can state something now; absent while what it stated stands. */
  free?: Types.ObjectId;
  /** What it stated, unless that was withdrawn. */
  standing?: AttestationEntry;
}

/** What a recipient may state of a dose through the link of a notification. */
@Injectable()
export class DoseAnswers {
  constructor(
    private readonly actions: AlertActionsRepository,
    private readonly statements: AttestationsRepository,
    private readonly attestations: AttestationsService,
    private readonly audit: LinkAudit,
    private readonly clock: Clock,
  ) {}

  /** What the link has stated: one statement stands at a time, also of several presses at once. */
  async statementOf({ alert: { bottle_id }, delivery }: Followed): Promise<LinkStatement> {
    for (let count = 0; count < MOST_ANSWERS; count += 1) {
      const id = statementId(delivery, count);
      const entry = await this.statements.find(bottle_id, id);
      if (!entry) return { free: id };
      const withdrawal = this.attestations.withdrawalId(id);
      if (!(await this.statements.find(bottle_id, withdrawal))) return { standing: entry };
    }
    return {};
  }

  /** Under which id the dose can be stated: while the bottle did not measure that it was taken, and one time. */
  canState(found: Followed, { free }: LinkStatement): Types.ObjectId | undefined {
    return isDoseAsked(found.alert) ? free : undefined;
  }

  /** Until when an answer can be undone; undefined if it cannot any more. */
  undoUntil({ standing }: LinkStatement): Date | undefined {
    return standing && undoableUntil(standing.at, this.clock.now());
  }

  /** What this recipient promised and when, until its time has come. */
  private promiseOf({ alert, delivery }: Followed): DosePromise | undefined {
    const promise = promiseIn(alert, this.clock.now());
    return promise?.by === delivery.recipient ? promise : undefined;
  }

  /** Until when this recipient can undo what they promised; undefined if they did not, or if its time has come. */
  promiseUndoUntil(found: Followed): Date | undefined {
    const promise = this.promiseOf(found);
    return promise && undoableUntil(promise.at, this.clock.now());
  }

  /** When a dose can be promised: soon, in time, and if no promise is kept waiting already. */
  laterTimes(alert: Alert): Date[] {
    const now = this.clock.now();
    const { state, snoozed_until } = alert;
    const waits = (snoozed_until && snoozed_until > now) || promiseIn(alert, now);
    if (!ACTIVE_STATES.includes(state) || waits) return [];
    const quarters = LATER_MS.map((ms) => Math.ceil((now.getTime() + ms) / QUARTER_MS) * QUARTER_MS);
    return quarters.map((at) => new Date(at)).filter((at) => isInTime(alert, at));
  }

  /**
   * Records what the recipient states.
   *
   * @param answer `taken`, with `at` (a time of day) and `source`; `skipped-REASON`, with `note`; or `later-MINUTES`
   *   since 1970
   * @returns undefined if it is no answer to a dose
   */
  async answer(found: Followed, answer: string, form: Form): Promise<Page | undefined> {
    const [kind, of = ''] = answer.split('-') as [string, string?];
    if (kind === 'later') return this.promise(found, new Date(Number(of) * MINUTE_MS));
    if (answer === 'undo') return this.undo(found);
    if (answer === 'undo-later') return this.undoPromise(found);
    if (answer === 'taken') return this.state(found, takenOf(form), form['at']);
    const reason = SKIP_REASONS.find((each) => each === of);
    if (kind !== 'skipped' || !reason) return undefined;
    const note = form['note']?.replaceAll(/\s+/g, ' ').slice(0, MOST_LETTERS) || undefined;
    return this.state(found, { kind: 'skipped', reason }, undefined, note);
  }

  private async state(
    found: Followed,
    statement: Statement,
    timeOfDay: string | undefined,
    note?: string,
  ): Promise<Page> {
    const { alert, delivery, reader, to } = found;
    const badTime = notice(reader, 400, 'bad_time', ['bad_time_text']);
    const taken_at = timeOfDay
      ? lastAt(timeOfDay, to?.details.time_zone ?? 'UTC', this.clock.now())
      : undefined;
    if (timeOfDay && !taken_at) return badTime;
    const stated = { ...statement, ...(taken_at && { taken_at }) };
    const before = await this.statementOf(found);
    const id = this.canState(found, before);
    if (!id) return answeredBefore(found, before, { ...stated, note });
    const { recipient } = delivery;
    const attested_by = isCarer(delivery) ? 'carer' : isOperator(delivery) ? 'staff' : 'user';
    const reported = standing(await this.reportOf(alert));
    const by = { attested_by, recorded_by: recipient, ...(note !== undefined && { note }) } as const;
    try {
      await this.attestations.attest(alert.bottle_id, new Date(alert.subject), stated, by, id);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.errors?.some(({ field }) => field === 'taken_at')) return badTime;
      // the link was used at the same time, or the schedule has the dose no more
      return answeredBefore(found, await this.statementOf(found), { ...stated, note });
    }
    await this.audit.record(alert, recipient, 'dose.attest');
    const now = this.clock.now();
    const until = undoableUntil(now, now)!;
    const page = notice(reader, 200, 'thank_you', ['recorded'], [button(reader.say('undo'), 'undo')]);
    const others = reported
      .filter(({ recorded_by }) => recorded_by !== recipient)
      .map((other) => statedText(other, reader, to?.contact));
    return { ...page, text: [...page.text, ...others, undoText(until, reader)] };
  }

  /** What people say became of the dose. */
  async reportOf({ bottle_id, subject }: Alert): Promise<Reported | undefined> {
    const slot = new Date(subject);
    const entries = await this.statements.findBetween(bottle_id, slot, new Date(slot.getTime() + 1));
    return readReport(entries);
  }

  /** All that people say, the one that counts first (ATTEST-2), and which of it this link can undo. */
  text({ reader, to }: Followed, report: Reported | undefined, stated: LinkStatement): string[] {
    const until = this.undoUntil(stated);
    return standing(report).map((one) => {
      const text = statedText(one, reader, to?.contact);
      const isOwn = one._id.toHexString() === stated.standing?._id.toHexString();
      return isOwn && until ? `${text} ${undoText(until, reader)}` : text;
    });
  }

  /** Withdraws what this link has stated, by a further entry. */
  private async undo(found: Followed): Promise<Page> {
    const { alert, delivery } = found;
    const stated = await this.statementOf(found);
    if (!stated.standing) return asItStands(found);
    if (!this.undoUntil(stated)) return used(found);
    const { recipient } = delivery;
    const { attested_by } = stated.standing;
    try {
      const by = { attested_by, recorded_by: recipient };
      await this.attestations.withdraw(alert.bottle_id, stated.standing._id, by);
    } catch (error) {
      // another press was faster
      if (error instanceof Problem) return asItStands(found);
      throw error;
    }
    await this.audit.record(alert, recipient, 'dose.withdraw_attestation');
    return undone(found);
  }

  /** Reminders wait until the time that the recipient promises. */
  private async promise(found: Followed, until: Date): Promise<Page> {
    const { alert, delivery, reader } = found;
    const { recipient: by } = delivery;
    if (this.promiseOf(found)?.until.getTime() === until.getTime()) return asItStands(found);
    const isOffered = this.laterTimes(alert).length > 0 && until > this.clock.now() && isInTime(alert, until);
    if (!isOffered || !this.canState(found, await this.statementOf(found))) return used(found);
    const actor = { by, at: this.clock.now(), note: 'will take it then' };
    if (!(await this.actions.snooze(alert._id, until, actor, alert.state))) return used(found);
    await this.audit.record(alert, by, 'alert.snooze');
    const text = reader.say('promised', { time: reader.timeOfDay(until) });
    const undo = button(reader.say('undo'), 'undo-later');
    return { ...notice(reader, 200, 'thank_you', [], [undo]), text: [text] };
  }

  /** The alert continues, with its last step, unless somebody takes care of it. */
  private async undoPromise(found: Followed): Promise<Page> {
    const { alert, delivery } = found;
    const { recipient: by } = delivery;
    if (!this.promiseOf(found)) return asItStands(found);
    if (!this.promiseUndoUntil(found)) return used(found);
    const at = this.clock.now();
    const actor = { by, at, note: 'withdraws the promise' };
    if (!(await this.actions.withdrawPromise(alert._id, actor, alert.state))) return used(found);
    await this.audit.record(alert, by, 'alert.snooze');
    return undone(found);
  }
}

/** After what the link has stated: the same once more changes nothing, something else is refused. */
function answeredBefore(
  found: Followed,
  { standing }: LinkStatement,
  again: Statement & Pick<Attestation, 'note'>,
): Page {
  if (!standing || !('outcome' in standing)) return used(found);
  const { kind, reason, source, taken_at, note } = standing;
  const isSame = isDeepStrictEqual(
    [kind, reason, source, taken_at, note],
    [again.kind, again.reason, again.source, again.taken_at, again.note],
  );
  return isSame ? asItStands(found) : used(found);
}

/** The statements that stand, latest first. */
function standing(report: Reported | undefined): Attestation[] {
  return report?.latest ? [report.latest, ...report.earlier] : [];
}

/** Whether people are asked of its dose: while the bottle did not measure that it was taken. */
export function isDoseAsked(alert: Alert): boolean {
  if (!asksForDose(alert) || alert.state === 'retracted') return false;
  const { outcome }: DoseEndEvidence = alert.evidence;
  return !outcome || !isTaken(outcome);
}

/** Whether a dose can still be taken then: before it is missed, or, of a reminder, before it is late. */
function isInTime(alert: Alert, at: Date): boolean {
  if (alert.kind === 'dose_reminder') return at < alert.evidence.late_at;
  return alert.kind === 'missed_dose' && at <= alert.evidence.missed_at;
}

function takenOf({ source }: Form): Statement {
  const known = PILL_SOURCES.find((each) => each === source);
  return { kind: 'taken', ...(known && { source: known }) };
}

/** Of the statements that a link makes, each after the one before was withdrawn. */
function statementId({ _id }: Delivery, count: number): Types.ObjectId {
  return new Types.ObjectId(derivedId('link', _id, ...(count === 0 ? [] : [String(count)])));
}
