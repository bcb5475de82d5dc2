import { Button } from '@mantine/core';
import { useLiveState } from '../api/live.js';
import { clockTime, VIEWER_ZONE } from '../time/format.js';
import classes from './LiveStatus.module.css';
import { live } from './services.js';

const WORDS = { connecting: 'Connecting', live: 'Live', stale: 'Not live' } as const;

/** Whether changes appear by themselves now. */
export function LiveStatus() {
  const { kind } = useLiveState(live);
  return (
    <p className={classes['mark']} data-kind={kind}>
      <span className={classes['dot']} aria-hidden />
      {WORDS[kind]}
    </p>
  );
}

/** Says that what is on the page may be old. */
export function StaleBanner() {
  const { kind, lastSeenAt } = useLiveState(live);
  return (
    <div role="status">
      {kind === 'stale' && (
        <div className={classes['banner']}>
          <p>
            <strong>This page may be out of date.</strong> The server was last heard at{' '}
            {clockTime(lastSeenAt, VIEWER_ZONE)}; trying to reach it again.
          </p>
          <Button variant="default" onClick={live.retryNow}>
            Try now
          </Button>
        </div>
      )}
    </div>
  );
}
