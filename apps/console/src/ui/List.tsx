import { Button, UnstyledButton } from '@mantine/core';
import { type InfiniteData, useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { type Key, type ReactNode, useEffect, useState } from 'react';
import type { Query } from '../api/http.js';
import { get } from '../api/request.js';
import type { Page } from '../api/vocabulary.js';
import classes from './List.module.css';
import panel from './Panel.module.css';
import { Failed, Loading, Unreadable } from './States.js';
import table from './Table.module.css';
import { t } from '../i18n/i18n.js';

/** The first page is small, so that it is soon there; the others are few, because a change reloads all of them. */
const FIRST_PAGE = 50;
const NEXT_PAGE = 200;

/** Reads a list of the API page by page. `query` also takes `limit: undefined` for lists that have no pages. */
export function useList<T>(key: readonly unknown[], path: string, query: Query, enabled = true) {
  const list = useInfiniteQuery({
    queryKey: [...key, query],
    queryFn: ({ pageParam, signal }) =>
      get<Page<T>>(path, {
        query: { limit: pageParam === undefined ? FIRST_PAGE : NEXT_PAGE, ...query, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: (previous) => previous,
    enabled,
  });
  const more = useMore(list, JSON.stringify([...key, query]));
  const pages = list.data?.pages;
  return { ...list, ...more, items: pages?.flatMap(({ items }) => items), unreadable: unreadableIn(pages) };
}

/** How many records pages leave out. */
export function unreadableIn(pages: readonly Page<unknown>[] = []): number {
  return pages.reduce((sum, { unreadable = 0 }) => sum + unreadable, 0);
}

type Pages = Pick<
  UseInfiniteQueryResult<InfiniteData<unknown>>,
  'data' | 'error' | 'hasNextPage' | 'isFetching' | 'fetchNextPage'
>;

/** Loads a page that is asked for when nothing else is loading: an event that reloads the list would cancel it. */
function useMore({ data, error, hasNextPage, isFetching, fetchNextPage }: Pages, key: string) {
  const [asked, setAsked] = useState({ key, pages: 0 });
  const pages = data?.pages.length ?? 0;
  const isLoadingMore = !error && hasNextPage && asked.key === key && asked.pages > pages;
  const isNext = isLoadingMore && !isFetching;
  useEffect(() => {
    if (isNext) void fetchNextPage();
  }, [isNext, fetchNextPage]);
  return { isLoadingMore, loadMore: () => setAsked({ key, pages: pages + 1 }) };
}

type ListQuery<T> = Omit<ReturnType<typeof useList<T>>, 'data'>;

interface ListProps<T> {
  list: ListQuery<T>;
  /** Shown when the list is empty. */
  empty: ReactNode;
  children: (items: T[]) => ReactNode;
}

/** A list with its states: loading, failed, empty, records left out, and more to load. */
export function List<T>({ list, empty, children }: ListProps<T>) {
  const { items, unreadable, error, hasNextPage, isLoadingMore, isPlaceholderData, refetch, loadMore } = list;
  if (items === undefined || (items.length === 0 && isPlaceholderData)) {
    return error ? <Failed error={error} retry={() => void refetch()} /> : <Loading lines={8} />;
  }
  if (items.length === 0 && !hasNextPage && unreadable === 0) return empty;
  return (
    <div aria-busy={isPlaceholderData} className={classes['list']}>
      <Unreadable count={unreadable} />
      {items.length > 0 && children(items)}
      {error && <Failed error={error} retry={() => void refetch()} />}
      <div className={classes['end']}>
        {hasNextPage ? (
          <>
            {items.length === 0 && <p>{t('No matches so far.')}</p>}
            <Button variant="default" loading={isLoadingMore} onClick={loadMore}>
              {t('Load more')}
            </Button>
          </>
        ) : (
          <p>{t('{{count, number}} results', { count: items.length })}</p>
        )}
      </div>
    </div>
  );
}

/** Which way a list is ordered by a column; absent while it has another order. */
export interface ColumnOrder {
  direction?: 'ascending' | 'descending' | undefined;
  /** Orders the list by the column, or turns its order round. */
  choose: () => void;
}

export interface Column<T> {
  title: string;
  /** The title is for screen readers only. */
  hiddenTitle?: true;
  /** `number` aligns right, `mono` is for ids. */
  as?: 'number' | 'mono';
  /** The order by this column, if the list has one now. */
  order?: ColumnOrder | undefined;
  cell: (row: T) => ReactNode;
}

interface TableProps<T> {
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => Key;
}

/** A table; on a narrow screen each row is a card whose cells carry the titles of their columns. */
export function Table<T>({ columns, rows, rowKey }: TableProps<T>) {
  return (
    <div className={table['wrap']}>
      <table className={table['table']}>
        <thead>
          <tr>
            {columns.map(({ title, hiddenTitle, as, order }) => (
              <th
                key={title}
                scope="col"
                className={as === 'number' ? table['number'] : undefined}
                aria-sort={order && (order.direction ?? 'none')}
              >
                {order ? (
                  <OrderButton title={title} {...order} />
                ) : hiddenTitle ? (
                  <span className="visually-hidden">{title}</span>
                ) : (
                  title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} data-row={rowKey(row)}>
              {columns.map(({ title, hiddenTitle, as, cell }, index) => (
                <td
                  key={title}
                  data-label={index === 0 || hiddenTitle ? undefined : title}
                  className={as && table[as]}
                >
                  <div>{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function OrderButton({ title, direction, choose }: ColumnOrder & { title: string }) {
  return (
    <UnstyledButton className={table['order']} onClick={choose}>
      {title}
      <span aria-hidden>{direction === undefined ? '↕' : direction === 'ascending' ? '↑' : '↓'}</span>
    </UnstyledButton>
  );
}

/** The main line of a cell, and a smaller one below it. */
export function TwoLines({ main, small }: { main: ReactNode; small: ReactNode }) {
  return (
    <div className={table['two']}>
      <span>{main}</span>
      {small && <span className={table['small']}>{small}</span>}
    </div>
  );
}

/** A panel with a list in a table. */
export function TableList<T>({
  list,
  empty,
  ...columns
}: Omit<TableProps<T>, 'rows'> & Omit<ListProps<T>, 'children'>) {
  return (
    <div className={panel['panel']}>
      <List list={list} empty={empty}>
        {(rows) => <Table rows={rows} {...columns} />}
      </List>
    </div>
  );
}
