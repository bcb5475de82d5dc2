import { Button } from '@mantine/core';
import { Trans } from 'react-i18next';
import { useStore } from '../api/store.js';
import { clockTime, VIEWER_ZONE } from '../time/format.js';
import classes from './LiveStatus.module.css';
import { live } from './services.js';
import { t } from '../i18n/i18n.js';

const TEXTS = { connecting: t('Connecting'), live: t('Live'), stale: t('Disconnected') } as const;

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
            <Trans
              i18nKey="<strong>This page may be out of date.</strong> Last update from the server: {{time}}. Reconnecting…"
              components={{ strong: <strong /> }}
              values={{ time: clockTime(lastSeenAt, VIEWER_ZONE) }}
            />
          </p>
          <Button variant="default" onClick={live.retryNow}>
            {t('Retry now')}
          </Button>
        </div>
      )}
    </div>
  );
}
