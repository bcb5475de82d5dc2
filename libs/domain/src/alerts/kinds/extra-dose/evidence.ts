import type { ExtraReason } from '../../../doses/match.js';
import { PERIOD_REASONS, type PeriodReason } from '../../../doses/periods.js';
import { type EvidenceIn, isInstant, isNumber, isOneOf, isTrue, optional } from '../../evidence-fields.js';

export const EXTRA_DOSE_EVIDENCE = {
  /** Why they are too many. */
  rule: isOneOf<ExtraReason>(
    'beyond_dose',
    'too_early',
    'several_doses',
    'schedule_paused',
    'not_monitored',
    'schedule_ended',
    'over_daily_limit',
    'under_min_interval',
    'taken_elsewhere',
    'skipped_on_advice',
  ),
  removed_at: isInstant,
  extra_pills: isNumber,
  /** Of an alert beside others of its moment: the extra pills of all. */
  pills_in_all: optional(isNumber),
  /** How many removals of one moment they are; absent if one. */
  removals: optional(isNumber),
  /** With `too_early` and `several_doses`: the slot before, if there is one, and the next. */
  last_dose_at: optional(isInstant),
  next_dose_at: optional(isInstant),
  /** The doses are a week or more apart. */
  is_rare: optional(isTrue),
  /** With `not_monitored`: why the bottle is not monitored. */
  not_monitored: optional(isOneOf<PeriodReason>(...PERIOD_REASONS)),
  put_back_at: optional(isInstant),
  /** They may be in a pillbox: those of the doses until then. */
  pillbox_until: optional(isInstant),
  /** The person is known to fill one, so it is asked. */
  asks_pillbox: optional(isTrue),
} as const;

export type ExtraDoseEvidence = EvidenceIn<typeof EXTRA_DOSE_EVIDENCE>;
