import type { ExtraReason } from '../../../doses/match.js';
import { pillsText } from '../../../doses/pills.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../time/durations.js';
import type { At } from '../../alert-kind-facts.js';
import { notMonitoredNow } from '../../not-monitored.js';
import type { ExtraDoseEvidence } from './evidence.js';

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
 */
export function extraPillLines(evidence: ExtraDoseEvidence, at: At): string[] {
  const { rule, removed_at, extra_pills: pills, put_back_at } = evidence;
  const what = `${pillsText(pills)} more than planned ${pills <= 1 ? 'was' : 'were'}`;
  const found = `${what} removed: ${at(removed_at)}.`;
  if (put_back_at) return [found, `Put back: ${at(put_back_at)}.`];
  return [
    found,
    ...(rule === 'too_early' || rule === 'several_doses' ? betweenDoses(evidence) : []),
    ...notMonitoredNow(evidence),
    ...(WHY[rule] === undefined ? [] : [WHY[rule]]),
    ...(evidence.pillbox_until ? [pillboxLine(evidence, at)] : []),
  ];
}

/** How the question about a pillbox can be answered. */
function pillboxLine({ pillbox_until: until, asks_pillbox: asks }: ExtraDoseEvidence, at: At): string {
  const ask = asks ? 'Were they moved to a pillbox' : 'If they were moved to a pillbox';
  const then = `for the doses before ${at(until!)}`;
  return asks ? `${ask}, ${then}? Say so by the link.` : `${ask}, ${then}, say so by the link.`;
}

/** `The last dose was due 5 h before, the next one is due 19 h after it.` */
function betweenDoses({ removed_at, last_dose_at: last, next_dose_at: next }: ExtraDoseEvidence): string[] {
  if (!next) return [];
  const after = spanText(next.getTime() - removed_at.getTime());
  if (!last) return [`The next dose is due ${after} after it.`];
  const before = spanText(removed_at.getTime() - last.getTime());
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
