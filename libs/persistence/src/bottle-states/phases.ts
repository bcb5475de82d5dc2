import type { BottleState as DomainBottleState, Phase, PhaseField, StateChange } from '#domain';
import type { BottleState, StoredBottleState } from './bottle-state.schema.js';

/** What stores a phase. Checks set `found`, and clear both; `lasts` is there while it lasts: a report clears it. */
interface Markers {
  found: string;
  lasts: string;
}

const MARKERS = {
  dose_wait: { found: 'dose_waiting', lasts: 'unheard' },
  alerted_opening: { found: 'open_alerted', lasts: 'open_unchanged' },
} as const satisfies Record<PhaseField, Markers>;

/** The fields of a stored state that hold phases. */
export type PhaseMarkers = { [marker in (typeof MARKERS)[PhaseField][keyof Markers]]?: true };

type Fields = Record<string, unknown>;

const PHASES = Object.entries(MARKERS) as [PhaseField, Markers][];

/** A state as the domain reads it. */
export function toState(stored: StoredBottleState): BottleState {
  const state: Fields = { ...stored };
  for (const [field, { found, lasts }] of PHASES) {
    if (state[found]) state[field] = (state[lasts] ? 'lasting' : 'over') satisfies Phase;
    delete state[found];
    delete state[lasts];
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
    stored = { ...others, [found]: true, ...(phase === 'lasting' && { [lasts]: true }) };
  }
  return stored;
}

/** The stored fields that a change removes, for `$unset`. */
export function removedBy({ set, clear, end }: StateChange): Record<string, ''> {
  const removed: Record<string, ''> = {};
  if (clear)
    for (const field of clear)
      if (isPhase(field)) for (const marker of Object.values(MARKERS[field])) removed[marker] = '';
      else removed[field] = '';
  if (end) for (const field of end) removed[MARKERS[field].lasts] = '';
  if (set) for (const [field, { lasts }] of PHASES) if (set[field] === 'over') removed[lasts] = '';
  return removed;
}

export function isPhase(field: string): field is PhaseField {
  return field in MARKERS;
}

/** Matches the states in a phase; undefined for those in none. */
export function wherePhase(field: PhaseField, phase: Phase | undefined): Fields {
  const { found, lasts } = MARKERS[field];
  if (!phase) return { [found]: { $exists: false } };
  return { [found]: true, [lasts]: phase === 'lasting' ? true : null };
}
