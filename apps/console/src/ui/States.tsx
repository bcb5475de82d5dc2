import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiError } from '../api/http.js';
import classes from './States.module.css';

/** Nothing is there: why, and what to do. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={classes['state']}>
      <p className={classes['title']}>{title}</p>
      {children !== undefined && <div className={classes['text']}>{children}</div>}
    </div>
  );
}

/** Something went wrong: what, and what to do. */
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

/** A failed request in words. */
export function explain(error: Error): [title: string, text: string] {
  if (!(error instanceof ApiError)) {
    return [
      'This part of the page has failed',
      `Reload the page. If it happens again, report this: ${error.message}`,
    ];
  }
  if (error.status === 0) return ['The server cannot be reached', 'Check the network, then try again.'];
  if (error.status === 403) return ['You may not do this', error.message];
  if (error.status === 429) return ['Too many requests', waitFor(error)];
  if (error.status >= 500) {
    const id = error.errorId === undefined ? '' : ` Its id in the server's log is ${error.errorId}.`;
    return ['The server has failed', `Try again in a moment.${id}`];
  }
  const said = [error.message, ...error.errors.map(({ message }) => message)];
  return ['This was refused', [...new Set(said)].join('; ')];
}

function waitFor({ retryAfterSeconds }: ApiError): string {
  return retryAfterSeconds === undefined ? 'Wait a moment.' : `Wait ${retryAfterSeconds} seconds.`;
}

/** Grey lines where a list is about to be. Shown only when it takes longer than one would notice. */
export function Loading({ lines = 4 }: { lines?: number }) {
  return (
    <div className={classes['loading']} role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} className={classes['bar']} />
      ))}
    </div>
  );
}
