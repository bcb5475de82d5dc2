import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/request.js';
import type { Fleet } from '../../api/schema.js';

/** The event stream does not announce changes of the ingest rate. */
const REFRESH_MS = 10_000;

/** The counts of the fleet, refreshed while they are shown. */
export function useFleet() {
  return useQuery({
    queryKey: ['fleet'],
    queryFn: ({ signal }) => get<Fleet>('/v1/fleet', { signal }),
    refetchInterval: REFRESH_MS,
  });
}

const total = (counts: Readonly<Record<string, number>> | undefined): number =>
  Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0);

/** How many alerts need attention. */
export function useAttention(): number {
  return total(useFleet().data?.needs_attention);
}

/** How many alerts need attention and are taken care of by nobody. */
export function useUnassigned(): number {
  return total(useFleet().data?.unassigned);
}
