import { type AdherenceCount, adherenceCounts, type DoseOutcome as Outcome } from '#domain';
import {
  type Attestation,
  AttestationsRepository,
  DoseOutcomesRepository,
  type MinuteCount,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import { startOf } from '../time/units.js';

/** So many doses that somebody attests are looked up at once. */
const PAGE = 500;

/** Adherence both ways: judged doses by what was measured, and by what people say where somebody does. */
@Injectable()
export class AdherenceCounts {
  constructor(
    private readonly outcomes: DoseOutcomesRepository,
    private readonly attestations: AttestationsRepository,
  ) {}

  /**
   * By minute of the slots in [from, to). All doses are counted as if nobody had attested any; then those that somebody
   * attests, which are few, are moved.
   */
  async countByMinute(from: Date, to: Date): Promise<MinuteCount[]> {
    const counts = new MinuteCounts();
    for (const { minute, key, count } of await this.outcomes.countByMinute(from, to))
      for (const each of adherenceCounts(key as Outcome, undefined)) counts.add(minute, each, count);
    let page: Attestation[] = [];
    for await (const statement of this.attestations.findStanding(from, to)) {
      page.push(statement);
      if (page.length < PAGE) continue;
      await this.move(counts, page);
      page = [];
    }
    await this.move(counts, page);
    return counts.all();
  }

  private async move(counts: MinuteCounts, statements: readonly Attestation[]): Promise<void> {
    const judged = await this.outcomes.findOfDoses(statements);
    const outcomes = new Map(judged.map((dose) => [nameOf(dose), dose.outcome]));
    for (const statement of statements) {
      const outcome = outcomes.get(nameOf(statement));
      if (outcome === undefined) continue;
      const minute = startOf('minute', statement.scheduled_at);
      for (const each of adherenceCounts(outcome, undefined)) counts.add(minute, each, -1);
      for (const each of adherenceCounts(outcome, statement)) counts.add(minute, each, 1);
    }
  }
}

const nameOf = ({ bottle_id, scheduled_at }: Pick<Attestation, 'bottle_id' | 'scheduled_at'>): string =>
  `${bottle_id.toHexString()} ${scheduled_at.getTime()}`;

class MinuteCounts {
  private readonly counts = new Map<string, MinuteCount>();

  add(minute: Date, key: AdherenceCount, count: number): void {
    const name = `${minute.getTime()} ${key}`;
    const sum = (this.counts.get(name)?.count ?? 0) + count;
    this.counts.set(name, { minute, key, count: sum });
  }

  all(): MinuteCount[] {
    return [...this.counts.values()].filter(({ count }) => count !== 0);
  }
}
