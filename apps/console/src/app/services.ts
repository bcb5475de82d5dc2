import { MutationCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/http.js';
import { Live } from '../api/live.js';
import { desktopNotifications } from './desktop-notifications.js';

/** Data counts as fresh until the event stream invalidates it, but at most this long. */
const FRESH_MS = 20_000;
/** What is shown and could not be loaded is tried again this often. */
const RETRY_MS = 5_000;

/** Whether the same request may succeed later: no response, or a fault of the server. */
const isTransient = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 500);

const mutations: MutationCache = new MutationCache({
  // the page shows the result of a change, or what someone else changed so that it failed; charts reload by themselves
  onSettled: (_result, error) => {
    const reloaded = queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'chart' });
    // a request stays pending until the page is up to date, but its error is shown at once
    return error ? undefined : reloaded;
  },
});

export const queries: QueryClient = new QueryClient({
  mutationCache: mutations,
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (failures, error) => failures < 2 && isTransient(error),
      retryDelay: (failures) => 400 * 2 ** failures,
      refetchInterval: ({ state }) => state.status === 'error' && isTransient(state.error) && RETRY_MS,
    },
  },
});

export const live = new Live(queries, desktopNotifications);
