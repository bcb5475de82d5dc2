import type { DeviceReport } from '../file/format.js';
import type { Word } from '../time/timeline.js';
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

  /**
   * What the bottles say: the bottles together, each in its order and every word at its own moment. Reports that meet
   * in device-api are received at the second in which they were sent, so of one second only one moment goes together.
   */
  async say(words: readonly Word[]): Promise<void> {
    for (let from = 0, to = 0; from < words.length; from = to) {
      to = endOfMoments(words, from);
      const byBottle = new Map<string, Word[]>();
      for (const word of words.slice(from, to))
        byBottle.set(word.bottle, [...(byBottle.get(word.bottle) ?? []), word]);
      await Promise.all(
        [...byBottle.values()].map(async (own) => {
          for (const word of own) await this.sayOne(word);
        }),
      );
    }
  }

  private async sayOne(word: Word): Promise<void> {
    const { bottle, at } = word;
    if (word.type === 'heartbeat') await this.send(bottle, '/v1/heartbeats', undefined, at);
    else for (let time = 0; time < word.repeat; time += 1) await this.report(bottle, word.report, at);
  }

  private async report(bottle: string, report: DeviceReport, now: Date): Promise<void> {
    const answer = await this.send(bottle, report.path, report.body, now);
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
  private async send(bottle: string, path: string, body: unknown, at: Date): Promise<Answer | undefined> {
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

/** How far words go that may be under way together: up to one that shares its second, but not its moment, with another. */
function endOfMoments(words: readonly Word[], from: number): number {
  const secondOf = ({ at }: Word): number => Math.floor(at.getTime() / 1_000);
  const clash = words.findIndex((word, index) => {
    const before = words[index - 1];
    return index > from && secondOf(word) === secondOf(before!) && word.at.getTime() !== before!.at.getTime();
  });
  return clash === -1 ? words.length : clash;
}

function sentLater(report: DeviceReport, ms: number): DeviceReport {
  const { sent_at } = report.body;
  if (sent_at === undefined) return report;
  const body = { ...report.body, sent_at: new Date(new Date(sent_at).getTime() + ms).toISOString() };
  return { ...report, body } as DeviceReport;
}
