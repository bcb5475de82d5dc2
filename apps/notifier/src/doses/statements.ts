import { type Reports, reportsBySlot, type SlotJudgement, slotDueAt } from '#domain';
import {
  type AttestationEntry,
  AttestationsRepository,
  type Bottle,
  type DoseOutcome,
  DoseOutcomesRepository,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import type { DoseEvidence, Judged } from './dose-judgement.js';

/** What people say about the doses of one bottle. */
export interface DoseStatements {
  reports: Reports;
  /** The slots about which somebody stated or withdrew something since the last check. */
  attested: readonly Date[];
  /** Those of them whose outcome is recorded and that are not judged now. */
  recorded: SlotJudgement[];
}

/** Reads what people say about the doses that a check looks at. */
@Injectable()
export class StatementReader {
  constructor(
    private readonly attestations: AttestationsRepository,
    private readonly outcomes: DoseOutcomesRepository,
  ) {}

  /** By the bottle's id in hex; bottles about which nobody says anything are left out. */
  async read(
    page: readonly Judged[],
    evidence: ReadonlyMap<string, DoseEvidence | Error>,
  ): Promise<Map<string, DoseStatements>> {
    const firsts = [...evidence.values()].flatMap((each) => ('slots' in each ? (each.slots[0] ?? []) : []));
    if (firsts.length === 0 && page.every(({ state }) => !state.attested_slots)) return new Map();
    const since = new Date(Math.min(...firsts.map(({ scheduled_at }) => scheduled_at.getTime()), FAR_AHEAD));
    const found = await this.attestations.findSince(
      page.map(({ bottle }) => bottle._id),
      since,
    );
    const read = await Promise.all(
      page.map(async ({ bottle, state }) => {
        const id = bottle._id.toHexString();
        const entries = found.get(id) ?? [];
        const { attested_slots: attested = [] } = state;
        if (entries.length === 0 && attested.length === 0) return [];
        return [[id, await this.ofBottle({ bottle, state }, entries, evidence.get(id)!)] as const];
      }),
    );
    return new Map(read.flat());
  }

  private async ofBottle(
    { bottle: { _id, schedule_versions, pauses }, state: { attested_slots: attested = [] } }: Judged,
    entries: AttestationEntry[],
    evidence: DoseEvidence | Error,
  ): Promise<DoseStatements> {
    const judged = 'slots' in evidence ? evidence.slots : [];
    const isJudged = (at: Date): boolean =>
      judged.some(({ scheduled_at }) => scheduled_at.getTime() === at.getTime());
    const older = attested.filter((slot) => !isJudged(slot));
    const [stated, outcomes] =
      older.length === 0
        ? [[], []]
        : await Promise.all([
            this.attestations.findOfSlots(_id, older),
            this.outcomes.findOfSlots(_id, older),
          ]);
    const recorded = outcomes.flatMap((outcome) => judgementsOf(outcome, { schedule_versions, pauses }));
    const unique = new Map([...entries, ...stated].map((entry) => [entry._id.toHexString(), entry]));
    return { reports: reportsBySlot([...unique.values()]), attested, recorded };
  }
}

/** Later than every slot: of a page without slots, only attested ones are read. Epoch milliseconds. */
const FAR_AHEAD = 8.64e15;

/** What is on record of a dose; none if its slot is no longer in the plan. */
export function judgementsOf(
  outcome: DoseOutcome,
  { schedule_versions, pauses }: Pick<Bottle, 'schedule_versions' | 'pauses'>,
): SlotJudgement[] {
  const { scheduled_at: at } = outcome;
  const slot = slotDueAt(schedule_versions, pauses, at);
  return slot ? [{ ...judgementOf(outcome), slot }] : [];
}

function judgementOf({ outcome, pills_taken, taken_at }: DoseOutcome): Omit<SlotJudgement, 'slot'> {
  return {
    phase: 'judged',
    outcome,
    pills_taken,
    ...(taken_at && { taken_at }),
    matched: [],
    awaiting_contact: false,
  };
}
