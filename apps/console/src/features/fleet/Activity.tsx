import { useState } from 'react';
import { ALERT_KIND_TABLE, ALERT_KINDS, alertKind } from '../../alert-kinds/alert-kinds.js';
import { Chart, type ChartKind } from '../../ui/chart/Chart.js';
import { type Range, RangePicker } from '../../ui/chart/RangePicker.js';
import { CoverageGaps, EARLIEST } from '../../ui/CoverageGaps.js';
import { OUTCOME, REPORTED } from '../../ui/meanings.js';
import { DELIVERY_STATUS } from '../notifications/notifications.js';
import classes from './Activity.module.css';
import layout from './FleetPage.module.css';
import { t } from '../../i18n/i18n.js';

const CHARTED_KINDS = ALERT_KINDS.flatMap((kind) => {
  const colour = alertKind(kind).chartColour;
  return colour === undefined ? [] : [{ kind, colour }];
});

const REPORTS = {
  heartbeats: { label: t('Heartbeats') },
  opened: { label: t('Opened') },
  closed: { label: t('Closed') },
  pills_taken: { label: t('Pills taken') },
};

const ADHERENCE = {
  measured: { label: t('As measured') },
  reported: { label: t('With reports') },
  attested_share: { label: t('From people’s statements') },
};

const CHARTS: readonly ChartKind[] = [
  {
    title: t('Heartbeats'),
    series: 'reports',
    lines: ['heartbeats'],
    labels: REPORTS,
    colours: ['--accent'],
  },
  {
    title: t('Actions and pills taken'),
    series: 'reports',
    lines: ['opened', 'closed', 'pills_taken'],
    labels: REPORTS,
    colours: ['--open-mark', '--accent', '--ok-mark'],
  },
  {
    title: t('Doses taken, as measured and with reports'),
    series: 'adherence',
    lines: ['measured', 'reported', 'attested_share'],
    labels: ADHERENCE,
    colours: ['--accent', '--ok-mark', '--unknown-mark'],
  },
  {
    title: t('Doses by outcome, as measured'),
    series: 'doses',
    labels: OUTCOME,
    colours: ['--ok-mark', '--accent', '--open-mark', '--silent-mark', '--late-mark', '--unknown-mark'],
  },
  {
    title: t('Doses by outcome, as people report'),
    series: 'statements',
    labels: REPORTED,
    colours: [
      '--ok-mark',
      '--accent',
      '--open-mark',
      '--ink-2',
      '--silent-mark',
      '--unknown-mark',
      '--late-mark',
    ],
  },
  {
    title: t('Alerts by kind'),
    series: 'alerts',
    lines: CHARTED_KINDS.map(({ kind }) => kind),
    labels: ALERT_KIND_TABLE,
    colours: CHARTED_KINDS.map(({ colour }) => colour),
  },
  {
    title: t('Notifications by status'),
    series: 'deliveries',
    labels: DELIVERY_STATUS,
    colours: ['--ok-mark', '--open-mark', '--late-mark', '--unknown-mark'],
  },
];

/** Charts of the fleet, from the last hour to all time. */
export function Activity() {
  const [range, setRange] = useState<Range>({ span: '24 h' });
  return (
    <section aria-label={t('Activity')} className={`${layout['wide']} ${classes['activity']}`}>
      <div className={classes['head']}>
        <h2>{t('Activity')}</h2>
        <RangePicker range={range} onRange={setRange} />
      </div>
      <CoverageGaps range={range} />
      <div className={classes['charts']}>
        {CHARTS.map((kind) => (
          <Chart
            key={kind.title}
            kind={kind}
            path="/v1/fleet/charts"
            range={range}
            onRange={setRange}
            beginning={EARLIEST}
          />
        ))}
      </div>
    </section>
  );
}
