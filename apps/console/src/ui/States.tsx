import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiError } from '../api/http.js';
import { PageHead } from './PageHead.js';
import classes from './States.module.css';

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
      <Empty title="You don’t have access to this page">{children}</Empty>
    </>
  );
}

/** An error: what went wrong, and what to do about it. */
export function Failed({ error, retry }: { error: Error; retry?: () => void }) {
  const [title, text] = explain(error);
  return (
    <div className={classes['state']} role="alert">
      <p className={classes['title']}>{title}</p>
      <p className={classes['text']}>{text}</p>
      {retry && (
        <Button variant="default" onClick={retry} mt={12}>
          Try again
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

/** A failed request as a title and what to do about it. */
export function explain(error: Error): [title: string, text: string] {
  if (!(error instanceof ApiError)) {
    return [
      'Something went wrong',
      `Reload the page. If the problem persists, report this: ${error.message}`,
    ];
  }
  if (error.status === 0) return ['Can’t reach the server', 'Check your network connection and try again.'];
  if (error.status === 403) return ['Permission denied', error.message];
  if (error.status === 429) return ['Too many requests', waitText(error)];
  if (error.status >= 500) {
    const id = error.errorId === undefined ? '' : ` Error ID in the server log: ${error.errorId}.`;
    return ['Server error', `Try again in a moment.${id}`];
  }
  const messages = [error.message, ...error.errors.map(({ message }) => message)];
  return ['Request rejected', [...new Set(messages)].join('; ')];
}

/** {@link explain} in one line. */
export function errorText(error: Error): string {
  return explain(error).join('. ');
}

function waitText({ retryAfterSeconds }: ApiError): string {
  return `Try again ${retryAfterSeconds === undefined ? 'shortly' : `in ${retryAfterSeconds} seconds`}.`;
}

/** Grey lines in place of content that is loading; they appear after a short delay. */
export function Loading({ lines = 4 }: { lines?: number }) {
  return (
    <div className={classes['loading']} role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} className={classes['bar']} />
      ))}
    </div>
  );
}
