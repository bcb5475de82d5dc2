import { Link } from '@tanstack/react-router';
import { Trans } from 'react-i18next';
import { ALARMING_KINDS, alertKind } from '../../alert-kinds/alert-kinds.js';
import type { Fleet } from '../../api/schema.js';
import { duration } from '../../time/format.js';
import { Moment } from '../../time/Moment.js';
import { Marked } from '../../ui/Mark.js';
import { PageHead } from '../../ui/PageHead.js';
import { Panel } from '../../ui/Panel.js';
import { Empty, Pending } from '../../ui/States.js';
import { FleetIncidents } from '../alerts/FleetIncident.js';
import { FirstRun, useFirstRun } from '../first-run/FirstRun.js';
import { Activity } from './Activity.js';
import classes from './FleetPage.module.css';
import { Ingest } from './Ingest.js';
import meters from './Meters.module.css';
import { useFleet } from './queries.js';
import { StatusBar } from './StatusBar.js';
import { Unusual } from './Unusual.js';
import { t, numberText } from '../../i18n/i18n.js';

/** The state of the whole fleet. */
export function FleetPage() {
  const query = useFleet();
  const fleet = query.data;
  // it stands above the rest, which would jump when it comes
  const isComplete = !useFirstRun().isLoading;
  return (
    <>
      <PageHead
        title={t('Fleet')}
        lead={
          fleet ? (
            <Trans i18nKey="As of <at/>" components={{ at: <Moment at={fleet.counted_at} as="time" /> }} />
          ) : (
            t('As of …')
          )
        }
      />
      {fleet && isComplete ? (
        <div className={classes['grid']}>
          <FirstRun />
          <FleetIncidents open={fleet.open_alerts.fleet_incident} />
          <Unusual />
          <StatusBar bottles={fleet.bottles} />
          <OpenAlerts fleet={fleet} />
          <Ingest ingest={fleet.ingest} />
          <Notifier notifier={fleet.notifier} />
          <Activity />
        </div>
      ) : (
        <Pending query={query} lines={6} />
      )}
    </>
  );
}

/** Open and acknowledged alerts by kind, and how many of a kind its link leads to, where these are fewer. */
function OpenAlerts({ fleet: { open_alerts: counts, needs_attention: attention } }: { fleet: Fleet }) {
  const kinds = ALARMING_KINDS.filter((kind) => counts[kind] > 0);
  // the list shows the silent ones of an incident to whoever asks for their kind
  const isGrouped = (kind: string): boolean => kind === 'bottle_silent' && counts.fleet_incident > 0;
  return (
    <Panel
      title={t('Open alerts')}
      aside={<Link to="/alerts">{t('All alerts')}</Link>}
      className={classes['half']}
    >
      {kinds.length === 0 ? (
        <Empty title={t('No open alerts')} />
      ) : (
        <ul className={classes['alerts']}>
          {kinds.map((kind) => (
            <li key={kind}>
              <Link to="/alerts" search={{ kind }} className={classes['alert']}>
                <Marked of={alertKind(kind)} />
                {attention[kind] < counts[kind] && !isGrouped(kind) && (
                  <span className={classes['attention']}>
                    {t('{{count, number}} need attention', { count: attention[kind] })}
                  </span>
                )}
                <span className={classes['count']}>{numberText(counts[kind])}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** Checks run every five minutes, so a lag up to this is normal. */
const NORMAL_LAG_MS = 6 * 60_000;

const CHECKS = { dose: t('Doses'), open: t('Open bottles'), silent: t('Silent bottles') } as const;

/** Whether one runs, and how long the most overdue bottle has waited for each check. */
function Notifier({ notifier: { lag_ms: lag, running } }: { notifier: Fleet['notifier'] }) {
  const delayed = Object.values(lag).some((ms) => ms > NORMAL_LAG_MS);
  const problem = running === 0 ? t('not running') : delayed && t('delayed');
  return (
    <Panel
      title={t('Notifier')}
      aside={problem ? <strong className={meters['late']}>{problem}</strong> : t('on schedule')}
    >
      {(['dose', 'open', 'silent'] as const).map((check) => (
        <p key={check} className={meters['line']}>
          <span className={meters['label']}>{CHECKS[check]}</span>
          <span>
            {lag[check] < 1_000 ? t('on time') : t('{{span}} behind', { span: duration(lag[check]) })}
          </span>
        </p>
      ))}
      {problem && (
        <p className={meters['help']}>
          {running === 0
            ? t('No message reaches anybody: no notifier is running.')
            : t('Alerts are delayed. Check what holds the notifier up.')}
        </p>
      )}
    </Panel>
  );
}
