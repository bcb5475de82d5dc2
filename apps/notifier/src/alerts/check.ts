import {
  DeadlinesRepository,
  type BottleState,
  type ClaimedPage,
  type DeadlineName,
  isInfrastructure,
  type Release,
} from '#persistence';
import { Clock } from '#platform';
import { Logger } from '@nestjs/common';
import { skipAfter } from '../contention.js';
import type { AlertEnding, AlertsService, Trouble } from './alerts.service.js';

/** How long a notifier may take over one page before others take it on. Milliseconds. */
export const CHECK_LEASE_MS = 30_000;
const PAGE = 500;
/** No new alert is recorded when less than this is left of the lease. Milliseconds. */
const LEASE_MARGIN_MS = 2_000;

/** What a check did. */
export interface CheckResult {
  /** Bottles looked at. */
  checked: number;
  /** Bottles whose record made the check throw; they are set aside. */
  failed: number;
}

type ClaimPage = (now: Date, leaseMs: number, limit: number, skip: number) => Promise<ClaimedPage>;

type Claimed = Omit<ClaimedPage, 'found'>;

/** What a check finds out about one bottle. */
export interface Verdict {
  /** What is wrong and has to be told. */
  troubles?: Trouble[];
  /** Alerts that have come to their end. */
  endings?: AlertEnding[];
  /**
   * What becomes of the deadline, given the ids of the alerts that stand; undefined leaves the bottle to the
   * next run.
   */
  release: (standing: ReadonlySet<string>) => Release | undefined;
}

/** One kind of work of a check, done page by page. */
interface Work<C, V extends Verdict> {
  claim: ClaimPage;
  /** Reads what the whole page needs, in a few queries. A bad record must not make it throw. */
  prepare: (states: BottleState[], now: Date) => Promise<C>;
  judge: (state: BottleState, now: Date, context: C) => V | Promise<V>;
  /** Writes what was found out, before alerts are ended and raised. */
  record?: (verdicts: V[], now: Date) => Promise<void>;
}

/** This notifier held the page for too long: whoever has claimed it since does the work. */
export class LeaseLostError extends Error {
  constructor() {
    super('the lease ran out');
    this.name = 'LeaseLostError';
  }
}

/**
 * One of the three checks: pages through the overdue, claims them, judges each bottle, records what is wrong
 * and lets the page go. A bad record is moved aside and the rest goes on; memory is bounded by the page.
 */
export abstract class Check {
  protected readonly logger = new Logger(this.constructor.name);

  protected constructor(
    private readonly name: DeadlineName,
    protected readonly deadlines: DeadlinesRepository,
    protected readonly alerts: AlertsService,
    protected readonly clock: Clock,
  ) {}

  /** Looks at every bottle that is due now. `stopping` ends it after the page in hand. */
  abstract run(stopping?: () => boolean): Promise<CheckResult>;

  /** The earliest deadline of this check that is armed after a moment; undefined when none is. */
  nextDeadline(after: Date): Promise<Date | undefined> {
    return this.deadlines.findNext(this.name, after);
  }

  protected async eachPage<C, V extends Verdict>(
    work: Work<C, V>,
    stopping: () => boolean,
  ): Promise<CheckResult> {
    const result: CheckResult = { checked: 0, failed: 0 };
    for (let skip = 0; ;) {
      const { found, ...page } = await work.claim(this.clock.now(), CHECK_LEASE_MS, PAGE, skip);
      const won = page.states.length;
      if (won > 0) await this.seeTo(page, work, result);
      result.checked += won;
      if ((found < PAGE && skip === 0) || stopping()) return result;
      skip = skipAfter({ found, won }, PAGE);
    }
  }

  private async seeTo<C, V extends Verdict>(
    page: Claimed,
    { prepare, judge, record }: Work<C, V>,
    result: CheckResult,
  ): Promise<void> {
    // after the states were read: no contact that they know of lies in the future
    const now = this.clock.now();
    const context = await prepare(page.states, now);
    const judged = await Promise.all(
      page.states.map((state) => this.judgeOne(() => judge(state, now, context), state, result)),
    );
    const verdicts = judged.filter((verdict) => verdict !== undefined);
    await record?.(verdicts, now);
    await this.act(page, verdicts);
  }

  private async act(page: Claimed, verdicts: Verdict[]): Promise<void> {
    const now = this.clock.now();
    // we hung, and another notifier may have claimed the page by now
    if (now.getTime() > page.claim.until.getTime() - LEASE_MARGIN_MS) throw new LeaseLostError();
    await this.alerts.end(
      verdicts.flatMap(({ endings }) => endings ?? []),
      now,
    );
    const standing = await this.alerts.raise(
      verdicts.flatMap(({ troubles }) => troubles ?? []),
      now,
    );
    const releases = verdicts
      .map(({ release }) => release(standing))
      .filter((release) => release !== undefined);
    await this.deadlines.release(this.name, page.claim, releases);
  }

  private async judgeOne<V>(
    judge: () => V | Promise<V>,
    state: BottleState,
    result: CheckResult,
  ): Promise<V | undefined> {
    try {
      return await judge();
    } catch (error) {
      if (isInfrastructure(error)) throw error;
      result.failed += 1;
      this.logger.error(`bottle ${state._id.toHexString()} set aside: ${String(error)}`);
      await this.deadlines.setAside(
        this.name,
        state._id,
        this.constructor.name,
        String(error),
        this.clock.now(),
      );
      return undefined;
    }
  }
}

/** What the steps of a check did together. */
export function totalOf(...results: CheckResult[]): CheckResult {
  const sum = (of: (result: CheckResult) => number): number =>
    results.reduce((total, each) => total + of(each), 0);
  return { checked: sum(({ checked }) => checked), failed: sum(({ failed }) => failed) };
}
