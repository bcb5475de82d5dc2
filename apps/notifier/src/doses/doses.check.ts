import {
  asStated,
  DAY_MS,
  extraAfterStatements,
  groupBy,
  type JudgedState,
  onDosesJudged,
  onDoubtedDoses,
  type SlotJudgement,
} from '#domain';
import {
  type Alert,
  AlertsRepository,
  type Bottle,
  BottlesRepository,
  type BottleState,
  DeadlinesRepository,
  type PillSample,
} from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { AlertsService } from '../alerts/alerts.service.js';
import { NotifierConfig } from '../config.js';
import { Check, type CheckResult, totalOf, type Finding } from '../alerts/check.js';
import { findSilenceUnseen, isUndecided, unnamedUnknown } from '../alert-kinds/missed-dose/silence-unseen.js';
import { findNeverReported, isNeverReported } from '../alert-kinds/bottle-silent/never-reported.js';
import { CountMismatch } from '../alert-kinds/count-mismatch/count-mismatch.js';
import { ExtraDoses } from '../alert-kinds/extra-dose/extra-doses.js';
import {
  findEndedDoses,
  findEndedUnseen,
  findLateDoses,
  openSince,
  unsettled,
} from '../alert-kinds/missed-dose/missed-dose.js';
import { CountDoubts } from './count-doubts.js';
import { type DoseEvidence, DoseJudgement, earliest, type JudgedDoses, lateDoses } from './dose-judgement.js';
import { DoseRecords, type FoundDoses } from './dose-records.js';
import { type DoseStatements, StatementReader } from './statements.js';
import { judgeSupply } from '../alert-kinds/low-supply/low-supply.js';

/** What a page of bottles needs, by the bottle's id; and what their pills weigh, by medication. */
interface Page {
  bottles: Map<string, Bottle>;
  openAlerts: Map<string, Alert[]>;
  evidence: Map<string, DoseEvidence | Error>;
  statements: Map<string, DoseStatements>;
  pillWeights: Map<string, PillSample[]>;
  /** The silences of bottles that have reported since, which name doses. */
  silences: Map<string, Alert[]>;
}

/** Silences that began earlier are not looked for. Milliseconds. */
const LONGEST_SILENCE_MS = 30 * DAY_MS;

const NO_STATEMENTS: DoseStatements = { reports: new Map(), attested: [], recorded: [] };

interface DoseFinding extends Finding {
  found?: FoundDoses;
}

/**
 * Doses that have become due, removals that nobody has judged yet, and judgements that waited for a contact.
 * Each sweep writes the outcomes that are settled and arms the next check.
 */
@Injectable()
export class DosesCheck extends Check {
  constructor(
    deadlines: DeadlinesRepository,
    alerts: AlertsService,
    clock: Clock,
    private readonly recorded: AlertsRepository,
    private readonly bottles: BottlesRepository,
    private readonly doses: DoseJudgement,
    private readonly statements: StatementReader,
    private readonly counts: CountMismatch,
    private readonly extraDoses: ExtraDoses,
    private readonly doubts: CountDoubts,
    private readonly records: DoseRecords,
    private readonly config: NotifierConfig,
  ) {
    super('dose', deadlines, alerts, clock);
  }

  async run(stopping = () => false): Promise<CheckResult> {
    const work = {
      prepare: (states: BottleState[], now: Date) => this.readPage(states, now),
      judge: (state: BottleState, now: Date, page: Page) => this.judge(state, now, page),
      record: (findings: DoseFinding[], now: Date) =>
        this.records.write(
          findings.flatMap(({ found }) => found ?? []),
          now,
        ),
    };
    const seen = await this.sweepPages(
      {
        ...work,
        claim: (now, lease, limit, skip) => this.deadlines.claimContactCame(now, lease, limit, skip),
      },
      stopping,
    );
    const due = await this.sweepPages(
      {
        ...work,
        claim: (now, lease, limit, skip) => this.deadlines.claimOverdue('dose', now, lease, limit, skip),
      },
      stopping,
    );
    return totalOf(seen, due);
  }

  private async readPage(states: BottleState[], now: Date): Promise<Page> {
    const ids = states.map(({ _id }) => _id);
    const [found, openAlerts] = await Promise.all([this.bottles.findByIds(ids), this.recorded.findOpen(ids)]);
    const bottles = new Map(found.map((bottle) => [bottle._id.toHexString(), bottle]));
    const judged = states.flatMap((state) => {
      const bottle = bottles.get(state._id.toHexString());
      return bottle ? [{ state, bottle }] : [];
    });
    const [evidence, pillWeights, silences] = await Promise.all([
      this.doses.read(judged, now),
      this.counts.knownWeights(found),
      this.readSilences(states, now),
      this.doubts.note(states, now),
    ]);
    return {
      bottles,
      openAlerts: groupBy(openAlerts, ({ bottle_id }) => bottle_id.toHexString()),
      evidence,
      statements: await this.statements.read(judged, evidence),
      pillWeights,
      silences,
    };
  }

  /** Of bottles whose judgement waited for a contact: it may have ended a silence that named their doses. */
  private async readSilences(states: readonly BottleState[], now: Date): Promise<Map<string, Alert[]>> {
    const waited = states.filter(({ dose_waiting, unheard }) => dose_waiting && !unheard);
    const since = new Date(now.getTime() - LONGEST_SILENCE_MS);
    const found = await this.recorded.findNamingDoses(
      waited.map(({ _id }) => _id),
      since,
    );
    return groupBy(found, ({ bottle_id }) => bottle_id.toHexString());
  }

  private async judge(state: BottleState, now: Date, page: Page): Promise<DoseFinding> {
    const id = state._id.toHexString();
    const bottle = page.bottles.get(id);
    if (!bottle) return { release: () => onDosesJudged(state, undefined) };
    const judged = this.doses.judge(bottle, page.evidence.get(id)!, now);
    const statements = page.statements.get(id) ?? NO_STATEMENTS;
    const { reports, attested, recorded: earlier } = statements;
    const stated = asStated([...judged.slots, ...earlier], judged.extra, reports, now);
    const alerting = unsettled(stated, reports);
    const extra = [...judged.extra, ...extraAfterStatements(judged.slots, reports)];
    const open = page.openAlerts.get(id) ?? [];
    const supply = judgeSupply(
      {
        state,
        bottle,
        judged,
        open: open.find(({ kind }) => kind === 'low_supply'),
        days: this.config.LOW_SUPPLY_DAYS,
      },
      now,
    );
    const count = await this.counts.judge(
      state,
      bottle,
      page.pillWeights,
      open.find(({ kind }) => kind === 'count_mismatch'),
      now,
    );
    const beyond = await this.extraDoses.judge(
      bottle,
      extra,
      open.filter(({ kind }) => kind === 'extra_dose'),
      judged.slots,
      now,
    );
    const recorded = {
      settledUntil: state.judged_until ?? bottle.registered_at,
      open: open.filter(({ kind }) => kind === 'missed_dose'),
      unjudged: (state.unjudged_removals ?? []).map(({ time }) => time),
      attested,
    };
    const neverReported = findNeverReported(
      bottle,
      state,
      alerting,
      judged.coverage,
      this.config.SILENT_BOTTLE_AFTER,
    );
    const unnamed = unnamedUnknown(
      state,
      alerting,
      {
        settledUntil: recorded.settledUntil,
        coverage: judged.coverage,
        longGap: this.config.COVERAGE_GAP_AFTER,
        graceMs: this.config.COVERAGE_GRACE,
        silences: [...open, ...(page.silences.get(id) ?? [])],
      },
      now,
    );
    const undecided = unnamed.filter(isUndecided);
    const raise = [
      ...neverReported,
      ...findSilenceUnseen(bottle, unnamed, now),
      ...findLateDoses(bottle, alerting, openSince(state)),
      ...findEndedUnseen(bottle, alerting, recorded, now),
      ...[...beyond.raise, ...supply.raise, ...count.raise].filter(({ kind }) => !this.config.disables(kind)),
    ];
    return {
      found: {
        bottle,
        judged,
        open: recorded.open,
        statements,
        stated,
        lateData: state.unjudged_removals !== undefined || state.judge_again_from !== undefined,
        ...(state.schedule_changed_at && { scheduleChangedAt: state.schedule_changed_at }),
      },
      raise,
      end: [
        ...findEndedDoses(recorded.open, stated, reports, now, openSince(state)),
        ...beyond.end,
        ...supply.end,
        ...count.end,
      ],
      ifLost: onDoubtedDoses(state, judged.slots[0]?.slot.scheduled_at ?? now, now),
      release: () =>
        onDosesJudged(
          state,
          {
            ...judgedState(judged, stated, undecided, supply.low_at),
            late: lateDoses(alerting).length > 0,
            neverReported: neverReported.length > 0 || open.some(isNeverReported),
          },
          supply.state,
        ),
    };
  }
}

/**
 * @param stated those that were removed for later are looked at until they end
 * @param undecided unknown doses of which nobody was notified, and that are looked at again
 * @param lowAt when the bottle becomes low, which is checked with its doses
 */
function judgedState(
  judged: JudgedDoses,
  stated: readonly SlotJudgement[],
  undecided: readonly SlotJudgement[],
  lowAt: Date | undefined,
): Omit<JudgedState, 'neverReported' | 'late'> {
  const open = stated.filter(({ phase }) => phase !== 'judged');
  const first = [...open, ...undecided].map(({ slot }) => slot.scheduled_at);
  const dose_due_at = earliest(judged.dose_due_at, lowAt, ...open.map(({ next_look_at }) => next_look_at));
  return {
    judged_until: earliest(judged.judged_until, ...first)!,
    awaiting_contact: judged.awaiting_contact || undecided.some(({ back_at }) => !back_at),
    ...(dose_due_at && { dose_due_at }),
  };
}
