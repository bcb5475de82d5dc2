import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './ListState.module.css';
import { Failed, Loading } from './States.js';

interface ListLike {
  items: readonly unknown[] | undefined;
  error: Error | null;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isPlaceholderData: boolean;
  refetch: () => unknown;
  fetchNextPage: () => unknown;
}

interface ListStateProps {
  list: ListLike;
  /** What to say when nothing is there. */
  empty: ReactNode;
  children: ReactNode;
}

/** A list with its states: not there yet, failed, empty, and more to come. */
export function ListState({ list, empty, children }: ListStateProps) {
  const { items, error, hasNextPage, isFetchingNextPage, isPlaceholderData } = list;
  if (items === undefined) {
    return error ? <Failed error={error} retry={() => void list.refetch()} /> : <Loading lines={8} />;
  }
  if (items.length === 0 && isPlaceholderData) return <Loading lines={8} />;
  if (items.length === 0 && !hasNextPage) return empty;
  return (
    <div aria-busy={isPlaceholderData} className={classes['list']}>
      {children}
      {error && <Failed error={error} retry={() => void list.refetch()} />}
      <div className={classes['end']}>
        {hasNextPage && items.length === 0 && <p>None of those that were looked at so far.</p>}
        {hasNextPage ? (
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {items.length === 0 ? 'Look further' : 'Show more'}
          </Button>
        ) : (
          <p>
            {items.length === 1
              ? 'One, and that is all.'
              : `${items.length.toLocaleString('en')}, and that is all.`}
          </p>
        )}
      </div>
    </div>
  );
}
