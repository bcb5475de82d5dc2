import type { DeadlineName, Release } from '#domain';
import { DeadlinesRepository, type BottleState, type ClaimedPage, isDatabaseError } from '#persistence';
import { Clock, type Span, startSpan } from '#platform';
import { Logger } from '@nestjs/common';
import { skipAfter } from '../contention.js';
import type { AlertsService } from './alerts.service.js';
import type { AlertToEnd, AlertToRaise } from './findings.js';

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
      page.states.map((state) => this.judgeOne(() => judge(state, now, context), state, result)),
    );
    const findings = judged.filter((finding) => finding !== undefined);
    this.throwIfLost(page);
    await record?.(findings, now);
    this.throwIfLost(page);
    await this.applyFindings(page, findings, began);
  }

  /** This process may have hung, and another notifier claimed the page: nothing is written any more. */
  private throwIfLost({ claim }: Claimed): void {
    if (this.clock.now().getTime() > claim.until.getTime() - LEASE_MARGIN_MS) throw new LeaseLostError();
  }

  private async applyFindings(page: Claimed, findings: Finding[], began: number): Promise<void> {
    const now = this.clock.now();
    await this.alerts.end(
      findings.flatMap(({ end }) => end ?? []),
      now,
    );
    const found = findings.flatMap(({ raise }) => raise ?? []);
    const span = found.length === 0 ? undefined : this.startSpan(page, began);
    const standing = await this.alerts.raise(found, now, span);
    span?.end();
    const releases = findings
      .map(({ release }) => release(standing))
      .filter((release) => release !== undefined);
    await this.deadlines.release(this.name, page.claim, releases);
  }

  private startSpan({ states }: Claimed, startTime: number): Span | undefined {
    const attributes = { 'pillwatch.bottles': states.length };
    return startSpan(`check ${this.name}`, { startTime, attributes });
  }

  private async judgeOne<V>(
    judge: () => V | Promise<V>,
    state: BottleState,
    result: CheckResult,
  ): Promise<V | undefined> {
    try {
      return await judge();
    } catch (error) {
      if (isDatabaseError(error)) throw error;
      result.failed += 1;
      this.logger.error(`bottle ${state._id.toHexString()} quarantined: ${String(error)}`);
      await this.deadlines.quarantine(this.name, state._id, {
        check: this.constructor.name,
        error: String(error),
        at: this.clock.now(),
      });
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
