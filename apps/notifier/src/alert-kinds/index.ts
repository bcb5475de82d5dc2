import { ALERT_KINDS, type AlertKind, type DeadlineName } from '#domain';
import type { Provider, Type } from '@nestjs/common';
import type { Check } from '../alerts/check.js';
import type { NotifierConfig } from '../config.js';
import { DoseJudgement } from '../doses/dose-judgement.js';
import { DoseRecords } from '../doses/dose-records.js';
import { DosesCheck } from '../doses/doses.check.js';
import { AlertTexts, type KindTexts } from './alert-texts.js';
import { BatteryLowCheck, batteryLowTexts } from './battery-low/battery-low.check.js';
import { bottleOpenTexts, OpenBottlesCheck } from './bottle-open/open-bottles.check.js';
import { SilenceEvidenceReader } from './bottle-silent/silence-evidence.js';
import { bottleSilentTexts, SilentBottlesCheck } from './bottle-silent/silent-bottles.check.js';
import { CountMismatch, countMismatchTexts } from './count-mismatch/count-mismatch.js';
import { extraDoseTexts } from './extra-dose/extra-dose.js';
import { fleetIncidentTexts, FleetIncidents } from './fleet-incident/fleet-incidents.js';
import { lowSupplyTexts } from './low-supply/low-supply.js';
import { missedDoseTexts } from './missed-dose/missed-dose.js';

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
  texts: KindTexts;
  /** Absent when another kind's check raises it. */
  check?: ScheduledCheck;
  /** What its check injects. */
  providers?: Provider[];
}

/** Every kind of alert. A new one is a folder beside this file and an entry here. */
const KINDS: Record<AlertKind, AlertKindParts> = {
  bottle_open: {
    texts: bottleOpenTexts,
    check: {
      type: OpenBottlesCheck,
      deadline: 'open',
      job: 'check-open-bottles',
      cron: (config) => config.CHECK_OPEN_BOTTLES_CRON,
    },
  },
  bottle_silent: {
    texts: bottleSilentTexts,
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
    texts: missedDoseTexts,
    providers: [DoseJudgement, DoseRecords],
    check: {
      type: DosesCheck,
      deadline: 'dose',
      job: 'check-doses',
      cron: (config) => config.CHECK_DOSES_CRON,
    },
  },
  extra_dose: { texts: extraDoseTexts },
  low_supply: { texts: lowSupplyTexts },
  count_mismatch: { texts: countMismatchTexts, providers: [CountMismatch] },
  battery_low: {
    texts: batteryLowTexts,
    check: {
      type: BatteryLowCheck,
      deadline: 'battery',
      job: 'check-batteries',
      cron: () => '*/5 * * * *',
      onlyAtTicks: true,
    },
  },
  // the check of silent bottles raises it
  fleet_incident: { texts: fleetIncidentTexts, providers: [FleetIncidents] },
};

/** The scheduled checks, in the order in which they run when they fall together. */
export const CHECKS: readonly ScheduledCheck[] = Object.values(KINDS).flatMap(({ check }) => check ?? []);

/** The wording of every kind's notifications. */
export const ALERT_TEXTS = new AlertTexts(
  Object.fromEntries(ALERT_KINDS.map((kind) => [kind, KINDS[kind].texts])) as Record<AlertKind, KindTexts>,
);

export const alertKindProviders: Provider[] = [
  { provide: AlertTexts, useValue: ALERT_TEXTS },
  ...Object.values(KINDS).flatMap(({ check, providers = [] }) => [
    ...providers,
    ...(check ? [check.type] : []),
  ]),
];
