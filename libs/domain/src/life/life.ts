/** Where a bottle is in its life: with a person, in a cupboard, or not coming back. */
export const LIFE_STATES = ['in_use', 'stored', 'retired'] as const;
export type Life = (typeof LIFE_STATES)[number];

/** Why a bottle is retired. */
export const RETIRE_REASONS = ['returned', 'lost', 'broken', 'owner_died'] as const;
export type RetireReason = (typeof RETIRE_REASONS)[number];

/** A bottle's life since an instant. */
export interface BottleLife {
  state: Life;
  since: Date;
  /** Of a retired bottle. */
  reason?: RetireReason;
  /** Why, in the words of whoever changed it. */
  note?: string;
  /** The staff member's or API key's name. */
  by: string;
}

/** What of a bottle says whether somebody uses it. */
interface Lived {
  life?: Pick<BottleLife, 'state'>;
}

/** In use, unless it was stored or retired: bottles of before there were lives are. */
export const lifeOf = ({ life }: Lived): Life => life?.state ?? 'in_use';

export const isInUse = (bottle: Lived): boolean => lifeOf(bottle) === 'in_use';
