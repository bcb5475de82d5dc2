import type { DeviceReport } from '../file/format.js';
import type { Answer, HttpClient } from './http-client.js';

/** A report that could not be sent yet. */
interface Kept {
  bottle: string;
  report: DeviceReport;
  since: Date;
}

/**
 * The bottles: they send while device-api answers and, like the real ones, keep reports of what happened until
 * it does again. Heartbeats that nobody hears are lost.
 */
export class DeviceFleet {
  /** Reports that device-api refused: the file may mean it so. */
  readonly refusals: string[] = [];
  private readonly tokens = new Map<string, string>();
  private kept: Kept[] = [];

  /** @param deviceApi undefined while it does not run. */
  constructor(private readonly deviceApi: () => HttpClient | undefined) {}

  add(key: string, token: string): void {
    this.tokens.set(key, token);
  }

  /** Each bottle's heartbeats one after the other, the bottles together. */
  async beat(beats: readonly { bottle: string; at: Date }[]): Promise<void> {
    await Promise.all(
      [...new Set(beats.map(({ bottle }) => bottle))].map(async (bottle) => {
        const own = beats.filter((beat) => beat.bottle === bottle);
        for (const { at } of own) await this.send(bottle, '/v1/heartbeats', undefined, at);
      }),
    );
  }

  async report(bottle: string, report: DeviceReport, now: Date): Promise<void> {
    const answer = await this.send(bottle, report.path, report.body);
    if (answer) this.note(bottle, answer);
    else this.kept.push({ bottle, report, since: now });
  }

  /** Sends what was kept, in order; the device's clock has gone on meanwhile. */
  async resend(now: Date): Promise<void> {
    const kept = this.kept;
    this.kept = [];
    for (const { bottle, report, since } of kept) {
      await this.report(bottle, sentLater(report, now.getTime() - since.getTime()), now);
    }
  }

  /** Undefined when nobody answers. */
  private async send(bottle: string, path: string, body: unknown, at?: Date): Promise<Answer | undefined> {
    const answer = await this.deviceApi()?.send('POST', path, this.tokens.get(bottle)!, body, at);
    if (answer && answer.status >= 500) throw new Error(`${path} was answered ${answer.status}`);
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

function sentLater(report: DeviceReport, ms: number): DeviceReport {
  const { sent_at } = report.body;
  if (sent_at === undefined) return report;
  const body = { ...report.body, sent_at: new Date(new Date(sent_at).getTime() + ms).toISOString() };
  return { ...report, body } as DeviceReport;
}
