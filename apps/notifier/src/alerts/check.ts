import type { AlertToEnd, AlertToRaise, DeadlineName, Reexamination, Release } from '#domain';
import {
  DeadlinesRepository,
  type BottleState,
  type ClaimedPage,
  isDatabaseError,
  asObjectId,
} from '#persistence';
import { Clock, type Span, startSpan } from '#platform';
import { Logger } from '@nestjs/common';
import type { Types } from 'mongoose';
import { skipAfter } from '../contention.js';
import type { AlertsService } from './alerts.service.js';

/** How long a notifier may take for one page before another may claim it. Milliseconds. */
export const CHECK_LEASE_MS = 30_000;
const PAGE = 500;
/** With less than this left of the lease, nothing is recorded any more. Milliseconds. */
const LEASE_MARGIN_MS = 2_000;

/** The outcome of a sweep. */
export interface CheckResult {
  /** Bottles processed. */
  checked: number;
  /** Bottles whose record made the check throw; they are quarantined. */
  failed: number;
}

type ClaimPage = (now: Date, leaseMs: number, limit: number, skip: number) => Promise<ClaimedPage>;

type Claimed = Omit<ClaimedPage, 'found'>;

/** What a check concludes about one bottle. */
export interface Finding {
  raise?: AlertToRaise[];
  end?: AlertToEnd[];
  /**
   * The change of the deadline, given the ids of the alerts that are open; undefined leaves the bottle to the next
   * sweep.
   */
  release: (standing: ReadonlySet<string>) => Release | undefined;
  /** Given by a finding that writes something: has the bottle judged again if the claim had ended by then. */
  ifLost?: Reexamination;
}

/** One part of a check, done page by page. */
interface Work<C, V extends Finding> {
  claim: ClaimPage;
  /** Reads what the whole page needs, in a few queries. A bad record must not make it throw. */
  prepare: (states: BottleState[], now: Date) => Promise<C>;
  judge: (state: BottleState, now: Date, context: C) => V | Promise<V>;
  /** Writes the findings, before alerts are ended and raised. */
  record?: (findings: V[], now: Date) => Promise<void>;
}

/** This notifier held the page for too long; another may have claimed it and does the work. */
export class LeaseLostError extends Error {
  constructor() {
    super('the lease ran out');
    this.name = 'LeaseLostError';
  }
}

/**
 * A check claims a page of overdue bottles, judges each, raises and ends alerts, releases the claims and takes the
 * next page. A record that makes it throw is quarantined, and the rest of the page goes on. Memory is bounded by the
 * page.
 */
export abstract class Check {
  protected readonly logger = new Logger(this.constructor.name);

  protected constructor(
    private readonly name: DeadlineName,
    protected readonly deadlines: DeadlinesRepository,
    protected readonly alerts: AlertsService,
    protected readonly clock: Clock,
  ) {}

  /** Sweeps all bottles that are due now. `stopping` ends it after the current page. */
  abstract run(stopping?: () => boolean): Promise<CheckResult>;

  /** The earliest deadline of this check that is armed after `after`; undefined when there is none. */
  nextDeadline(after: Date): Promise<Date | undefined> {
    return this.deadlines.findNext(this.name, after);
  }

  protected async sweepPages<C, V extends Finding>(
    work: Work<C, V>,
    stopping: () => boolean,
  ): Promise<CheckResult> {
    const result: CheckResult = { checked: 0, failed: 0 };
    for (let skip = 0; ;) {
      const { found, ...page } = await work.claim(this.clock.now(), CHECK_LEASE_MS, PAGE, skip);
      const won = page.states.length;
      if (won > 0) await this.processPage(page, work, result);
      result.checked += won;
      if ((found < PAGE && skip === 0) || stopping()) return result;
      skip = skipAfter({ found, won }, PAGE);
    }
  }

  private async processPage<C, V extends Finding>(
    page: Claimed,
    { prepare, judge, record }: Work<C, V>,
    result: CheckResult,
  ): Promise<void> {
    // taken after the states were read, so that none of their contacts lies in the future
    const began = performance.now();
    const now = this.clock.now();
    const context = await prepare(page.states, now);
    const judged = await Promise.all(
      page.states.map((state) => this.judgeOne(page, () => judge(state, now, context), state, result)),
    );
    const held = await this.findHeld(
      page,
      page.states.filter((_state, index) => judged[index]?.ifLost).map(({ _id }) => _id),
    );
    const findings = judged.filter(
      (finding, index) =>
        finding !== undefined && (!finding.ifLost || held.has(page.states[index]!._id.toHexString())),
    ) as V[];
    const released = await this.write(page, findings, record, began, now).catch(async (error: unknown) => {
      if (error instanceof LeaseLostError) await this.reexamine(findings);
      throw error;
    });
    if (!released) await this.reexamine(findings);
  }

  /** @returns whether this notifier held the whole page until the end */
  private async write<V extends Finding>(
    page: Claimed,
    findings: V[],
    record: Work<unknown, V>['record'],
    began: number,
    now: Date,
  ): Promise<boolean> {
    await record?.(findings, now);
    this.throwIfLost(page);
    return this.applyFindings(page, findings, began);
  }

  /** What was written after the claim had ended may be false: another notifier may have judged the page again before. */
  private async reexamine(findings: Finding[]): Promise<void> {
    this.logger.warn('the lease ran out while findings were written: the bottles are judged again');
    await this.deadlines.reexamine(findings.flatMap(({ ifLost }) => ifLost ?? []));
  }

  /** This process may have hung, and another notifier claimed the page: nothing is written any more. */
  private throwIfLost({ claim }: Claimed): void {
    if (this.clock.now().getTime() > claim.until.getTime() - LEASE_MARGIN_MS) throw new LeaseLostError();
  }

  /** Asks the database which of the page's bottles are still ours; a machine that slept does not know for how long. */
  private async findHeld(page: Claimed, ids: Types.ObjectId[]): Promise<ReadonlySet<string>> {
    const held =
      ids.length === 0 ? new Set<string>() : await this.deadlines.findHeld(this.name, page.claim, ids);
    this.throwIfLost(page);
    return held;
  }

  private async applyFindings(page: Claimed, findings: Finding[], began: number): Promise<boolean> {
    const now = this.clock.now();
    await this.alerts.end(
      findings.flatMap(({ end }) => end ?? []),
      now,
    );
    const found = findings.flatMap(({ raise }) => raise ?? []);
    const span = found.length === 0 ? undefined : this.startSpan(page, began);
    const standing = await this.alerts.raise(found, now, span, async (all) => {
      const held = await this.findHeld(
        page,
        all.map(({ bottle }) => asObjectId(bottle._id)),
      );
      return all.filter(({ bottle }) => held.has(bottle._id.toHexString()));
    });
    span?.end();
    const releases = findings
      .map(({ release }) => release(standing))
      .filter((release) => release !== undefined);
    return this.deadlines.release(this.name, page.claim, releases);
  }

  private startSpan({ states }: Claimed, startTime: number): Span | undefined {
    const attributes = { 'pillwatch.bottles': states.length };
    return startSpan(`check ${this.name}`, { startTime, attributes });
  }

  private async judgeOne<V>(
    { claim }: Claimed,
    judge: () => V | Promise<V>,
    state: BottleState,
    result: CheckResult,
  ): Promise<V | undefined> {
    try {
      return await judge();
    } catch (error) {
      if (isDatabaseError(error)) throw error;
      const isOurs = await this.deadlines.quarantine(this.name, claim, state._id, {
        check: this.constructor.name,
        error: String(error),
        at: this.clock.now(),
      });
      if (!isOurs) return undefined;
      result.failed += 1;
      this.logger.error(`bottle ${state._id.toHexString()} quarantined: ${String(error)}`);
      return undefined;
    }
  }
}

/** The sum of several sweeps. */
export function totalOf(...results: CheckResult[]): CheckResult {
  const sum = (of: (result: CheckResult) => number): number =>
    results.reduce((total, each) => total + of(each), 0);
  return { checked: sum(({ checked }) => checked), failed: sum(({ failed }) => failed) };
}
