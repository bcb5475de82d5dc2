import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { get } from '../../api/request.js';
import type { Bottle } from '../../api/types.js';

const route = getRouteApi('/bottles/$bottleId');

/** The id of the page's bottle. */
export function useBottleId(): string {
  return route.useParams().bottleId;
}

export function useBottleQuery(bottleId: string) {
  return useQuery({
    queryKey: ['bottle', bottleId],
    queryFn: ({ signal }) => get<Bottle>(`/v1/bottles/${bottleId}`, { signal }),
  });
}

/** The page's bottle, for the tabs: they are rendered only after it has loaded. */
export function useBottle(): Bottle {
  const { data } = useBottleQuery(useBottleId());
  if (!data) throw new Error('the bottle has not loaded');
  return data;
}
