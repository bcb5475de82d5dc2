import { Button } from '@mantine/core';
import { useStore } from '../api/store.js';
import { clockTime, VIEWER_ZONE } from '../time/format.js';
import classes from './LiveStatus.module.css';
import { live } from './services.js';

const TEXTS = { connecting: 'Connecting', live: 'Live', stale: 'Disconnected' } as const;

/** Whether the page receives live updates. */
export function LiveStatus() {
  const { kind } = useStore(live);
  return (
    <p className={classes['mark']} data-kind={kind}>
      <span className={classes['dot']} aria-hidden />
      {TEXTS[kind]}
    </p>
  );
}

/** Warns that the page may be out of date. */
export function StaleBanner() {
  const { kind, lastSeenAt } = useStore(live);
  return (
    <div role="status">
      {kind === 'stale' && (
        <div className={classes['banner']}>
          <p>
            <strong>This page may be out of date.</strong> Last update from the server:{' '}
            {clockTime(lastSeenAt, VIEWER_ZONE)}. Reconnecting…
          </p>
          <Button variant="default" onClick={live.retryNow}>
            Retry now
          </Button>
        </div>
      )}
    </div>
  );
}
