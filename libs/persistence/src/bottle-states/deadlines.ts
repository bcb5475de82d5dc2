import type { BottleState } from './bottle-state.schema.js';

/** The three checks' deadlines and the field in which a notifier notes its claim. */
export const DEADLINES = {
  silent: { deadline: 'silent_at', claim: 'silent_claim' },
  open: { deadline: 'open_overdue_at', claim: 'open_claim' },
  dose: { deadline: 'dose_due_at', claim: 'dose_claim' },
} as const satisfies Record<string, { deadline: keyof BottleState; claim: keyof BottleState }>;

export type DeadlineName = keyof typeof DEADLINES;
