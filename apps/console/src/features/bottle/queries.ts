import { HOUR_MS } from '../../time/durations.js';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { requestVersioned, type Versioned } from '../../api/request.js';
import type { Bottle } from '../../api/schema.js';
import { now } from '../../time/clock.js';

const route = getRouteApi('/bottles/$bottleId');

/** The id of the page's bottle. */
export function useBottleId(): string {
  return route.useParams().bottleId;
}

/** While a change that is due has not come. */
const RETRY_MS = 5_000;
const LONGEST_MS = HOUR_MS;

/** When time alone changes how the doses stand, the bottle is loaded again. Milliseconds. */
function untilChange(bottle: Bottle | undefined): number | false {
  if (!bottle) return false;
  const left = Date.parse(bottle.today.changes_at) - now();
  return left > 0 ? Math.min(left + 250, LONGEST_MS) : RETRY_MS;
}

export function useBottleQuery(bottleId: string) {
  return useQuery({
    queryKey: ['bottle', bottleId],
    queryFn: ({ signal }) => requestVersioned<Bottle>('GET', `/v1/bottles/${bottleId}`, { signal }),
    refetchInterval: ({ state }) => untilChange(state.data),
  });
}

/** The page's bottle, for the tabs: they are rendered only after it has loaded. */
export function useBottle(): Versioned<Bottle> {
  const { data } = useBottleQuery(useBottleId());
  if (!data) throw new Error('the bottle has not loaded');
  return data;
}
