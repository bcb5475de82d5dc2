import { DAY, endOf, HOUR, startOf } from '../time/units.js';
import { HOURS_KEPT, MINUTES_KEPT } from '../tiers/tiers.js';

/** What a family of collections is divided by; one that is not keeps everything in one collection for ever. */
type Division = 'day' | 'month';

interface Family {
  division: Division;
  /** How long after its end a collection is still needed. Milliseconds. */
  kept: number;
}

/** Collections of a range of time each, dropped whole when the range is past keeping. */
export const FAMILIES = {
  /** A counter a second. */
  ts_live: { division: 'day', kept: HOUR },
  ts_1m: { division: 'day', kept: MINUTES_KEPT },
  ts_5m: { division: 'day', kept: MINUTES_KEPT },
  ts_1h: { division: 'month', kept: HOURS_KEPT },
  /** What the heartbeats of a bottle's day said, by the hour. */
  ts_vitals: { division: 'month', kept: HOURS_KEPT },
} as const satisfies Record<string, Family>;
export type FamilyName = keyof typeof FAMILIES;

/** Kept for ever. */
export const ENDLESS = ['ts_1d', 'ts_taken', 'ts_marks', 'ts_progress'] as const;

/** Of version 0.1.0; what they held has been taken over before anything is dropped. */
const OBSOLETE = /^ts_(writers|recounts|rounds|vitals_seconds_\d+)$/;

/** A count may be under way while its collection falls due: it is dropped this much later. Milliseconds. */
const MARGIN = DAY / 4;

/** The collection of a family that holds an instant, such as `ts_1m_20260301` or `ts_1h_202603`. */
export function collectionOf(family: FamilyName, at: Date): string {
  const digits = FAMILIES[family].division === 'day' ? 8 : 6;
  return `${family}_${at.toISOString().replaceAll('-', '').slice(0, digits)}`;
}

/** What is needed now and next of a family. */
export function collectionsAhead(family: FamilyName, now: Date): string[] {
  const next = endOf(FAMILIES[family].division, now);
  return [collectionOf(family, now), collectionOf(family, next)];
}

/** Whether a collection's whole range is past keeping. False for a name that is none of ours. */
export function isExpired(collection: string, now: Date): boolean {
  if (OBSOLETE.test(collection)) return true;
  const [, family, digits] = /^(ts_[a-z0-9_]*?[a-z0-9])_(\d{6}|\d{8})$/.exec(collection) ?? [];
  if (family === undefined || digits === undefined || !(family in FAMILIES)) return false;
  const { division, kept } = FAMILIES[family as FamilyName];
  if (digits.length !== (division === 'day' ? 8 : 6)) return false;
  const [year, month, day] = [digits.slice(0, 4), digits.slice(4, 6), digits.slice(6) || '01'];
  const start = new Date(`${year}-${month}-${day}T00:00:00Z`);
  if (Number.isNaN(start.getTime())) return false;
  return now.getTime() >= endOf(division, startOf(division, start)).getTime() + kept + MARGIN;
}
