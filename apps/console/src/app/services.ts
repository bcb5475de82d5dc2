import { QueryClient } from '@tanstack/react-query';
import { Live } from '../api/live.js';
import { ApiError } from '../api/problem.js';

/** What was read is taken to be true until the stream says otherwise, but at most this long. */
const FRESH_MS = 20_000;

export const queries = new QueryClient({
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
