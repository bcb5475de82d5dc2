import type { ExtraReason } from '../../../doses/match.js';
import type { English, Say, Phrases } from '../../../language/phrases.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../time/durations.js';
import { notMonitoredNow } from '../../not-monitored.js';
import type { ExtraDoseEvidence } from './evidence.js';

const WHY: Partial<Record<ExtraReason, English>> = {
  beyond_dose: 'The dose was complete without that.',
  several_doses: 'No dose was due.',
  schedule_paused: 'The schedule is paused.',
  schedule_ended: 'The schedule had ended.',
  over_daily_limit: 'That is more than 24 hours allow.',
  under_min_interval: 'That is too soon after the last dose.',
  taken_elsewhere: 'The dose was reported taken from elsewhere before.',
  skipped_on_advice: 'The dose was reported skipped on medical advice before.',
};

/**
 * What was removed beyond the plan, when, and why it is too much: `1 pill more than planned was removed: Monday, 2 March
 * 2026 at 13:00:00 UTC.`
 */
export function extraPillLines(evidence: ExtraDoseEvidence, phrases: Phrases): string[] {
  const { rule, removed_at, extra_pills: pills, pills_in_all: all, put_back_at } = evidence;
  const { say, at } = phrases;
  const found = say(
    pills <= 1
      ? '{{pills}} more than planned was removed: {{time}}.'
      : '{{pills}} more than planned were removed: {{time}}.',
    { pills: phrases.pills(pills), time: at(removed_at) },
  );
  if (put_back_at) return [found, say('Put back: {{time}}.', { time: at(put_back_at) })];
  const why = WHY[rule];
  return [
    found,
    ...(all === undefined
      ? []
      : [say('In all, that makes {{pills}} more than planned.', { pills: phrases.pills(all) })]),
    ...(rule === 'too_early' || rule === 'several_doses' ? betweenDoses(evidence, say) : []),
    ...notMonitoredNow(evidence, say),
    ...(why === undefined ? [] : [say(why)]),
    ...(evidence.pillbox_until ? [pillboxLine(evidence, phrases)] : []),
  ];
}

/** How the question about a pillbox can be answered. */
function pillboxLine(
  { pillbox_until: until, asks_pillbox: asks }: ExtraDoseEvidence,
  { say, at }: Phrases,
): string {
  return say(
    asks
      ? 'Were they moved to a pillbox, for the doses before {{time}}? Say so by the link.'
      : 'If they were moved to a pillbox, for the doses before {{time}}, say so by the link.',
    { time: at(until!) },
  );
}

/** `The last dose was due 5 h before, the next one is due 19 h after it.` */
function betweenDoses(
  { removed_at, last_dose_at: last, next_dose_at: next }: ExtraDoseEvidence,
  say: Say,
): string[] {
  if (!next) return [];
  const after = spanText(next.getTime() - removed_at.getTime(), say);
  if (!last) return [say('The next dose is due {{after}} after it.', { after })];
  const before = spanText(removed_at.getTime() - last.getTime(), say);
  return [
    say('The last dose was due {{before}} before, the next one is due {{after}} after it.', {
      before,
      after,
    }),
  ];
}

/** `4 days`, `11 h 30 min`, `5 min`: whole days from two days on. @param ms not negative */
function spanText(ms: number, say: Say): string {
  if (ms >= 2 * DAY_MS) return say('{{days}} days', { days: Math.round(ms / DAY_MS) });
  const hours = Math.floor(ms / HOUR_MS);
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
  if (hours === 0) return say('{{minutes}} min', { minutes });
  return minutes === 0
    ? say('{{hours}} h', { hours })
    : say('{{hours}} h {{minutes}} min', { hours, minutes });
}
