import { type UnmonitoredPeriod, type RecordedCoverage } from '#domain';
import {
  type Bottle,
  BottleLogsRepository,
  BottlesRepository,
  type BottleState,
  CoverageRepository,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import { NotifierConfig } from '../../config.js';
import { DoseJudgement, type JudgedDoses } from '../../doses/dose-judgement.js';

/** The inputs of the check for a page of bottles that seem silent, by the bottle's id. */
export interface SilenceEvidence {
  /** Since the earliest last contact of the page. */
  coverage: RecordedCoverage;
  /** The last heartbeat of a bottle whose state lagged behind the log: the lab's query 3. */
  laterContacts: Map<string, Date>;
  /** Doses that were due during the silence, or are late since before it: their outcome cannot be confirmed. */
  unconfirmedDoses: Map<string, Date[]>;
  /** The periods without monitoring. */
  periods: Map<string, readonly UnmonitoredPeriod[]>;
}

/** Reads the evidence, in a few queries for the page. */
@Injectable()
export class SilenceEvidenceReader {
  private readonly silentAfter: number;

  constructor(
    private readonly logs: BottleLogsRepository,
    private readonly coverage: CoverageRepository,
    private readonly bottles: BottlesRepository,
    private readonly doses: DoseJudgement,
    config: NotifierConfig,
  ) {
    this.silentAfter = config.SILENT_BOTTLE_AFTER;
  }

  async read(states: BottleState[], now: Date): Promise<SilenceEvidence> {
    // a bad record must not stop the page: it is quarantined when it is judged
    const seen = states.flatMap(({ _id, last_heard_at }) =>
      last_heard_at instanceof Date ? [{ bottle_id: _id, since: new Date(last_heard_at.getTime() + 1) }] : [],
    );
    const first = Math.min(now.getTime(), ...seen.map(({ since }) => since.getTime() - 1));
    const bottles = await this.bottles.findByIds(states.map(({ _id }) => _id));
    const [coverage, newer, unconfirmedDoses] = await Promise.all([
      this.coverage.read(new Date(first), now, this.silentAfter),
      this.logs.findHeartbeats(seen),
      this.unconfirmed(states, bottles, now),
    ]);
    const laterContacts = new Map(
      [...newer].map(([id, times]) => [id, new Date(Math.max(...times.map((time) => time.getTime())))]),
    );
    const periods = new Map(bottles.map(({ _id, pauses }) => [_id.toHexString(), pauses]));
    return { coverage, laterContacts, unconfirmedDoses, periods };
  }

  private async unconfirmed(
    states: BottleState[],
    registered: readonly Bottle[],
    now: Date,
  ): Promise<Map<string, Date[]>> {
    const dosing = states.filter(({ dose_due_at, dose_wait }) => dose_due_at !== undefined || dose_wait);
    if (dosing.length === 0) return new Map();
    const stateOf = new Map(dosing.map((state) => [state._id.toHexString(), state]));
    const bottles = registered.filter(({ _id }) => stateOf.has(_id.toHexString()));
    const page = bottles.map((bottle) => ({ bottle, state: stateOf.get(bottle._id.toHexString())! }));
    const evidence = await this.doses.read(page, now);
    return new Map(
      bottles.map((bottle) => {
        const id = bottle._id.toHexString();
        const judge = (): JudgedDoses => this.doses.judge(bottle, evidence.get(id)!, now);
        return [id, unconfirmedOf(judge, stateOf.get(id)!.last_heard_at)];
      }),
    );
  }
}

/**
 * The doses that a silence hides: not those that had ended before it. A schedule that cannot be read is for the doses
 * check to quarantine; the silence is an alert all the same.
 */
function unconfirmedOf(judge: () => JudgedDoses, since = new Date(0)): Date[] {
  try {
    return judge()
      .slots.filter(({ slot }) => slot.missed_at >= since)
      .filter(
        ({ phase, outcome }) => phase === 'late' || phase === 'awaiting_contact' || outcome === 'unknown',
      )
      .map(({ slot }) => slot.scheduled_at);
  } catch {
    return [];
  }
}
