import {
  ownedSince,
  type RecordedCoverage,
  reportsBySlot,
  settledBy,
  sharedPlanAt,
  type SilentAfterEvidence,
  type UnmonitoredPeriod,
} from '#domain';
import {
  AttestationsRepository,
  type Bottle,
  BottleLogsRepository,
  BottlesRepository,
  type BottleState,
  BottleStatesRepository,
  CoverageRepository,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import { NotifierConfig } from '../../config.js';
import { DoseJudgement, type Judged, type JudgedDoses } from '../../doses/dose-judgement.js';

/** The doses that the silence of a bottle hides, and the bottle whose they are if it is for the plan of another. */
type HiddenDoses = Pick<SilentAfterEvidence, 'unconfirmed_doses' | 'plan_of'>;

/** The inputs of the check for a page of bottles that seem silent, by the bottle's id. */
export interface SilenceEvidence {
  /** Since the earliest last contact of the page. */
  coverage: RecordedCoverage;
  /** The last heartbeat of a bottle whose state lagged behind the log: the lab's query 3. */
  laterContacts: Map<string, Date>;
  /** Doses that were due during the silence, or are late since before it: their outcome cannot be confirmed. */
  hidden: Map<string, HiddenDoses>;
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
    private readonly states: BottleStatesRepository,
    private readonly attestations: AttestationsRepository,
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
    const [coverage, newer, hidden] = await Promise.all([
      this.coverage.read(new Date(first), now, this.silentAfter),
      this.logs.findHeartbeats(seen),
      this.hidden(states, bottles, now),
    ]);
    const laterContacts = new Map(
      [...newer].map(([id, times]) => [id, new Date(Math.max(...times.map((time) => time.getTime())))]),
    );
    const periods = new Map(bottles.map(({ _id, pauses }) => [_id.toHexString(), pauses]));
    return { coverage, laterContacts, hidden, periods };
  }

  private async hidden(
    states: readonly BottleState[],
    bottles: readonly Bottle[],
    now: Date,
  ): Promise<Map<string, HiddenDoses>> {
    const plans = await this.dosing(states, bottles, now);
    if (plans.size === 0) return new Map();
    const evidence = await this.doses.read([...plans.values()], now);
    const lastSeen = new Map(states.map(({ _id, last_heard_at }) => [_id.toHexString(), last_heard_at]));
    return this.withoutSettled(
      bottles.flatMap((bottle) => {
        const id = bottle._id.toHexString();
        const shared = sharedPlanAt(bottle.shared_plans, now);
        const plan = plans.get((shared?.of ?? bottle._id).toHexString());
        if (!plan) return [];
        const leader = plan.bottle._id.toHexString();
        const judge = (): JudgedDoses => this.doses.judge(plan.bottle, evidence.get(leader)!, now);
        const since = new Date(Math.max(lastSeen.get(id)?.getTime() ?? 0, shared?.from.getTime() ?? 0));
        const owned = ownedSince(plan.bottle);
        const unconfirmed_doses = unconfirmedOf(judge, since).filter((dose) => dose >= owned);
        return { id, leader: plan.bottle._id, unconfirmed_doses, ...(shared && { plan_of: leader }) };
      }),
    );
  }

  /** By the bottle's id, without the doses that people's statements settle. */
  private async withoutSettled(
    hidden: readonly (HiddenDoses & { id: string; leader: Bottle['_id'] })[],
  ): Promise<Map<string, HiddenDoses>> {
    const entries = await this.attestations.findOfDoses(
      hidden.flatMap(({ leader: bottle_id, unconfirmed_doses = [] }) =>
        unconfirmed_doses.map((scheduled_at) => ({ bottle_id, scheduled_at })),
      ),
    );
    return new Map(
      hidden.map(({ id, leader, unconfirmed_doses = [], ...of }) => {
        const stated = reportsBySlot(entries.get(leader.toHexString()) ?? []);
        const isOpen = (dose: Date): boolean => settledBy(stated.get(dose.getTime())) === undefined;
        return [id, { ...of, unconfirmed_doses: unconfirmed_doses.filter(isOpen) }];
      }),
    );
  }

  /** The bottles with doses to judge whose plans these bottles have or are for, by their ids. */
  private async dosing(
    states: readonly BottleState[],
    bottles: readonly Bottle[],
    now: Date,
  ): Promise<Map<string, Judged>> {
    const leaders = bottles.flatMap(({ shared_plans }) => sharedPlanAt(shared_plans, now)?.of ?? []);
    const [leading, leadingStates] =
      leaders.length === 0
        ? [[], []]
        : await Promise.all([this.bottles.findByIds(leaders), this.states.findByIds(leaders)]);
    const bottleOf = new Map([...bottles, ...leading].map((bottle) => [bottle._id.toHexString(), bottle]));
    const judged = [...states, ...leadingStates].flatMap((state): [string, Judged][] => {
      const id = state._id.toHexString();
      const bottle = bottleOf.get(id);
      const hasDoses = state.dose_due_at !== undefined || state.dose_wait;
      return bottle && hasDoses ? [[id, { bottle, state, again_from: state.judge_again_from }]] : [];
    });
    return new Map(judged);
  }
}

/**
 * The doses of a plan that a silence hides: not those that had ended before it. A schedule that cannot be read is for the doses
 * check to quarantine; the silence is an alert all the same.
 */
function unconfirmedOf(judge: () => JudgedDoses, since: Date): Date[] {
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
