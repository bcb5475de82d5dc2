import type { ExtraReason } from '../doses/match.js';
import { timesOf } from './dose-texts.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time/durations.js';

const WHY: Partial<Record<ExtraReason, string>> = {
  beyond_dose: 'The dose was already taken.',
  several_doses: 'No dose was due.',
  schedule_paused: 'The schedule is paused.',
  schedule_ended: 'The schedule has no dose any more.',
  over_daily_limit: 'That is more than 24 hours allow.',
  under_min_interval: 'That is too soon after the last dose.',
  taken_elsewhere: 'The dose was reported taken from elsewhere before.',
  skipped_on_advice: 'The dose was reported skipped on medical advice before.',
};

/**
 * What was removed beyond the plan, when, and why it is too much: `1 pill more than planned was removed: Monday, 2 March
 * 2026 at 13:00:00 UTC.`
 *
 * @param at formats an ISO time in the recipient's zone
 */
export function extraPillLines(evidence: Record<string, unknown>, at: (iso: string) => string): string[] {
  const { rule, removed_at, extra_pills: pills, put_back_at } = evidence;
  const [removed] = timesOf([removed_at]);
  const what = pills === 1 ? '1 pill more than planned was' : `${String(pills)} pills more than planned were`;
  const found = typeof pills === 'number' ? [`${what} removed: ${at(removed!)}.`] : [];
  const [back] = timesOf([put_back_at]);
  if (put_back_at !== undefined) return [...found, `Put back: ${at(back!)}.`];
  return [
    ...found,
    ...(rule === 'too_early' || rule === 'several_doses' ? betweenDoses(evidence) : []),
    ...(WHY[rule as ExtraReason] === undefined ? [] : [WHY[rule as ExtraReason]!]),
  ];
}

/** `The last dose was due 5 h before, the next one is due 19 h after it.` */
function betweenDoses({ removed_at, last_dose_at, next_dose_at }: Record<string, unknown>): string[] {
  if (next_dose_at === undefined) return [];
  const [removed, next] = timesOf([removed_at, next_dose_at]).map((iso) => Date.parse(iso));
  const after = spanText(next! - removed!);
  if (last_dose_at === undefined) return [`The next dose is due ${after} after it.`];
  const before = spanText(removed! - Date.parse(timesOf([last_dose_at])[0]!));
  return [`The last dose was due ${before} before, the next one is due ${after} after it.`];
}

/** `4 days`, `11 h 30 min`, `5 min`: whole days from two days on. @param ms not negative */
function spanText(ms: number): string {
  if (ms >= 2 * DAY_MS) return `${Math.round(ms / DAY_MS)} days`;
  const hours = Math.floor(ms / HOUR_MS);
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
  if (hours === 0) return `${minutes} min`;
  return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`;
}
