export { askedAt } from './asked-bottles.js';
export { asNeededAt, isAsNeeded, overLimits, versionAt } from './as-needed.js';
export type { AsNeededCount, AsNeededVersion } from './as-needed.js';
export { backlogGrace, BACKLOG_GRACE_MS, heartbeatsLeaveGap, LONGEST_OUTAGE_MS } from './contacts.js';
export { DOSE_OUTCOMES, isTaken, isUnknownInSilence, judgeNotMonitored, judgeSlots } from './judge.js';
export type {
  DoseOutcome,
  DosePeriod,
  DosePhase,
  JudgeInput,
  JudgeResult,
  OtherBottle,
  SlotJudgement,
} from './judge.js';
export { mayBeErased, withErased } from './erased-bottles.js';
export type { RecordedDose } from './erased-bottles.js';
export { matchRemovals, OPENING_SEARCH_MS, openingsMatter } from './match.js';
export type { ExtraDose, ExtraReason, MatchedRemoval, MatchResult, Removal, SlotMatch } from './match.js';
export { allExtraDoses, extraDosesDependFrom, extraDoses, pillsBeyondSlots } from './extra-doses.js';
export type { Prescribed, VeryLatePills } from './extra-doses.js';
export { scheduleStateAt } from './schedule-state.js';
export type { ScheduleState } from './schedule-state.js';
export { beginningAfter, checkCourse, dosesLeft, endOfCourse, goingOn } from './course.js';
export * from './pills.js';
export * from './move.js';
export { endPeriods, endPlan, planAt, presentOf, withoutStep, withStep } from './plan.js';
export type { Replaced } from './plan.js';
export { planWarnings, SCHEDULE_WARNINGS } from './schedule-warnings.js';
export type { ScheduleWarning } from './schedule-warnings.js';
export { parseSchedule } from './parse-schedule.js';
export {
  amountsByTime,
  DAYS_OF_WEEK,
  parseDuration,
  SCHEDULE_DEFAULTS,
  SCHEDULE_LIMITS,
  ScheduleError,
  windowsOf,
} from './schedule.js';
export type {
  AsNeededSchedule,
  Cycle,
  DayOfWeek,
  IntervalSchedule,
  Schedule,
  ScheduleCommon,
  ScheduleVersion,
  TimedAmount,
  TimesOfDaySchedule,
  Windows,
} from './schedule.js';
export { chainStart, nextSlotAfter, slotDueAt, slotsBetween, slotsNotMonitored } from './slots.js';
export {
  changedPeriod,
  endsAt,
  heldLast,
  heldUntil,
  isSilenceHeld,
  notMonitoredUntil,
  PERIOD_REASONS,
  PERIOD_RULES,
  periodAt,
  reasonOf,
} from './periods.js';
export type { PeriodReason, UnmonitoredPeriod } from './periods.js';
export type { Slot } from './slots.js';
export { judgeToday, planToday } from './today.js';
export type { DoseStatus, Offline, Today, TodaysDose, TodayPlan } from './today.js';
export { dosesInGap, unconfirmedDoses, wasLateByGrace } from './unconfirmed.js';
export * from './openings.js';
export { fillingOf } from './pillbox.js';
export type { Filling } from './pillbox.js';
export * from './plan-bottles.js';
export * from './put-back.js';
export * from './receipts.js';
export * from './shared-plan.js';
export type { CountedHeartbeat, ReportedCounts, UnreportedPills } from './unreported-pills.js';
export { UNCLEAR_REASONS, type UnclearClosing } from './unclear-closings.js';
export { countsMatterFrom, unreportedPills } from './unreported-pills.js';
