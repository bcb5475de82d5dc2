import type { Id } from '../ids/id.js';
import type { LowSupplyState } from '../alerts/kinds/low-supply/low-supply.js';
import type { CauseField, DeadlineField } from './deadlines.js';
import type { ReportProblem } from './report-problems.js';

export type { Id };

/** The newest action by event time: decides open or closed, and the pills left. */
export interface LastAction {
  id: Id;
  action: 'opened' | 'closed';
  /** Event time. */
  time: Date;
  received_at: Date;
  /** Absent if the bottle did not report it, or nothing that could be meant. */
  mass_of_contents?: number;
  number_of_pills?: number;
}

/** A removal of pills that waits for its judgement. */
export interface UnjudgedRemoval {
  id: Id;
  /** Event time. */
  time: Date;
}

/** The deadlines of `DEADLINES`: when something would be wrong. */
type DeadlineFields = { [field in DeadlineField]?: Date };
/** The causes of open conditions that are followed until they clear. */
type CauseFields = { [field in CauseField]?: Date };

/**
 * How far something has come that a check found and a report ends. Absent: there is nothing.
 *
 * - `lasting`: no report has come that could end it.
 * - `over`: one has come, or may have: the check is to look at it.
 */
export type Phase = 'lasting' | 'over';

/** What checks find and reports end. */
interface PhaseFields {
  /**
   * The silence that the alert `bottle_silent` is open for; the next contact ends it. The deadline `silent_at` decides,
   * whatever a change says: a silence is over while that is armed, and lasts while it is not.
   */
  alerted_silence?: Phase;
  /** The wait of a dose that cannot be judged before the bottle reports; the next contact ends it. */
  dose_wait?: Phase;
  /** The opening that the alert `bottle_open` is open for; the next newer action ends it. */
  alerted_opening?: Phase;
}

export type PhaseField = keyof PhaseFields;

/**
 * What is true of a bottle now, and its armed deadlines: a deadline is the next moment at which something would be
 * wrong. Reports arm the deadlines; the notifier disarms what it has acted on. The fields change only through the
 * transitions in this folder.
 *
 * The phases and `quiet` work the other way round: the notifier sets them and the bottle's next report ends or clears
 * them. That keeps the hot update one `updateMany` for a whole group, and lets the notifier find by index which bottles
 * have reported.
 */
export interface BottleState extends DeadlineFields, CauseFields, PhaseFields {
  /** The bottle's id. */
  _id: Id;
  /** Copied from the registry, for lists. */
  user_id: string;
  /** Copied from the registry, for lists. */
  medication: string;
  /** Copied from the registry: it is nobody's now. Absent while it is in use. */
  life?: 'stored' | 'retired';
  /** There are no reports now: none since registration or since it came into use again, or none since `bottle_silent` was raised. */
  quiet?: 'never_heard' | 'silent';
  /** Last seen: receipt time of the latest report of any kind. */
  last_heard_at?: Date;
  /**
   * Receipt time of the first report of any kind, as the reconcile found it; when it was registered, if the log does
   * not reach back so far. For reports: before it we could not see.
   */
  first_heard_at?: Date;
  /** Armed: when the bottle will have been silent for too long. Absent once acted on. */
  silent_at?: Date;
  /** `last_heard_at` at the time `bottle_silent` was raised: the alert's cause. Absent if the bottle had never reported. */
  silent_since?: Date;
  /**
   * Since when a silence counts, if not since the last contact or the registration: a period without monitoring held it
   * until then, or the bottle came into use again or to another user. Absent if none was so.
   */
  silence_counts_from?: Date;
  last_action?: LastAction;
  /** True while the last action is `opened`. */
  open?: true;
  /** Armed: when the bottle will have been open for too long. Absent while closed. */
  open_overdue_at?: Date;
  /** Time of the opening that `bottle_open` was raised for. */
  open_alerted_for?: Date;
  /** `bottle_open` was due while the bottle was silent: checked again when it reports. */
  open_inhibited?: true;
  /** Armed: when a dose has to be checked next. */
  dose_due_at?: Date;
  /**
   * For lists: the next dose by the schedule and outside periods. Once it has passed, or the schedule has changed, the
   * notifier looks at the schedule again. Absent without a next dose.
   */
  next_dose_at?: Date;
  /** For lists: of the last heartbeat that carried it, in whole percent, when the reconcile last read it. */
  battery_percent?: number;
  /** Removals that have not been judged yet. A set, so that a repeated report adds nothing. */
  unjudged_removals?: UnjudgedRemoval[];
  /** Slots that somebody attested, and that no check of doses has looked at since. A set. */
  attested_slots?: Date[];
  /** The schedule or its periods changed, and the doses have not been judged since. */
  schedule_changed_at?: Date;
  /** Slots before this instant have their outcome. */
  judged_until?: Date;
  /**
   * Slots from this instant on are judged again: by a report, a change of a period, or a notifier that wrote what it had
   * found when its claim had ended. If the lid was open then, from its opening on.
   */
  judge_again_from?: Date;
  /**
   * A further bottle of its plan has reported, and the doses have not been judged since. Another with each report that is
   * handed over, so that a judgement that has not seen it is repeated.
   */
  plan_report?: Id;
  /** At least one alert `missed_dose` is open. */
  late?: true;
  /** Whether the pills run low, and the fewest seen since. */
  low_supply?: LowSupplyState;
  /** Written by versions up to 0.1.0; the next contact removes it. What a heartbeat carries is in the log. */
  vitals?: object;
  /**
   * The device's clock was off by this much (device minus server) when last corrected. The greatest by the database's
   * order of documents stands: the fields stay in this order.
   */
  bad_clock?: { at: Date; offset_ms: number };
  /** Quarantine: a check failed on this bottle. Its deadline is disarmed, and staff can see why. */
  set_aside?: { check: string; error: string; at: Date };
  /** What was wrong with its reports, the problem noted last first. */
  report_problems?: ReportProblem[];
}

/**
 * What a transition changes of a bottle's state, as data: persistence turns it into one update.
 *
 * A change of reports may be applied in any order and any number of times: `end`, `raise`, `lower` and `add` commute, and
 * what depends on the newest report says so (`ifNewer`).
 */
export interface StateChange {
  /** Fields that take this value. */
  set?: Partial<BottleState>;
  /** Fields that are removed. */
  clear?: readonly (keyof BottleState)[];
  /** Phases that are over, if they last. */
  end?: readonly PhaseField[];
  /** Fields that take this value if it is greater, or if they are absent. */
  raise?: Pick<BottleState, 'last_heard_at' | 'silent_at' | 'bad_clock'>;
  /** Fields that take this value if it is less, or if they are absent. */
  lower?: Partial<Record<DeadlineField | 'judge_again_from', Date>>;
  /** Added to these sets, unless they are in them. */
  add?: { unjudged_removals?: readonly UnjudgedRemoval[]; attested_slots?: readonly Date[] };
  /** The change is made only if its `set` value of this field is newer, by {@link NEWEST}, or the field is absent. */
  ifNewer?: keyof typeof NEWEST;
}

/**
 * By what the newest of several values is found: the first field in which they differ decides, by its greater value or
 * by the later of the values listed. Of two actions at one moment (a device clock may count whole seconds) the closing
 * is the newer, then the greater id.
 */
export const NEWEST: Record<'last_action', readonly { field: string; values?: readonly string[] }[]> = {
  last_action: [{ field: 'time' }, { field: 'action', values: ['opened', 'closed'] }, { field: 'id' }],
};

/** Changes of several bottles that change alike. */
export interface GroupChange<I extends Id = Id> {
  bottles: I[];
  change: StateChange;
  /** Applied to a bottle to which the change does not apply (`ifNewer`). */
  otherwise?: StateChange;
}

/**
 * What has a bottle judged again when a notifier may have written something false about it, because its claim had ended.
 * It may be applied at any time: while another notifier judges the bottle, after it, and if nothing was false.
 */
export type JudgeAgain = Pick<Release, 'id' | 'seen' | 'change'>;

/** The end of a check's claim on a bottle, by compare and set. */
export interface Release {
  id: Id;
  /** The fields that must still have the values that the check saw; undefined for an absent field. */
  seen: Partial<BottleState>;
  /** Applied if they have. */
  change: StateChange;
  /** Applied if the bottle has reported meanwhile; its deadline stays armed. */
  otherwise?: StateChange;
}
