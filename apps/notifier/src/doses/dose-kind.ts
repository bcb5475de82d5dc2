import type { AlertToEnd, AlertToRaise, DoubtfulCount, LowSupplyState, StatedDose } from '#domain';
import type { Alert, PlanMember } from '#persistence';
import type { Judged, JudgedDoses } from './dose-judgement.js';
import type { DoseStatements } from './statements.js';

/** A further bottle of the plan, with its open alert. */
export interface JudgedMember extends PlanMember {
  silence?: Alert<'bottle_silent'>;
}

/** A bottle whose doses are judged, for the kinds of alerts that follow from them. */
export interface JudgedBottle extends Judged {
  judged: JudgedDoses;
  /** The further bottles that are, or were, for its plan. */
  members: readonly JudgedMember[];
  /** What people say about its doses. */
  statements: DoseStatements;
  /** The doses that are judged now, or stated about since, as people are notified of them. */
  stated: readonly StatedDose[];
  /** Those of them that no statement settles. */
  unsettled: readonly StatedDose[];
  /** Which of its counts can hardly be so, of the removals that nobody has judged yet. */
  doubts: readonly DoubtfulCount[];
  /** Its open alerts, of every kind. */
  open: readonly Alert[];
}

/** What one kind of alert concludes about one bottle. */
export interface DoseFinding {
  raise?: AlertToRaise[];
  end?: AlertToEnd[];
  /** What the bottle's state is to say. */
  state?: {
    /** A dose is late now. */
    late?: boolean;
    /** `bottle_silent` is open because the bottle has never reported. */
    neverReported?: boolean;
    /** `bottle_silent` ended without a report: until when a silence does not count. */
    silenceHeldUntil?: Date;
    low_supply?: LowSupplyState;
    /** The bottle is judged again at this moment, if nothing happens before. */
    check_at?: Date;
    /** Doses from this slot on are judged again then, or when the bottle reports. */
    unsettled_from?: Date;
    /** The bottle is judged again when it reports. */
    awaiting_contact?: boolean;
  };
}

/** A kind of alert that follows from the doses of a bottle. `P` is what it reads for a page of bottles. */
export interface DoseKind<P = unknown> {
  /** Reads what judging these bottles takes, in a few queries. A bad record must not make it throw. */
  prepare?(bottles: readonly JudgedBottle[], now: Date): Promise<P>;
  /** What follows for one of them. An error puts the bottle into quarantine. */
  judge?(one: JudgedBottle, page: P, now: Date): DoseFinding | Promise<DoseFinding>;
  /** Writes more than alerts to raise and to end: when the outcomes are written, and before the alerts are. */
  record?(bottles: readonly JudgedBottle[], now: Date): Promise<void>;
}

/** The injection token of the kinds, in their order. */
export const DOSE_KINDS = Symbol('dose kinds');
