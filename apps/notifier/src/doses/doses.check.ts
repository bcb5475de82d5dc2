import {
  type ExtraDose,
  extraAfterStatements,
  groupBy,
  type JudgedState,
  onDosesJudged,
  onDoubtedDoses,
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
import { CountMismatch } from '../alert-kinds/count-mismatch/count-mismatch.js';
import { extraDoseAlertIds, findExtraDoses } from '../alert-kinds/extra-dose/extra-dose.js';
import {
  findEndedDoses,
  findEndedUnseen,
  findLateDoses,
  openSince,
  unsettled,
} from '../alert-kinds/missed-dose/missed-dose.js';
import { CountDoubts } from './count-doubts.js';
import { type DoseEvidence, DoseJudgement, type JudgedDoses, lateDoses } from './dose-judgement.js';
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
}

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
    const [evidence, pillWeights] = await Promise.all([
      this.doses.read(judged, now),
      this.counts.knownWeights(found),
      this.doubts.note(states, now),
    ]);
    return {
      bottles,
      openAlerts: groupBy(openAlerts, ({ bottle_id }) => bottle_id.toHexString()),
      evidence,
      statements: await this.statements.read(judged, evidence),
      pillWeights,
    };
  }

  private async judge(state: BottleState, now: Date, page: Page): Promise<DoseFinding> {
    const id = state._id.toHexString();
    const bottle = page.bottles.get(id);
    if (!bottle) return { release: () => onDosesJudged(state, undefined) };
    const judged = this.doses.judge(bottle, page.evidence.get(id)!, now);
    const statements = page.statements.get(id) ?? NO_STATEMENTS;
    const { reports, attested, recorded: earlier } = statements;
    const alerting = unsettled(judged.slots, reports);
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
    const recorded = {
      settledUntil: state.judged_until ?? bottle.registered_at,
      open: open.filter(({ kind }) => kind === 'missed_dose'),
      unjudged: (state.unjudged_removals ?? []).map(({ time }) => time),
      attested,
    };
    const raise = [
      ...findLateDoses(bottle, alerting, openSince(state)),
      ...findEndedUnseen(bottle, [...unsettled(earlier, reports), ...alerting], recorded, now),
      ...[
        ...findExtraDoses(bottle, extra, await this.readExtraDoses(bottle, extra), now),
        ...supply.raise,
        ...count.raise,
      ].filter(({ kind }) => !this.config.disables(kind)),
    ];
    return {
      found: {
        bottle,
        judged,
        open: recorded.open,
        statements,
        lateData: state.unjudged_removals !== undefined || state.judge_again_from !== undefined,
        ...(state.schedule_changed_at && { scheduleChangedAt: state.schedule_changed_at }),
      },
      raise,
      end: [
        ...findEndedDoses(recorded.open, judged, reports, now, openSince(state)),
        ...supply.end,
        ...count.end,
      ],
      ifLost: onDoubtedDoses(state, judged.slots[0]?.slot.scheduled_at ?? now, now),
      release: () =>
        onDosesJudged(
          state,
          judgedState(judged, lateDoses(alerting).length > 0, supply.low_at),
          supply.state,
        ),
    };
  }

  /** The alerts of a bottle's extra doses: also those that staff have closed. */
  private async readExtraDoses(bottle: Bottle, extra: readonly ExtraDose[]): Promise<Alert[]> {
    if (extra.length === 0) return [];
    return this.recorded.findOfBottle(bottle._id, extraDoseAlertIds(bottle, extra));
  }
}

/** @param lowAt when the bottle becomes low, which is checked with its doses */
function judgedState(judged: JudgedDoses, late: boolean, lowAt: Date | undefined): JudgedState {
  const { judged_until, dose_due_at: doseDueAt, awaiting_contact } = judged;
  const dose_due_at = lowAt && (!doseDueAt || lowAt < doseDueAt) ? lowAt : doseDueAt;
  return {
    judged_until,
    awaiting_contact,
    late,
    ...(dose_due_at && { dose_due_at }),
  };
}
