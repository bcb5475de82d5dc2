import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { get } from '../../api/request.js';
import type { Bottle } from '../../api/types.js';

const route = getRouteApi('/bottles/$bottleId');

/** The bottle that the page is about. */
export function useBottleId(): string {
  return route.useParams().bottleId;
}

export function useBottleQuery(bottleId: string) {
  return useQuery({
    queryKey: ['bottle', bottleId],
    queryFn: ({ signal }) => get<Bottle>(`/v1/bottles/${bottleId}`, { signal }),
  });
}

/** The bottle, on a part of its page: the page itself shows that part only once the bottle is there. */
export function useBottle(): Bottle {
  const { data } = useBottleQuery(useBottleId());
  if (!data) throw new Error('the bottle is not there yet');
  return data;
}
