import type { AlertKindFacts, ContentOf } from './alert-kind-facts.js';
import type { Endings } from './endings.js';
import { damagedField, type EvidenceFields, type EvidenceIn } from './evidence-fields.js';
import { BATTERY_LOW } from './kinds/battery-low/facts.js';
import { BOTTLE_OPEN } from './kinds/bottle-open/facts.js';
import { BOTTLE_SILENT } from './kinds/bottle-silent/facts.js';
import { COUNT_MISMATCH } from './kinds/count-mismatch/facts.js';
import { COVERAGE_GAP } from './kinds/coverage-gap/facts.js';
import { DOSE_REMINDER } from './kinds/dose-reminder/facts.js';
import { DOSES_MISSED_IN_A_ROW } from './kinds/doses-missed-in-a-row/facts.js';
import { EXTRA_DOSE } from './kinds/extra-dose/facts.js';
import { FLEET_INCIDENT } from './kinds/fleet-incident/facts.js';
import { HELP_REQUESTED } from './kinds/help-requested/facts.js';
import { LOW_SUPPLY } from './kinds/low-supply/facts.js';
import { MISSED_DOSE } from './kinds/missed-dose/facts.js';
import { SHARED_TOKEN } from './kinds/shared-token/facts.js';

/** Every kind of alert. The order is that of the API's enumerations and of the charts. */
const FACTS = {
  missed_dose: MISSED_DOSE,
  doses_missed_in_a_row: DOSES_MISSED_IN_A_ROW,
  bottle_open: BOTTLE_OPEN,
  bottle_silent: BOTTLE_SILENT,
  extra_dose: EXTRA_DOSE,
  low_supply: LOW_SUPPLY,
  count_mismatch: COUNT_MISMATCH,
  shared_token: SHARED_TOKEN,
  battery_low: BATTERY_LOW,
  fleet_incident: FLEET_INCIDENT,
  coverage_gap: COVERAGE_GAP,
  dose_reminder: DOSE_REMINDER,
  help_requested: HELP_REQUESTED,
} as const;

export type AlertKind = keyof typeof FACTS;

export const ALERT_KINDS = Object.keys(FACTS) as [AlertKind, ...AlertKind[]];

/** What the rule of a kind saw and with which numbers it decided. Instants are dates. */
export type EvidenceOf<K extends AlertKind> = { [P in K]: EvidenceBy<(typeof FACTS)[P]['evidence']> }[K];

/** A kind with several rules has a list of fields for each. */
type EvidenceBy<F> = F extends EvidenceFields
  ? EvidenceIn<F>
  : { [R in keyof F]: F[R] extends EvidenceFields ? EvidenceIn<F[R]> : never }[keyof F];

/** What tells the kind of an alert and has its evidence: a union, discriminated by the kind. */
export type OfKind<K extends AlertKind = AlertKind> = {
  [P in K]: { kind: P; evidence: EvidenceOf<P> };
}[K];

/** What a notification says of an alert. */
export type AlertContent<K extends AlertKind = AlertKind> = {
  [P in K]: { kind: P } & ContentOf<EvidenceOf<P>>;
}[K];

type KindEndings = (typeof FACTS)[AlertKind]['endings'];
/** How an alert can end. */
export type AlertEnding = KindEndings['names'][number] | (typeof ANY_KIND_ENDINGS)[number];

/** Alerts of any kind may be retracted or closed. */
const ANY_KIND_ENDINGS = ['retracted', 'closed_by_staff'] as const;

/** The public names of all endings, in the order of the API's enumeration. */
export const ALERT_ENDINGS = [
  ...new Set<AlertEnding>(ALERT_KINDS.flatMap((kind): readonly AlertEnding[] => FACTS[kind].endings.names)),
  ...ANY_KIND_ENDINGS,
];

/** The facts of a kind. */
export function alertKindFacts<K extends AlertKind>(kind: K): AlertKindFacts<EvidenceOf<K>> {
  const facts: { [P in AlertKind]: AlertKindFacts<EvidenceOf<P>> } = FACTS;
  return facts[kind];
}

/** How an alert ends whose condition does, by its evidence; undefined if it does not say. */
export function endingByEvidence<K extends AlertKind>({
  kind,
  evidence,
}: OfKind<K>): AlertEnding | undefined {
  const { endings } = alertKindFacts<K>(kind);
  return (endings as Endings<EvidenceOf<K>, AlertEnding> | undefined)?.of(evidence);
}

/** Whether an alert asks what became of its dose, which is its subject. */
export function asksForDose<K extends AlertKind>(alert: OfKind<K>): boolean {
  const { asksForDose: asks } = alertKindFacts<K>(alert.kind);
  return typeof asks === 'function' ? asks(alert.evidence) : asks === true;
}

/** Whether quiet hours do not defer the notifications of an alert. */
export function isCritical<K extends AlertKind>(alert: OfKind<K>): boolean {
  const { critical } = alertKindFacts<K>(alert.kind);
  return typeof critical === 'function' ? critical(alert.evidence) : critical === true;
}

/** The kinds of which a fact holds. */
export function alertKindsThat(
  fact:
    | 'unthrottled'
    | 'canFlap'
    | 'optional'
    | 'heldByFleetIncident'
    | 'aboutFleet'
    | 'goesToOperator'
    | 'reminds',
): AlertKind[] {
  return ALERT_KINDS.filter((kind) => alertKindFacts(kind)[fact]);
}

/** The kinds of what is wrong: those that staff see, and that escalate. The others remind people. */
export type AlarmingKind = {
  [K in AlertKind]: (typeof FACTS)[K] extends { reminds: true } ? never : K;
}[AlertKind];

export const ALARMING_KINDS = ALERT_KINDS.filter((kind) => !alertKindFacts(kind).reminds) as [
  AlarmingKind,
  ...AlarmingKind[],
];

/** The kinds that staff see, the most urgent first. */
export const BY_URGENCY: readonly AlertKind[] = ALARMING_KINDS.toSorted(
  (one, other) => alertKindFacts(one).urgency - alertKindFacts(other).urgency,
);

/**
 * Reads the evidence of a stored alert.
 *
 * @returns what is wrong with it, in a few words; undefined if it is whole
 */
export function damageOf(kind: unknown, evidence: unknown): string | undefined {
  if (!ALERT_KINDS.includes(kind as AlertKind)) return `an unknown kind: ${String(kind)}`;
  const { evidence: fields } = alertKindFacts(kind as AlertKind);
  const rule = (evidence as { rule?: unknown } | null | undefined)?.rule;
  const own = 'rule' in fields ? (fields as EvidenceFields) : (fields as RuleFields)[String(rule)];
  if (!own) return `an unknown rule: ${String(rule)}`;
  const field = damagedField(own, evidence);
  if (field === undefined) return undefined;
  return field === '' ? 'no evidence' : `evidence.${field} is absent or damaged`;
}

type RuleFields = Readonly<Record<string, EvidenceFields>>;
