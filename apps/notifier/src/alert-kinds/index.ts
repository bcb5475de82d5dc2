import type { AlertKind, DeadlineName } from '#domain';
import type { Provider, Type } from '@nestjs/common';
import type { Check } from '../alerts/check.js';
import type { NotifierConfig } from '../config.js';
import { CountDoubts } from '../doses/count-doubts.js';
import { DoseJudgement } from '../doses/dose-judgement.js';
import { DoseRecords } from '../doses/dose-records.js';
import { DosesCheck } from '../doses/doses.check.js';
import { StatementReader } from '../doses/statements.js';
import { BatteryLowCheck } from './battery-low/battery-low.check.js';
import { OpenBottlesCheck } from './bottle-open/open-bottles.check.js';
import { SilenceEvidenceReader } from './bottle-silent/silence-evidence.js';
import { SilentBottlesCheck } from './bottle-silent/silent-bottles.check.js';
import { CoverageGaps } from './coverage-gap/coverage-gaps.js';
import { UnconfirmedDoses } from './coverage-gap/unconfirmed-doses.js';
import { CountMismatch } from './count-mismatch/count-mismatch.js';
import { ExtraDoses } from './extra-dose/extra-doses.js';
import { FleetIncidents } from './fleet-incident/fleet-incidents.js';

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
  /** Absent when another kind's check raises it. */
  check?: ScheduledCheck;
  /** What its check injects. */
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
    check: {
      type: SilentBottlesCheck,
      deadline: 'silent',
      job: 'check-silent-bottles',
      cron: (config) => config.CHECK_SILENT_BOTTLES_CRON,
      // bottles that fall silent between two ticks are seen together, as one fleet incident
      onlyAtTicks: true,
    },
  },
  // this check raises extra_dose, low_supply and count_mismatch too: all of them follow from openings and closings
  missed_dose: {
    providers: [CountDoubts, DoseJudgement, DoseRecords, StatementReader],
    check: {
      type: DosesCheck,
      deadline: 'dose',
      job: 'check-doses',
      cron: (config) => config.CHECK_DOSES_CRON,
    },
  },
  extra_dose: { providers: [ExtraDoses] },
  low_supply: {},
  count_mismatch: { providers: [CountMismatch] },
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
  coverage_gap: { providers: [CoverageGaps, UnconfirmedDoses] },
};

/** The scheduled checks, in the order in which they run when they fall together. */
export const CHECKS: readonly ScheduledCheck[] = Object.values(KINDS).flatMap(({ check }) => check ?? []);

export const alertKindProviders: Provider[] = Object.values(KINDS).flatMap(({ check, providers = [] }) => [
  ...providers,
  ...(check ? [check.type] : []),
]);
