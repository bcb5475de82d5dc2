import {
  asStated,
  earliest,
  groupBy,
  type JudgedState,
  judgeDosesAgain,
  onDosesJudged,
  unsettled,
  withRestFromBottle,
} from '#domain';
import {
  AlertsRepository,
  BottleActionsRepository,
  BottlesRepository,
  type BottleState,
  DeadlinesRepository,
  type PlanMember,
} from '#persistence';
import { Clock } from '#platform';
import { Inject, Injectable } from '@nestjs/common';
import { AlertsService } from '../alerts/alerts.service.js';
import { Check, type CheckResult, totalOf, type Finding, type Work } from '../alerts/check.js';
import { NotifierConfig } from '../config.js';
import { CountDoubts, doubtfulHeartbeats } from './count-doubts.js';
import {
  DOSE_KINDS,
  type DoseFinding,
  type DoseKind,
  type JudgedBottle,
  type JudgedMember,
} from './dose-kind.js';
import { type DoseEvidence, DoseJudgement, type Judged, type JudgedDoses } from './dose-judgement.js';
import { DoseRecords } from './dose-records.js';
import { PlanHandover } from './plan-handover.js';
import { type DoseStatements, StatementReader } from './statements.js';

/** A page of bottles, for each kind of alert that follows from their doses. */
interface DosePage {
  /** By the bottle's id, or why its doses cannot be judged; a bottle that is not in the registry is left out. */
  bottles: ReadonlyMap<string, JudgedBottle | Error>;
  kinds: readonly { kind: DoseKind; page: unknown }[];
}

const NO_STATEMENTS: DoseStatements = { reports: new Map(), attested: [], recorded: [] };

interface BottleFinding extends Finding {
  found?: JudgedBottle;
  /** A dose cannot be judged before a bottle of the plan reports. */
  isAwaiting?: boolean;
}

/**
 * Doses that have become due, removals that nobody has judged yet, and judgements that waited for a contact. Each sweep
 * writes the outcomes that are settled and arms the next check; what alerts follow is up to the kinds.
 */
@Injectable()
export class DosesCheck extends Check {
  constructor(
    deadlines: DeadlinesRepository,
    alerts: AlertsService,
    clock: Clock,
    private readonly storedAlerts: AlertsRepository,
    private readonly bottles: BottlesRepository,
    private readonly actions: BottleActionsRepository,
    private readonly doses: DoseJudgement,
    private readonly statements: StatementReader,
    private readonly doubts: CountDoubts,
    private readonly records: DoseRecords,
    private readonly plans: PlanHandover,
    @Inject(DOSE_KINDS) private readonly kinds: readonly DoseKind[],
    private readonly config: NotifierConfig,
  ) {
    super('dose', deadlines, alerts, clock);
  }

  async run(stopping = () => false): Promise<CheckResult> {
    let concernsOthers = false;
    const work = {
      prepare: (states: BottleState[], now: Date) => this.readPage(states, now),
      judge: (state: BottleState, now: Date, page: DosePage) => this.judge(state, now, page),
      record: async (findings: BottleFinding[], now: Date) => {
        if (await this.record(findings, now)) concernsOthers = true;
      },
    };
    const seen = await this.sweepPages(
      {
        ...work,
        claim: (now, lease, limit, skip) => this.deadlines.claimContactCame(now, lease, limit, skip),
      },
      stopping,
    );
    const due = await this.sweepDue(work, stopping);
    // what bottles of plans have reported, or never did, is judged in the same run
    return concernsOthers && !stopping()
      ? totalOf(seen, due, await this.sweepDue(work, stopping))
      : totalOf(seen, due);
  }

  private sweepDue(
    work: Omit<Work<DosePage, BottleFinding>, 'claim'>,
    stopping: () => boolean,
  ): Promise<CheckResult> {
    const claim: Work<DosePage, BottleFinding>['claim'] = (now, lease, limit, skip) =>
      this.deadlines.claimOverdue('dose', now, lease, limit, skip);
    return this.sweepPages({ ...work, claim }, stopping);
  }

  private async readPage(states: BottleState[], now: Date): Promise<DosePage> {
    const bottles = await this.judgeDoses(states, now);
    const judged = [...bottles.values()].flatMap((one) => (one instanceof Error ? [] : one));
    const kinds = this.kinds.map(async (kind) => ({ kind, page: await kind.prepare?.(judged, now) }));
    return { bottles, kinds: await Promise.all(kinds) };
  }

  private async judgeDoses(
    states: BottleState[],
    now: Date,
  ): Promise<ReadonlyMap<string, JudgedBottle | Error>> {
    const ids = states.map(({ _id }) => _id);
    const [found, openAlerts, again] = await Promise.all([
      this.bottles.findByIds(ids),
      this.storedAlerts.findOpen(ids),
      this.findAgainFrom(states),
    ]);
    const registered = new Map(found.map((bottle) => [bottle._id.toHexString(), bottle]));
    const open = groupBy(openAlerts, ({ bottle_id }) => bottle_id.toHexString());
    const page = states.flatMap((state) => {
      const bottle = registered.get(state._id.toHexString());
      return bottle ? [{ state, bottle, again_from: again.get(state) }] : [];
    });
    const [evidence, ofActions] = await Promise.all([
      this.doses.read(page, now),
      this.doubts.find(page, now),
    ]);
    const doubts = new Map(
      page.map((one) => {
        const id = one.bottle._id.toHexString();
        return [id, [...(ofActions.get(id) ?? []), ...doubtfulHeartbeats(one, evidence.get(id)!)]];
      }),
    );
    await this.doubts.note(doubts, now);
    const members = await this.judgedMembers([...evidence.values()]);
    const statements = await this.statements.read(page, evidence);
    return new Map(
      page.map((one) => {
        const id = one.bottle._id.toHexString();
        const judge = (): JudgedDoses => this.doses.judge(one.bottle, evidence.get(id)!, now);
        const known = {
          statements: statements.get(id) ?? NO_STATEMENTS,
          doubts: doubts.get(id)!,
          members: members(evidence.get(id)!),
          open: open.get(id) ?? [],
        };
        return [id, judgedBottle(one, judge, known, now)];
      }),
    );
  }

  /** From when on doses are judged again: what a closing does not say may have been taken out since the lid was opened. */
  private async findAgainFrom(states: readonly BottleState[]): Promise<Map<BottleState, Date>> {
    const found = states.map(async (state): Promise<[BottleState, Date][]> => {
      const { _id, judge_again_from: from } = state;
      if (!from) return [];
      const last = await this.actions.findLastAction(_id, from);
      return [[state, last?.action === 'opened' ? last.time : from]];
    });
    return new Map((await Promise.all(found)).flat());
  }

  /** The further bottles of plans, with their silences. */
  private async judgedMembers(
    all: readonly (DoseEvidence | Error)[],
  ): Promise<(evidence: DoseEvidence | Error) => JudgedMember[]> {
    const membersOf = (one: DoseEvidence | Error): readonly PlanMember[] =>
      one instanceof Error ? [] : one.members;
    const ids = all.flatMap(membersOf).map(({ bottle }) => bottle._id);
    const silences =
      ids.length === 0 ? new Map() : await this.storedAlerts.findOpenByBottle(ids, 'bottle_silent');
    return (evidence) =>
      membersOf(evidence).map((member) => {
        const silence = silences.get(member.bottle._id.toHexString());
        return silence ? { ...member, silence } : member;
      });
  }

  private async judge(state: BottleState, now: Date, page: DosePage): Promise<BottleFinding> {
    const one = page.bottles.get(state._id.toHexString());
    if (!one) return { release: () => onDosesJudged(state, undefined) };
    if (one instanceof Error) throw one;
    if (state.life) return this.settle(one, now);
    const findings = await Promise.all(
      page.kinds.map(async ({ kind, page: read }) => (await kind.judge?.(one, read, now)) ?? {}),
    );
    const judged = judgedState(one.judged, findings);
    return {
      found: one,
      isAwaiting: judged.awaiting_contact,
      raise: findings.flatMap(({ raise = [] }) => raise).filter(({ kind }) => !this.config.disables(kind)),
      end: findings.flatMap(({ end = [] }) => end),
      judgeAgain: judgeDosesAgain(state, one.judged.slots[0]?.slot.scheduled_at ?? now, now),
      release: () => onDosesJudged(state, judged, one.bottle.shared_plans !== undefined),
    };
  }

  /** The bottle left use: its doses get their outcomes, and nobody is alerted. An alert that was raised meanwhile ends. */
  private settle(one: JudgedBottle, now: Date): BottleFinding {
    const { state, judged, open } = one;
    // nobody was notified of it (LIFE-3)
    const end = { state: 'resolved', at: now, by: 'notifier', note: 'the bottle is not in use' } as const;
    const settled = {
      judged_until: judged.judged_until,
      awaiting_contact: false,
      late: false,
      neverReported: false,
    };
    return {
      found: one,
      end: open.map((alert) => ({ alert, end })),
      judgeAgain: judgeDosesAgain(state, judged.slots[0]?.slot.scheduled_at ?? now, now),
      release: () => onDosesJudged(state, settled, one.bottle.shared_plans !== undefined),
    };
  }

  /** @returns whether another bottle of a plan is to be judged, too */
  private async record(findings: readonly BottleFinding[], now: Date): Promise<boolean> {
    const page = findings.flatMap(({ found }) => found ?? []);
    await this.records.write(page, now);
    for (const kind of this.kinds) await kind.record?.(page, now);
    await this.plans.awaitMembers(
      findings.flatMap(({ found, isAwaiting }) => (found && isAwaiting ? found : [])),
    );
    const isUnseen = await this.plans.checkUnseen(page, now);
    return (await this.plans.handOver(page, now)) || isUnseen;
  }
}

function judgedBottle(
  one: Judged,
  judge: () => JudgedDoses,
  { statements, ...known }: Pick<JudgedBottle, 'statements' | 'doubts' | 'members' | 'open'>,
  now: Date,
): JudgedBottle | Error {
  try {
    const judged = judge();
    const doses = [...judged.slots, ...statements.recorded];
    const reports = withRestFromBottle(statements.reports, doses);
    const stated = asStated(doses, judged.extra, reports, now);
    return {
      ...one,
      judged,
      statements: { ...statements, reports },
      stated,
      unsettled: unsettled(stated, reports),
      ...known,
    };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** What the judgement, and what the kinds conclude from it, mean for the state. */
function judgedState(judged: JudgedDoses, findings: readonly DoseFinding[]): JudgedState {
  const found = findings.flatMap(({ state }) => state ?? []);
  const dose_due_at = earliest(judged.dose_due_at, ...found.map(({ check_at }) => check_at));
  const low_supply = found.find((state) => state.low_supply)?.low_supply;
  return {
    judged_until: earliest(judged.judged_until, ...found.map(({ unsettled_from }) => unsettled_from))!,
    awaiting_contact: judged.awaiting_contact || found.some(({ awaiting_contact }) => awaiting_contact),
    late: found.some(({ late }) => late),
    neverReported: found.some(({ neverReported }) => neverReported),
    silenceHeldUntil: found.find(({ silenceHeldUntil: held }) => held)?.silenceHeldUntil,
    ...(low_supply && { low_supply }),
    ...(dose_due_at && { dose_due_at }),
  };
}
