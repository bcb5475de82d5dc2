import type {
  BottleState as DomainBottleState,
  DeadlineField,
  Phase,
  PhaseField,
  StateChange,
} from '#domain';
import type { BottleState, PhaseMarkers, StoredBottleState } from './bottle-state.schema.js';

type Marker = keyof PhaseMarkers;

/** What stores a phase. */
interface Stored {
  /** Checks set and clear it. */
  found: Marker;
  /** There while it lasts: set and cleared with `found`, and a report clears it. */
  lasts?: Marker;
  /** Instead of `lasts`, and absent while it lasts: a report arms it by a change of its own. */
  armed?: DeadlineField;
}

const STORED: Record<PhaseField, Stored> = {
  alerted_silence: { found: 'silent', armed: 'silent_at' },
  alerted_opening: { found: 'open_alerted', lasts: 'open_unchanged' },
  dose_wait: { found: 'dose_waiting', lasts: 'unheard' },
};

const PHASES = Object.entries(STORED) as [PhaseField, Stored][];

type Fields = Record<string, unknown>;

/** A state as the domain reads it. */
export function toState(stored: StoredBottleState): BottleState {
  const state: Fields = { ...stored };
  for (const [field, { found, lasts, armed }] of PHASES) {
    const isLasting = (lasts && state[lasts]) || (armed && state[armed] === undefined);
    if (state[found]) state[field] = (isLasting ? 'lasting' : 'over') satisfies Phase;
    delete state[found];
    if (lasts) delete state[lasts];
  }
  return state as unknown as BottleState;
}

/** Fields of a state as they are stored; see {@link removedBy} for what is not there while a phase is over. */
export function toStored(fields: Partial<DomainBottleState>): Fields {
  let stored = fields as Fields;
  for (const [field, { found, lasts }] of PHASES) {
    const phase = fields[field];
    if (!phase) continue;
    const { [field]: _, ...others } = stored;
    stored = { ...others, [found]: true, ...(lasts && phase === 'lasting' && { [lasts]: true }) };
  }
  return stored;
}

/** The stored fields that a change removes, for `$unset`. */
export function removedBy({ set, clear = [], end = [] }: StateChange): Record<string, ''> {
  const removed: Record<string, ''> = {};
  for (const field of clear) removed[isPhase(field) ? STORED[field].found : field] = '';
  for (const [field, { lasts }] of PHASES)
    if (lasts && (clear.includes(field) || end.includes(field) || set?.[field] === 'over'))
      removed[lasts] = '';
  return removed;
}

export function isPhase(field: string): field is PhaseField {
  return field in STORED;
}

/** Matches the states in a phase; undefined for those in none. */
export function wherePhase(field: PhaseField, phase: Phase | undefined): Fields {
  const { found, lasts, armed } = STORED[field];
  if (!phase) return { [found]: { $exists: false } };
  const isLasting = phase === 'lasting';
  return {
    [found]: true,
    ...(lasts && { [lasts]: isLasting ? true : null }),
    ...(armed && { [armed]: isLasting ? null : { $gt: new Date(0) } }),
  };
}
