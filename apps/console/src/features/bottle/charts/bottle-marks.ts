import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { alertKind } from '../../../alert-kinds/alert-kinds.js';
import { get } from '../../../api/request.js';
import type { Alert, UnmonitoredPeriod } from '../../../api/schema.js';
import type { Page } from '../../../api/vocabulary.js';
import { now } from '../../../time/clock.js';
import { type ChartMark, outageMarks, secondsOf, shaded } from '../../../ui/chart/marks.js';
import { type Range, rangeQuery } from '../../../ui/chart/range.js';
import { useCoverageGaps } from '../../../ui/CoverageGaps.js';
import { PERIOD_REASONS } from '../../periods/reasons.js';
import { readDoses } from '../overview/DoseCalendar.js';
import { useBottle } from '../queries.js';

/** Older alerts are not marked. */
const MOST_ALERTS = 200;

/** What is marked in every chart of the page's bottle: nothing of it was seen, or it says nothing. */
export function useBottleMarks(range: Range, beginning: string): readonly ChartMark[] {
  const { bottle_id, registered_at, monitored_since } = useBottle();
  const gaps = useCoverageGaps(range, beginning);
  const { data: alerts } = useQuery({
    queryKey: ['bottle', bottle_id, 'alerts'],
    queryFn: ({ signal }) =>
      get<Page<Alert>>('/v1/alerts', { query: { bottle_id, limit: MOST_ALERTS }, signal }),
  });
  const { data: periods } = useQuery({
    queryKey: ['bottle', bottle_id, 'all-periods'],
    queryFn: ({ signal }) =>
      get<{ items: UnmonitoredPeriod[] }>(`/v1/bottles/${bottle_id}/periods`, { signal }),
  });
  return useMemo(
    () => [
      { ...shaded('unseen', registered_at, monitored_since), from: Number.NEGATIVE_INFINITY },
      ...outageMarks(gaps.filter(({ part }) => part === 'device-api')),
      ...(periods?.items ?? []).map(({ from, to, reason }) =>
        shaded('pause', from, to, PERIOD_REASONS[reason]),
      ),
      ...(alerts?.items ?? []).map(alertMark),
    ],
    [registered_at, monitored_since, gaps, periods, alerts],
  );
}

/** A silence lasts; of any other alert its beginning is marked. */
function alertMark({ kind, raised_at, ended_at }: Alert): ChartMark {
  if (kind === 'bottle_silent') return shaded('silent', raised_at, ended_at);
  return { kind: 'alert', from: secondsOf(raised_at), label: alertKind(kind).label };
}

const NO_MARKS: readonly ChartMark[] = [];

/** The doses of the range, taken and missed. */
export function useDoseMarks(range: Range, beginning: string): readonly ChartMark[] {
  const { bottle_id } = useBottle();
  const { data } = useQuery({
    queryKey: ['bottle', bottle_id, 'doses', range, beginning],
    queryFn: async ({ signal }) => {
      const { from, to = new Date(now()).toISOString() } = rangeQuery(range, beginning);
      const { doses } = await readDoses(`/v1/bottles/${bottle_id}`, { from, to }, signal);
      return doses.flatMap(({ outcome, scheduled_at, taken_at }): ChartMark[] => {
        if (taken_at !== null) return [{ kind: 'taken', from: secondsOf(taken_at) }];
        return outcome === 'missed' ? [{ kind: 'missed', from: secondsOf(scheduled_at) }] : [];
      });
    },
  });
  return data ?? NO_MARKS;
}
