import type { AlertToEnd, AlertToRaise, DeadlineName, JudgeAgain, Release } from '#domain';
import {
  DeadlinesRepository,
  type BottleState,
  type ClaimedPage,
  isDatabaseError,
  asObjectId,
} from '#persistence';
import { Clock, type Span, startSpan } from '#platform';
import { Logger } from '@nestjs/common';
import { skipAfter } from '../contention.js';
import { alertId, type AlertsService } from './alerts.service.js';
import { LeaseLostError, Page } from './page.js';

/** How long a notifier may take for one page before another may claim it. Milliseconds. */
export const CHECK_LEASE_MS = 30_000;
const PAGE_SIZE = 500;
/** The first page of a sweep shows how fast this process is at the moment; the others take about this time. Milliseconds. */
const PAGE_MS = 1_000;
const FIRST_PAGE_SIZE = 100;
const SMALLEST_PAGE_SIZE = 25;

/** The outcome of a sweep. */
export interface CheckResult {
  /** Bottles processed. */
  checked: number;
  /** Bottles whose record made the check throw; they are quarantined. */
  failed: number;
}

type ClaimPage = (now: Date, leaseMs: number, limit: number, skip: number) => Promise<ClaimedPage>;

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
  judgeAgain?: JudgeAgain;
}

/** What writing the findings of a page came to. */
interface Written {
  /** Whether this notifier held the whole page until the end. */
  released: boolean;
  /** The ids of the alerts that stand. */
  standing: ReadonlySet<string>;
}

/** One part of a check, done page by page. */
export interface Work<C, V extends Finding> {
  claim: ClaimPage;
  /** Reads what the whole page needs, in a few queries. A bad record must not make it throw. */
  prepare: (states: BottleState[], now: Date) => Promise<C>;
  judge: (state: BottleState, now: Date, context: C) => V | Promise<V>;
  /** Writes the findings, before alerts are ended and raised. */
  record?: (findings: V[], now: Date) => Promise<void>;
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
    let size = FIRST_PAGE_SIZE;
    for (let skip = 0; ;) {
      const began = performance.now();
      const claimed = await work.claim(this.clock.now(), CHECK_LEASE_MS, size, skip);
      const won = claimed.states.length;
      if (won > 0)
        await this.processPage(new Page(this.name, claimed, this.deadlines, this.clock), work, result);
      result.checked += won;
      if ((claimed.found < size && skip === 0) || stopping()) return result;
      size = nextPageSize(won, performance.now() - began, size);
      skip = skipAfter({ found: claimed.found, won }, size);
    }
  }

  private async processPage<C, V extends Finding>(
    page: Page,
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
    const held = await page.held(
      page.states.filter((_state, index) => judged[index]?.judgeAgain).map(({ _id }) => _id),
    );
    const findings = judged.filter(
      (finding, index) =>
        finding !== undefined && (!finding.judgeAgain || held.has(page.states[index]!._id.toHexString())),
    ) as V[];
    const written = this.write(page, findings, record, began, now).catch(async (error: unknown) => {
      // nothing was raised, and on record as raised it never would be; what was recorded may be false
      if (error instanceof LeaseLostError && record) await this.judgeAgain(findings);
      throw error;
    });
    const { released, standing } = await written;
    if (released) return;
    const isRaised = ({ raise = [] }: Finding): boolean =>
      raise.every((found) => standing.has(alertId(found).toHexString()));
    await this.judgeAgain(record ? findings : findings.filter(isRaised));
  }

  private async write<V extends Finding>(
    page: Page,
    findings: V[],
    record: Work<unknown, V>['record'],
    began: number,
    now: Date,
  ): Promise<Written> {
    await record?.(findings, now);
    page.throwIfLost();
    return this.applyFindings(page, findings, began);
  }

  /** What was written after the claim had ended may be false: another notifier may have judged the page again before. */
  private async judgeAgain(findings: Finding[]): Promise<void> {
    this.logger.warn('the lease ran out while findings were written: the bottles are judged again');
    await this.deadlines.judgeAgain(findings.flatMap(({ judgeAgain }) => judgeAgain ?? []));
  }

  private async applyFindings(page: Page, findings: Finding[], began: number): Promise<Written> {
    const now = this.clock.now();
    await this.alerts.end(
      findings.flatMap(({ end }) => end ?? []),
      now,
    );
    const found = findings.flatMap(({ raise }) => raise ?? []);
    const span = found.length === 0 ? undefined : this.startSpan(page, began);
    const prepared = await this.alerts.prepare(found, now, span);
    // asked last, because reading takes its time
    const held = await page.held(found.map(({ bottle }) => asObjectId(bottle._id)));
    const standing = await this.alerts.raisePrepared(
      prepared.filter(({ found: { bottle } }) => held.has(bottle._id.toHexString())),
      now,
    );
    span?.end();
    const releases = findings
      .map(({ release }) => release(standing))
      .filter((release) => release !== undefined);
    return { released: await page.release(releases), standing };
  }

  private startSpan({ states }: Page, startTime: number): Span | undefined {
    const attributes = { 'pillwatch.bottles': states.length };
    return startSpan(`check ${this.name}`, { startTime, attributes });
  }

  private async judgeOne<V>(
    page: Page,
    judge: () => V | Promise<V>,
    state: BottleState,
    result: CheckResult,
  ): Promise<V | undefined> {
    try {
      return await judge();
    } catch (error) {
      if (isDatabaseError(error)) throw error;
      const isOurs = await page.quarantine(state._id, {
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

/**
 * How many bottles the next page has: as many as take {@link PAGE_MS}. On a starved machine small pages leave the process
 * to others in between: what was found is sent, and probes are answered.
 *
 * @param done bottles, in so many milliseconds.
 * @param size of the page; one of which another notifier won more than half shows nothing.
 */
export function nextPageSize(done: number, ms: number, size: number): number {
  if (done * 2 < size) return size;
  return Math.round(Math.min(PAGE_SIZE, Math.max(SMALLEST_PAGE_SIZE, (done / ms) * PAGE_MS)));
}

/** The sum of several sweeps. */
export function totalOf(...results: CheckResult[]): CheckResult {
  const sum = (of: (result: CheckResult) => number): number =>
    results.reduce((total, each) => total + of(each), 0);
  return { checked: sum(({ checked }) => checked), failed: sum(({ failed }) => failed) };
}
