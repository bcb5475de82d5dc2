import { COVERAGE_PARTS, type CoveragePart } from '#domain';
import type { mongo } from 'mongoose';

/** A span reaches as far beyond its last record. Milliseconds. */
const BEAT_MS = 10_000;
const COLLECTIONS: Record<CoveragePart, string> = {
  'device-api': 'listening_spans',
  notifier: 'check_spans',
};

/** What reading the coverage needs to know. */
export interface Coverage {
  /** Whether each part does its work now, so that its last span grows. */
  live: Record<CoveragePart, boolean>;
  /** When a notifier last looked for gaps, and was done. */
  soughtAt: Date | undefined;
  /** The settings `COVERAGE_GAP_AFTER` and `COVERAGE_GRACE`. Milliseconds. */
  gapAfter: number;
  grace: number;
}

interface Span {
  from: Date;
  until: Date;
}

interface Gap {
  part: CoveragePart;
  from: Date;
  until?: Date;
  settled_at?: Date;
}

/**
 * When notifiers have to look for coverage gaps, by the recorded spans and gaps: a gap becomes long, one that is recorded
 * is over, or its grace is.
 */
export async function coverageDue(db: mongo.Db, now: Date, coverage: Coverage): Promise<Date[]> {
  const [gaps, ...spans] = await Promise.all([
    db.collection<Gap>('coverage_gaps').find().toArray(),
    ...COVERAGE_PARTS.map((part) => db.collection<Span>(COLLECTIONS[part]).find().toArray()),
  ]);
  const { live, soughtAt } = coverage;
  const accepting = spans[COVERAGE_PARTS.indexOf('device-api')]!;
  return [
    ...COVERAGE_PARTS.flatMap((part, place) => longAt(spans[place]!, live[part], coverage)).filter(
      (at) => !soughtAt || at > soughtAt,
    ),
    ...gaps.filter(({ part, until }) => !until && live[part]).map(() => now),
    ...gaps
      .filter(({ part, settled_at }) => part === 'device-api' && live[part] && !settled_at)
      .flatMap(({ until }) => until ?? [])
      .map((until) => new Date(now.getTime() + coverage.grace - acceptedSince(until, accepting, now))),
  ];
}

/** When the time after each span is a long gap, unless another span begins before. */
function longAt(spans: readonly Span[], isLive: boolean, { gapAfter }: Coverage): Date[] {
  const last = Math.max(...spans.map(({ until }) => until.getTime()));
  return spans
    .filter(({ until }) => !isLive || until.getTime() < last)
    .map(({ until }) => ({ until, at: new Date(until.getTime() + BEAT_MS + gapAfter + 1) }))
    .filter(({ until, at }) => !spans.some((span) => span.from > until && span.from < at))
    .map(({ at }) => at);
}

/** How long reports have been accepted since a moment; the last span goes on. Milliseconds. */
function acceptedSince(moment: Date, spans: readonly Span[], now: Date): number {
  const last = Math.max(...spans.map(({ until }) => until.getTime()));
  return spans
    .map(({ from, until }) => {
      const end = until.getTime() === last ? now : until;
      return Math.max(0, end.getTime() - Math.max(from.getTime(), moment.getTime()));
    })
    .reduce((sum, time) => sum + time, 0);
}
