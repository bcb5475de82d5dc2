import type { BottleClient } from './bottle-client.js';
import { networkErrorCode } from './http.js';
import type { Random } from '../../random.js';
import type { Refusal, StatsCollector } from './stats.js';
import type { Timeline } from './timeline.js';
import { mayRetry, parseRetryAfter, retryDelay } from './backoff.js';
import type { DeviceClock } from './device-clock.js';
import type { Gate } from './gate.js';
import type { Link } from './link.js';
import { acknowledged, type AcknowledgedReport, type Report } from './report.js';
import { send, type Sent } from './send.js';

/** As many items as device-api takes in one batch. */
const MAX_BATCH_ITEMS = 500;

/** What all the bottles of a fleet share. */
export interface FleetParts {
  /** For sending again: runs on when the bottles have stopped, so that the backlog is sent. */
  retries: Timeline;
  gate: Gate;
  stats: StatsCollector;
  onAcknowledged?: ((report: AcknowledgedReport) => void) | undefined;
}

export interface OutboxOptions extends FleetParts {
  bottleId: string;
  client: BottleClient;
  link: Link;
  clock: DeviceClock;
  random: Random;
  /** Called when a report leaves it: with what was acknowledged, or with why it was refused for good. */
  onSettled?: (report: Report, answer: AcknowledgedReport | Refusal) => void;
  /** How long it waits before it sends again. */
  delay?: typeof retryDelay;
}

/**
 * A bottle's memory of what it has not yet got rid of. A report leaves it only when device-api has answered for
 * it: the newest alone at once, several as a batch, anything that failed again after a while.
 */
export class Outbox {
  private waiting: Report[] = [];
  private sending = false;
  private failures = 0;
  private notBefore = 0;
  private closed = false;

  constructor(private readonly options: OutboxOptions) {}

  get size(): number {
    return this.waiting.length;
  }

  get idle(): boolean {
    return !this.sending;
  }

  add(report: Report): Report {
    this.waiting.push(report);
    this.options.stats.backlog += 1;
    this.flush();
    return report;
  }

  /** Wi-fi comes or goes. What is on its way arrives all the same. */
  setOnline(online: boolean): void {
    const { link, stats } = this.options;
    if (link.online === online) return;
    link.online = online;
    stats.offline += online ? -1 : 1;
    if (online) this.flush();
  }

  /** Sends nothing more. */
  close(): void {
    this.closed = true;
  }

  /** Sends what there is, unless something hinders it, which then ends by calling this again. */
  flush(): void {
    if (this.sending || !this.mayBegin()) return;
    this.sending = true;
    void this.options.gate
      .run(async () => (this.mayBegin() ? this.sendOnce() : undefined))
      .finally(() => {
        this.sending = false;
        this.flush();
      });
  }

  private mayBegin(): boolean {
    const { link, retries } = this.options;
    return !this.closed && link.online && this.waiting.length > 0 && retries.now() >= this.notBefore;
  }

  private async sendOnce(): Promise<void> {
    const { client, clock, link, stats, retries } = this.options;
    const reports = this.waiting.slice(0, MAX_BATCH_ITEMS);
    const began = performance.now();
    const sent = await send(client, clock, reports, retries.now()).catch((error: unknown) =>
      networkErrorCode(error),
    );
    if (typeof sent === 'string') return this.retry(reports.length, sent);
    stats.answered(performance.now() - began);
    if (link.losesAnswer()) this.retry(reports.length, 'simulated_loss');
    else this.settle(reports, sent);
  }

  /** Takes out what was answered for and what never will be; the rest stays. */
  private settle(reports: Report[], { results, retryAfter }: Sent): void {
    const { stats } = this.options;
    const done = new Set<Report>();
    let again = 0;
    let why: string | undefined;
    for (const [index, report] of reports.entries()) {
      const result = results[index] ?? { status: 502, code: 'no_result' };
      if (mayRetry(result.status)) {
        again += 1;
        why = result.code ?? `http_${result.status}`;
        continue;
      }
      done.add(report);
      if (result.status < 300) this.acknowledge(report, result.status, result.id);
      else this.refuse({ bottle_id: this.options.bottleId, report, result });
    }
    this.waiting = this.waiting.filter((report) => !done.has(report));
    stats.backlog -= done.size;
    if (why === undefined) this.failures = 0;
    else this.retry(again, why, retryAfter);
  }

  private acknowledge(report: Report, status: number, id?: string): void {
    const { bottleId, link, stats, onAcknowledged, onSettled } = this.options;
    const answer = acknowledged(bottleId, report, status, id);
    stats.acknowledged(status === 200);
    onAcknowledged?.(answer);
    onSettled?.(report, answer);
    if (report.repeated || !link.repeats()) return;
    this.waiting.push({ ...report, repeated: true });
    stats.backlog += 1;
  }

  private refuse(refusal: Refusal): void {
    this.options.stats.refused(refusal);
    this.options.onSettled?.(refusal.report, refusal);
  }

  private retry(count: number, code: string, retryAfter?: string): void {
    const { retries, stats, random, delay = retryDelay } = this.options;
    stats.retried(count, code);
    this.failures += 1;
    const now = retries.now();
    this.notBefore = now + delay(this.failures, parseRetryAfter(retryAfter, new Date(now)), random);
    retries.at(this.notBefore, () => this.flush());
  }
}
