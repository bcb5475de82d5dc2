import type { DeviceReport } from '../file/format.js';
import type { TimedReport } from '../time/timeline.js';
import type { Answer, RunningApp } from '../../harness/running-app.js';

/** A report that could not be sent yet. */
interface Stored {
  bottle: string;
  report: DeviceReport;
  since: Date;
}

/** What a bottle reports with: its own token, or that of its gateway, which names it by its id. */
interface Sender {
  token: string;
  gatewayFor?: string;
}

/**
 * The bottles. While device-api or the database is down they store reports and forward them later, like real ones; heartbeats are lost.
 */
export class DeviceFleet {
  /** Reports that device-api refused, which a scenario may intend. */
  readonly refusals: string[] = [];
  private readonly senders = new Map<string, Sender>();
  private backlog: Stored[] = [];

  /** @param deviceApi undefined while it is down */
  constructor(
    private readonly deviceApi: () => RunningApp | undefined,
    private readonly isDatabaseDown: () => boolean,
  ) {}

  add(key: string, sender: Sender): void {
    this.senders.set(key, sender);
  }

  /**
   * Sends reports: concurrently across bottles, in order for each bottle, every report at its own moment. device-api
   * groups reports by the second of sending, so reports of different moments within one second never go together.
   */
  async send(reports: readonly TimedReport[]): Promise<void> {
    for (let from = 0, to = 0; from < reports.length; from = to) {
      to = endOfMoments(reports, from);
      const byBottle = new Map<string, TimedReport[]>();
      for (const report of reports.slice(from, to))
        byBottle.set(report.bottle, [...(byBottle.get(report.bottle) ?? []), report]);
      await Promise.all(
        [...byBottle.values()].map(async (own) => {
          for (const report of own) await this.sendOne(report);
        }),
      );
    }
  }

  private async sendOne(timed: TimedReport): Promise<void> {
    const { bottle, at } = timed;
    if (timed.type === 'heartbeat') await this.post(bottle, '/v1/heartbeats', timed.vitals, at);
    else for (let time = 0; time < timed.repeat; time += 1) await this.report(bottle, timed.report, at);
  }

  private async report(bottle: string, report: DeviceReport, now: Date): Promise<void> {
    const answer = await this.post(bottle, report.path, report.body, now);
    if (answer) this.note(bottle, answer);
    else this.backlog.push({ bottle, report, since: now });
  }

  /** Forwards the backlog in order; the device's clock has advanced since. */
  async resend(now: Date): Promise<void> {
    const backlog = this.backlog;
    this.backlog = [];
    for (const { bottle, report, since } of backlog) {
      await this.report(bottle, sentLater(report, now.getTime() - since.getTime()), now);
    }
  }

  /** Undefined while device-api is down, or refuses reports because the database is. */
  private async post(bottle: string, path: string, body: unknown, at: Date): Promise<Answer | undefined> {
    const { token, gatewayFor } = this.senders.get(bottle)!;
    const request = gatewayFor === undefined ? { path, body } : throughGateway(path, body, gatewayFor);
    const answer = await this.deviceApi()?.send('POST', request.path, token, request.body, at);
    if (answer?.status === 503 && this.isDatabaseDown()) return undefined;
    if (answer && answer.status >= 500) throw new Error(`${path} got ${answer.status}`);
    return answer;
  }

  private note(bottle: string, { status, body }: Answer): void {
    const results = (body as { results?: { status: number; code?: string }[] } | undefined)?.results ?? [];
    const refused = [...results.map((result) => ({ ...result })), { status, ...(body as object) }];
    for (const answer of refused.filter((one) => one.status >= 400)) {
      this.refusals.push(`bottle ${bottle}: ${answer.status} ${JSON.stringify(answer)}`);
    }
  }
}

/** The end of the reports that may be sent together: before one that shares a second, but not a moment, with the last. */
function endOfMoments(reports: readonly TimedReport[], from: number): number {
  const secondOf = ({ at }: TimedReport): number => Math.floor(at.getTime() / 1_000);
  const clash = reports.findIndex((report, index) => {
    const before = reports[index - 1];
    return (
      index > from && secondOf(report) === secondOf(before!) && report.at.getTime() !== before!.at.getTime()
    );
  });
  return clash === -1 ? reports.length : clash;
}

/** A gateway's batch names the bottle in each item. */
function throughGateway(path: string, body: unknown, bottle_id: string): { path: string; body: object } {
  const { sent_at, items, ...fields } = (body ?? {}) as { sent_at?: string; items?: object[] };
  const type = path === '/v1/heartbeats' ? 'heartbeat' : 'action';
  const all = (items ?? [{ type, ...fields }]).map((item) => ({ ...item, bottle_id }));
  return { path: '/v1/gateway/batch', body: { ...(sent_at !== undefined && { sent_at }), items: all } };
}

function sentLater(report: DeviceReport, ms: number): DeviceReport {
  const { sent_at } = report.body;
  if (sent_at === undefined) return report;
  const body = { ...report.body, sent_at: new Date(new Date(sent_at).getTime() + ms).toISOString() };
  return { ...report, body } as DeviceReport;
}
