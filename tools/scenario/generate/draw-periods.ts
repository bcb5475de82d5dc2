import type { Random } from '../../random.js';
import { DAY, type DosePause, HOUR, type Span } from './oracle/facts.js';

const REASONS = [
  'pause',
  'pause',
  'hospital',
  'travel',
  'pillbox',
  'device_fault',
  'other_container',
  'not_in_use',
];

/** Draws a period without monitoring: from now on, from later, or one that is past; it may be changed or removed again. */
export function drawPeriods(random: Random, orderedAt: number, { from: start, to: end }: Span): DosePause[] {
  const kind = random.next();
  const from =
    kind < 0.3
      ? orderedAt
      : kind < 0.55
        ? orderedAt + Math.floor(random.between(2, 20) * HOUR)
        : Math.max(start, orderedAt - Math.floor(random.between(0.1, 3) * DAY));
  const reason = random.pick(REASONS);
  // only a pause has an end from the beginning
  const isOpen = reason !== 'pause' && random.chance(0.3);
  const length = Math.floor(random.between(0.3, 2) * DAY);
  const period = { orderedAt, from, to: isOpen ? Infinity : from + length, reason };
  const changedAt = orderedAt + Math.floor(random.between(0.02, 2) * DAY);
  const change = random.next();
  if (change < 0.5 || changedAt > end - HOUR) return [period];
  const to = Math.floor(Math.max(from + HOUR, random.between(from, changedAt + DAY)));
  return [{ ...period, changedAt }, ...(change < 0.75 ? [{ orderedAt: changedAt, from, to, reason }] : [])];
}
