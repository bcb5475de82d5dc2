import type { AlertKind, DeadlineName } from '#domain';
import type { Provider, Type } from '@nestjs/common';
import type { Check } from '../alerts/check.js';
import type { NotifierConfig } from '../config.js';
import { CountDoubts } from '../doses/count-doubts.js';
import { DOSE_KINDS, type DoseKind } from '../doses/dose-kind.js';
import { DoseJudgement } from '../doses/dose-judgement.js';
import { DoseRecords } from '../doses/dose-records.js';
import { PlanHandover } from '../doses/plan-handover.js';
import { DosesCheck } from '../doses/doses.check.js';
import { StatementReader } from '../doses/statements.js';
import { BatteryLowCheck } from './battery-low/battery-low.check.js';
import { OpenBottlesCheck } from './bottle-open/open-bottles.check.js';
import { DosesOfSilences } from './bottle-silent/doses-of-silences.js';
import { SilenceEvidenceReader } from './bottle-silent/silence-evidence.js';
import { SilentBottlesCheck } from './bottle-silent/silent-bottles.check.js';
import { CoverageGaps } from './coverage-gap/coverage-gaps.js';
import { DosesOfGaps } from './coverage-gap/doses-of-gaps.js';
import { UnconfirmedDoses } from './coverage-gap/unconfirmed-doses.js';
import { CountMismatchKind } from './count-mismatch/count-mismatch.kind.js';
import { DoseReminderKind } from './dose-reminder/dose-reminder.kind.js';
import { DosesMissedInARowKind } from './doses-missed-in-a-row/doses-missed-in-a-row.kind.js';
import { ExtraDoseKind } from './extra-dose/extra-dose.kind.js';
import { FleetIncidents } from './fleet-incident/fleet-incidents.js';
import { LowSupplyKind } from './low-supply/low-supply.kind.js';
import { MissedDoseKind } from './missed-dose/missed-dose.kind.js';
import { SharedTokenKind } from './shared-token/shared-token.kind.js';

/** A check that runs by the clock. */
export interface ScheduledCheck {
  type: Type<Check>;
  /** The deadline that it sweeps. */
  deadline: DeadlineName;
  /** Name of its job. */
  job: string;
  cron: (config: NotifierConfig) => string;
  /** Runs at its cron ticks only, and not at deadlines that pass between them. */
  onlyAtTicks?: true;
}

interface AlertKindParts {
  /** Its own sweep. */
  check?: ScheduledCheck;
  /** What the check of doses asks for it. */
  doses?: Type<DoseKind>;
  /** What they inject. */
  providers?: Provider[];
}

/** Every kind of alert. A new one is a folder beside this file and an entry here; its texts are in the domain. */
const KINDS: Record<AlertKind, AlertKindParts> = {
  bottle_open: {
    check: {
      type: OpenBottlesCheck,
      deadline: 'open',
      job: 'check-open-bottles',
      cron: (config) => config.CHECK_OPEN_BOTTLES_CRON,
    },
  },
  bottle_silent: {
    providers: [SilenceEvidenceReader],
    doses: DosesOfSilences,
    check: {
      type: SilentBottlesCheck,
      deadline: 'silent',
      job: 'check-silent-bottles',
      cron: (config) => config.CHECK_SILENT_BOTTLES_CRON,
      // bottles that fall silent between two ticks are seen together, as one fleet incident
      onlyAtTicks: true,
    },
  },
  missed_dose: {
    doses: MissedDoseKind,
    // of every kind that has `doses`
    check: {
      type: DosesCheck,
      deadline: 'dose',
      job: 'check-doses',
      cron: (config) => config.CHECK_DOSES_CRON,
    },
  },
  doses_missed_in_a_row: { doses: DosesMissedInARowKind },
  extra_dose: { doses: ExtraDoseKind },
  low_supply: { doses: LowSupplyKind },
  count_mismatch: { doses: CountMismatchKind },
  shared_token: { doses: SharedTokenKind },
  battery_low: {
    check: {
      type: BatteryLowCheck,
      deadline: 'battery',
      job: 'check-batteries',
      cron: () => '*/5 * * * *',
      onlyAtTicks: true,
    },
  },
  // the check of silent bottles raises it
  fleet_incident: { providers: [FleetIncidents] },
  // a job of its own raises it
  coverage_gap: { providers: [CoverageGaps, UnconfirmedDoses], doses: DosesOfGaps },
  dose_reminder: { doses: DoseReminderKind },
  // people raise it, by support-api
  help_requested: {},
};

/** The scheduled checks, in the order in which they run when they fall together. */
export const CHECKS: readonly ScheduledCheck[] = Object.values(KINDS).flatMap(({ check }) => check ?? []);

const DOSES = Object.values(KINDS).flatMap(({ doses }) => doses ?? []);

export const alertKindProviders: Provider[] = [
  ...Object.values(KINDS).flatMap(({ check, providers = [] }) => [
    ...providers,
    ...(check ? [check.type] : []),
  ]),
  CountDoubts,
  DoseJudgement,
  DoseRecords,
  PlanHandover,
  StatementReader,
  ...DOSES,
  { provide: DOSE_KINDS, useFactory: (...kinds: DoseKind[]) => kinds, inject: DOSES },
];
