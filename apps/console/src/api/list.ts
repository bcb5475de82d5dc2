import { useInfiniteQuery } from '@tanstack/react-query';
import type { Query } from './http.js';
import { get } from './request.js';
import type { Page } from './types.js';

const PAGE = 50;

/** A list that is read page by page, by the key of its last entry. */
export function useList<T>(key: readonly unknown[], path: string, query: Query, enabled = true) {
  const list = useInfiniteQuery({
    queryKey: [...key, query],
    queryFn: ({ pageParam, signal }) =>
      get<Page<T>>(path, { query: { limit: PAGE, ...query, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: (previous) => previous,
    enabled,
  });
  return { ...list, items: list.data?.pages.flatMap(({ items }) => items) };
}
