import type { Instant } from './common.js';

export const DAYS_OF_WEEK = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type DayOfWeek = (typeof DAYS_OF_WEEK)[number];

/** A schedule as stored; which fields there are depends on its kind. */
export interface Schedule {
  kind: 'times_of_day' | 'interval' | 'as_needed';
  times?: string[];
  days_of_week?: DayOfWeek[];
  cycle?: { days_on: number; days_off: number; anchor: string };
  every?: string;
  anchor?: Instant;
  max_per_day?: number;
  pills_per_dose?: number;
  early_window?: string;
  late_after?: string;
  missed_after?: string;
  time_zone?: string;
  effective_from?: Instant;
}

export interface ScheduleVersion {
  effective_from: Instant;
  time_zone: string;
  schedule: Schedule;
}

export interface Pause {
  from: Instant;
  to: Instant;
}
