import { DAY_MS } from '../time/durations.js';
import { backlogGrace } from '../doses/index.js';

/** How long after an event, or after its late arrival, a deadline falls. Milliseconds. */
export interface Thresholds {
  silentAfter: number;
  openAfter: number;
  /** Time for the rest of a backlog when an opening arrives late. */
  backlogGrace: number;
  /** A battery reading below this is low, in percent; without it no reading is. */
  batteryLowPercent?: number;
}

/** The thresholds by the settings that all services share. */
export function thresholdsOf(settings: {
  SILENT_BOTTLE_AFTER: number;
  OPEN_BOTTLE_AFTER: number;
  BATTERY_LOW_PERCENT?: number;
}): Thresholds {
  return {
    silentAfter: settings.SILENT_BOTTLE_AFTER,
    openAfter: settings.OPEN_BOTTLE_AFTER,
    backlogGrace: backlogGrace(settings.SILENT_BOTTLE_AFTER),
    ...(settings.BATTERY_LOW_PERCENT !== undefined && { batteryLowPercent: settings.BATTERY_LOW_PERCENT }),
  };
}

/** What of a heartbeat arms a deadline. */
interface Vitals {
  /** Receipt time. */
  time: Date;
  battery_percent?: number;
}

/** A deadline of a check. */
interface Deadline {
  /** The state's field that holds it. */
  deadline: string;
  /** The state's field in which a notifier records its claim. */
  claim: string;
  /** The state's field that holds the cause of the open condition, if the check follows one until it clears. */
  cause?: string;
  /** When a report with these vitals arms it, unless it is armed already; absent if vitals do not arm it. */
  armedBy?: (vitals: Vitals, thresholds: Thresholds) => Date | undefined;
}

/** A battery is low after this long below the threshold. Milliseconds. */
const BATTERY_LOW_MS = DAY_MS;

/** The deadlines of all checks. A line here adds the fields, their partial index and their arming by vitals. */
export const DEADLINES = {
  silent: { deadline: 'silent_at', claim: 'silent_claim' },
  open: { deadline: 'open_overdue_at', claim: 'open_claim' },
  dose: { deadline: 'dose_due_at', claim: 'dose_claim' },
  battery: {
    deadline: 'battery_low_at',
    claim: 'battery_claim',
    cause: 'battery_low_since',
    armedBy: ({ time, battery_percent = 100 }, { batteryLowPercent = 0 }) =>
      battery_percent < batteryLowPercent ? new Date(time.getTime() + BATTERY_LOW_MS) : undefined,
  },
} as const satisfies Record<string, Deadline>;

export type DeadlineName = keyof typeof DEADLINES;
type Listed = (typeof DEADLINES)[DeadlineName];
export type DeadlineField = Listed['deadline'];
export type ClaimField = Listed['claim'];
export type CauseField = Extract<Listed, { cause: string }>['cause'];

const ALL: readonly Deadline[] = Object.values(DEADLINES);

export const DEADLINE_FIELDS = ALL.map(({ deadline }) => deadline) as DeadlineField[];
export const CLAIM_FIELDS = ALL.map(({ claim }) => claim) as ClaimField[];
export const CAUSE_FIELDS = ALL.flatMap(({ cause }) => cause ?? []) as CauseField[];

const ARMED_BY_VITALS = ALL.flatMap(({ deadline, armedBy }) => (armedBy ? [{ deadline, armedBy }] : []));

/** The deadlines that vitals arm; undefined when they arm none. */
export function armedByVitals(
  vitals: Vitals,
  thresholds: Thresholds,
): Partial<Record<DeadlineField, Date>> | undefined {
  let armed: Partial<Record<DeadlineField, Date>> | undefined;
  for (const { deadline, armedBy } of ARMED_BY_VITALS) {
    const at = armedBy(vitals, thresholds);
    if (at) (armed ??= {})[deadline as DeadlineField] = at;
  }
  return armed;
}
