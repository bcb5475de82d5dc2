import { MutationCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isProblem } from '../api/http.js';
import { Live } from '../api/live.js';

/** What was read is taken to be true until the stream says otherwise, but at most this long. */
const FRESH_MS = 20_000;

const mutations = new MutationCache({
  // somebody else has erased it: its page is to say so, whatever was being done to it
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
