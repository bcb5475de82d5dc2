import { MutationCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isProblem } from '../api/http.js';
import { Live } from '../api/live.js';

/** Data counts as fresh until the event stream invalidates it, but at most this long. */
const FRESH_MS = 20_000;

const mutations = new MutationCache({
  // someone else erased the bottle: its page must show that
  onError: (error) => {
    if (isProblem(error, 'bottle_not_found')) void queries.invalidateQueries({ queryKey: ['bottle'] });
  },
});

export const queries = new QueryClient({
  mutationCache: mutations,
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (failures, error) =>
        failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500),
      retryDelay: (failures) => 400 * 2 ** failures,
    },
  },
});

export const live = new Live(queries);
