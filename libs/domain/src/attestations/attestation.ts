import type { Id } from '../bottle-state/bottle-state.js';
import type { DoseOutcome } from '../doses/judge.js';
import type { Slot } from '../doses/slots.js';
import { groupBy } from '../group-by.js';
import type { English, Say } from '../language/phrases.js';
import { personIn } from '../notifications/persons.js';

/** `not_taken`: the pills were removed for later. */
export const STATEMENT_KINDS = ['taken', 'skipped', 'not_taken'] as const;
export type StatementKind = (typeof STATEMENT_KINDS)[number];

export const PILL_SOURCES = ['from_bottle', 'elsewhere'] as const;
export type PillSource = (typeof PILL_SOURCES)[number];

export const SKIP_REASONS = [
  'forgot',
  'felt_better',
  'side_effect',
  'ran_out',
  'doctors_advice',
  'not_needed',
  'away',
  'other',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** Why a dose was skipped, as people read it. */
export const SKIP_REASON_TEXTS: ReadonlyMap<SkipReason, English> = new Map<SkipReason, English>([
  ['forgot', 'forgotten'],
  ['felt_better', 'felt better'],
  ['side_effect', 'a side effect'],
  ['ran_out', 'no pills left'],
  ['doctors_advice', 'on medical advice'],
  ['not_needed', 'not needed'],
  ['away', 'not at home'],
  ['other', 'another reason'],
]);

/** Whose word it is. */
export const ATTESTORS = ['user', 'carer', 'staff'] as const;
export type Attestor = (typeof ATTESTORS)[number];

/** What a person says about a dose. */
export interface Statement {
  kind: StatementKind;
  /** Of `taken`: when; absent if it is not known. */
  taken_at?: Date;
  /** Of `taken`. */
  pills?: number;
  /** Of `taken`; absent if it is not known. */
  source?: PillSource;
  /** Of `skipped`. */
  reason?: SkipReason;
}

/** What people say became of a dose. `taken`: without a time. */
export const REPORTED_OUTCOMES = [
  'taken_early',
  'taken_on_time',
  'taken_late',
  'taken',
  'partial',
  'skipped',
  'not_taken',
] as const;
export type ReportedOutcome = (typeof REPORTED_OUTCOMES)[number];

/** Whose word an entry is, and when it was recorded. */
export interface Attested {
  _id: Id;
  scheduled_at: Date;
  at: Date;
  attested_by: Attestor;
  /** The name of the member of staff or API key; the recipient of the message whose link it was. */
  recorded_by: string;
  note?: string;
}

/** An entry that says what became of a dose. */
export interface Attestation extends Attested, Statement {
  outcome: ReportedOutcome;
}

/** An entry that withdraws an earlier one. */
export interface Withdrawal extends Attested {
  kind: 'withdrawn';
  withdraws: Id;
}

/** An entry that says that pills which left the bottle were no dose: somebody else opened it, for example. */
export interface NoDose extends Attested {
  kind: 'no_dose';
  /** How many of those removed. Of this entry, `scheduled_at` is when they were removed. */
  pills: number;
}
export type AttestationEntry = Attestation | Withdrawal | NoDose;

/** What people say became of one dose. */
export interface Reported<E extends AttestationEntry = AttestationEntry> {
  /** The latest that stands; absent when all are withdrawn. */
  latest?: Extract<E, { outcome: unknown }>;
  /** The others that stand, latest first. */
  earlier: Extract<E, { outcome: unknown }>[];
  /** The last entry of all: it made the report what it is. */
  last: E;
  /** Since when nothing settles the dose any more that was settled once ({@link settledBy}). */
  unsettledAt?: Date;
}

/** By a statement, the outcome of its dose. */
export function reportedOutcome(
  { kind, taken_at, pills }: Statement,
  slot: Pick<Slot, 'scheduled_at' | 'late_at' | 'pills'>,
): ReportedOutcome {
  if (kind !== 'taken') return kind;
  if (pills !== undefined && pills < slot.pills) return 'partial';
  if (!taken_at) return 'taken';
  if (taken_at < slot.scheduled_at) return 'taken_early';
  return taken_at <= slot.late_at ? 'taken_on_time' : 'taken_late';
}

/**
 * Reads what stands of the entries about one dose, in any order; undefined without entries. Those about pills that were no
 * dose are left out, as what withdraws them: they may have been removed at the instant of the slot.
 */
export function readReport<E extends AttestationEntry>(entries: readonly E[]): Reported<E> | undefined {
  const noDoses = new Set(entries.flatMap((e) => (e.kind === 'no_dose' ? e._id.toHexString() : [])));
  const isOfDose = (e: E): boolean =>
    e.kind !== 'no_dose' && !(e.kind === 'withdrawn' && noDoses.has(e.withdraws.toHexString()));
  const ordered = entries.filter(isOfDose).toSorted(byTime);
  const last = ordered.at(-1);
  if (!last) return undefined;
  const [latest, ...earlier] = standingOf(ordered);
  const unsettledAt = lastUnsettled(ordered);
  return { ...(latest && { latest }), earlier, last, ...(unsettledAt && { unsettledAt }) };
}

/** The statements that stand after these entries, latest first. */
function standingOf<E extends AttestationEntry>(ordered: readonly E[]): Extract<E, { outcome: unknown }>[] {
  const withdrawn = withdrawnBy(ordered);
  return ordered
    .filter(
      (e): e is Extract<E, { outcome: unknown }> => 'outcome' in e && !withdrawn.has(e._id.toHexString()),
    )
    .reverse();
}

function lastUnsettled(ordered: readonly AttestationEntry[]): Date | undefined {
  const isSettledAfter = ordered.map(
    (_, index) => settledAs(standingOf(ordered.slice(0, index + 1))[0]) !== undefined,
  );
  const last = isSettledAfter.lastIndexOf(true);
  return last < 0 ? undefined : ordered[last + 1]?.at;
}

/** The pills that were no dose by the entries that stand, in no order. */
export function standingNoDoses(entries: readonly AttestationEntry[]): { time: Date; pills: number }[] {
  const withdrawn = withdrawnBy(entries);
  return entries.flatMap((e) =>
    e.kind === 'no_dose' && !withdrawn.has(e._id.toHexString())
      ? [{ time: e.scheduled_at, pills: e.pills }]
      : [],
  );
}

const withdrawnBy = (entries: readonly AttestationEntry[]): Set<string> =>
  new Set(entries.flatMap((e) => (e.kind === 'withdrawn' ? e.withdraws.toHexString() : [])));

/** The reports by the epoch milliseconds of their slots. */
export function reportsBySlot<E extends AttestationEntry>(entries: readonly E[]): Map<number, Reported<E>> {
  const grouped = groupBy(entries, ({ scheduled_at }) => scheduled_at.getTime());
  return new Map(
    [...grouped].flatMap(([slot, of]) => {
      const report = readReport(of);
      return report ? [[slot, report] as const] : [];
    }),
  );
}

function byTime(one: AttestationEntry, other: AttestationEntry): number {
  const later = one.at.getTime() - other.at.getTime();
  return later || (one._id.toHexString() < other._id.toHexString() ? -1 : 1);
}

/** What a report settles: nobody has to be alerted to the dose any more. */
export type Settled = 'taken' | 'skipped';

/** `withdrawn`: an earlier statement settled it, and none does any more. */
export type SettledAs = Settled | 'withdrawn';

/** A part of a dose, and pills that were removed for later, settle nothing. */
export function settledBy(reported: Reported | undefined): Settled | undefined {
  return settledAs(reported?.latest);
}

function settledAs(latest: Pick<Attestation, 'outcome'> | undefined): Settled | undefined {
  switch (latest?.outcome) {
    case 'taken_early':
    case 'taken_on_time':
    case 'taken_late':
    case 'taken':
      return 'taken';
    case 'skipped':
      return 'skipped';
    default:
      return undefined;
  }
}

/** Whether what the bottle measured fits what people say. `unproven`: the bottle cannot tell, or not yet. */
export const AGREEMENTS = ['agrees', 'disagrees', 'unproven'] as const;
export type Agreement = (typeof AGREEMENTS)[number];

/**
 * Pills from elsewhere leave the bottle as it was, like a dose that was skipped; pills removed for later look like a
 * dose.
 *
 * @param measured undefined while the dose has no outcome
 */
export function agreementOf(
  { outcome, source, pills }: Pick<Attestation, 'outcome' | 'source' | 'pills'>,
  measured: { outcome: DoseOutcome; pills_taken: number } | undefined,
): Agreement {
  if (!measured || measured.outcome === 'unknown' || measured.outcome === 'not_monitored') return 'unproven';
  const staysInBottle = outcome === 'skipped' || source === 'elsewhere';
  const fits = staysInBottle
    ? measured.outcome === 'missed'
    : outcome === 'partial'
      ? measured.outcome === 'partial' && measured.pills_taken === pills
      : measured.outcome.startsWith('taken');
  return fits ? 'agrees' : 'disagrees';
}

/** Whose word it is, for a sentence: `the carer`, `Carol Smith`, `the patient (recorded by Carol Smith)`. */
export function attestorText({
  attested_by,
  recorded_by,
}: Pick<Attested, 'attested_by' | 'recorded_by'>): string {
  if (attested_by === 'staff') return recorded_by;
  const who = attested_by === 'user' ? 'the patient' : 'the carer';
  return personIn(recorded_by) ? who : `${who} (recorded by ${recorded_by})`;
}

/** The first admin has no account: the name of the setting by which they sign in says nothing to families. */
export const isFirstAdmin = (name: string): boolean => name === 'ADMIN_TOKEN';

/** The same, as evidence has it, in the recipient's language. */
export function attestorIn(text: string, say: Say): string {
  if (isFirstAdmin(text)) return say('staff');
  const [, who, name] = /^the (patient|carer)(?: \(recorded by (.*)\))?$/s.exec(text) ?? [];
  if (who === undefined) return text;
  if (name === undefined) return say(who === 'patient' ? 'the patient' : 'the carer');
  if (isFirstAdmin(name))
    return say(who === 'patient' ? 'the patient (recorded by staff)' : 'the carer (recorded by staff)');
  return say(who === 'patient' ? 'the patient (recorded by {{name}})' : 'the carer (recorded by {{name}})', {
    name,
  });
}

/** A dose as it was measured, with what people say of it beside: the measured part is as it was given. */
export type WithReport<D, E extends AttestationEntry> = D & {
  /** What counts of it; null if nobody attests the dose. */
  reported: (Extract<E, { outcome: unknown }> & { agreement: Agreement }) | null;
  /** Other statements that stand, latest first. */
  earlier_reports: Extract<E, { outcome: unknown }>[];
};

/**
 * Puts beside each dose what people say of it.
 *
 * @param entries of any bottle's doses, in any order
 * @param outcomeOf undefined while a dose has no outcome
 */
export function withReports<
  D extends { scheduled_at: Date; pills_taken: number },
  E extends AttestationEntry,
>(
  doses: readonly D[],
  entries: readonly E[],
  outcomeOf: (dose: D) => DoseOutcome | undefined,
): WithReport<D, E>[] {
  const reports = reportsBySlot(entries);
  return doses.map((dose) => {
    const { latest, earlier = [] } = reports.get(dose.scheduled_at.getTime()) ?? {};
    const outcome = outcomeOf(dose);
    const agreement = latest && agreementOf(latest, outcome && { outcome, pills_taken: dose.pills_taken });
    return {
      ...dose,
      reported: latest ? { ...latest, agreement: agreement! } : null,
      earlier_reports: earlier,
    };
  });
}
