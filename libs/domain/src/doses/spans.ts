import type { Pause, ScheduleVersion } from './schedule.js';

/** A stretch of time `[from, to)` in epoch milliseconds in which one version holds and nothing is paused. */
export interface Span {
  from: number;
  to: number;
  version: ScheduleVersion;
}

/** The unpaused stretches of `[from, to)` with the version that holds in each, in order. */
export function activeSpans(
  versions: readonly ScheduleVersion[],
  pauses: readonly Pause[],
  from: number,
  to: number,
): Span[] {
  const sorted = [...versions].sort((a, b) => a.effective_from.getTime() - b.effective_from.getTime());
  return sorted.flatMap((version, index) => {
    const ends = sorted[index + 1]?.effective_from.getTime() ?? Infinity;
    const span = { from: Math.max(from, version.effective_from.getTime()), to: Math.min(to, ends), version };
    return withoutPauses(span, pauses);
  });
}

function withoutPauses(span: Span, pauses: readonly Pause[]): Span[] {
  const sorted = [...pauses].sort((a, b) => a.from.getTime() - b.from.getTime());
  const left: Span[] = [];
  let from = span.from;
  for (const pause of sorted) {
    if (pause.to <= pause.from) continue;
    left.push({ ...span, from, to: Math.min(span.to, pause.from.getTime()) });
    from = Math.max(from, pause.to.getTime());
  }
  left.push({ ...span, from });
  return left.filter((part) => part.from < part.to);
}
