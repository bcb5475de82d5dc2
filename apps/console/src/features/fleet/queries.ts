import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/request.js';
import type { Fleet } from '../../api/types.js';

/** Live ingest has no events of its own. */
const EVERY_MS = 10_000;

/** The fleet in numbers: kept fresh while it is shown. */
export function useFleet() {
  return useQuery({
    queryKey: ['fleet'],
    queryFn: ({ signal }) => get<Fleet>('/v1/fleet', { signal }),
    refetchInterval: EVERY_MS,
  });
}
