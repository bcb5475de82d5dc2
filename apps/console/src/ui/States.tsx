import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { explain } from '../errors/error-text.js';
import { PageHead } from './PageHead.js';
import classes from './States.module.css';
import { t } from '../i18n/i18n.js';

/** Nothing to show: why, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={classes['state']}>
      <p className={classes['title']}>{title}</p>
      {children !== undefined && <div className={classes['text']}>{children}</div>}
    </div>
  );
}

/** A page that needs a role the user does not have. */
export function NoAccess({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <PageHead title={title} />
      <Empty title={t('You don’t have access to this page')}>{children}</Empty>
    </>
  );
}

/** An error: what went wrong, and what to do about it. */
export function Failed({ error, retry }: { error: Error; retry?: () => void }) {
  const [title, text] = explain(error);
  return (
    <div className={classes['state']} role="alert">
      <p className={classes['title']}>{title}</p>
      {text !== '' && <p className={classes['text']}>{text}</p>}
      {retry && (
        <Button variant="default" onClick={retry} mt={12}>
          {t('Try again')}
        </Button>
      )}
    </div>
  );
}

/** The placeholder of a query without data: its error, or grey lines. */
export function Pending({
  query: { error, refetch },
  lines,
}: {
  query: { error: Error | null; refetch: () => unknown };
  lines?: number;
}) {
  return error ? (
    <Failed error={error} retry={() => void refetch()} />
  ) : (
    <Loading {...(lines === undefined ? {} : { lines })} />
  );
}

/** That records are missing from a list, because they cannot be shown; nothing if none are. */
export function Unreadable({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <p className={classes['unreadable']} role="status">
      {t('{{count, number}} records could not be read. Ask your operator.', { count })}
    </p>
  );
}

/** Grey lines in place of content that is loading; they appear after a short delay. */
export function Loading({ lines = 4 }: { lines?: number }) {
  return (
    <div className={classes['loading']} role="status" aria-label={t('Loading')}>
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} className={classes['bar']} />
      ))}
    </div>
  );
}
