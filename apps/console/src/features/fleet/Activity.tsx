import { useState } from 'react';
import { ALERT_KIND_TABLE, ALERT_KINDS, alertKind } from '../../alert-kinds/alert-kinds.js';
import { Chart, type ChartKind } from '../../ui/chart/Chart.js';
import { type Range, RangePicker } from '../../ui/chart/RangePicker.js';
import { OUTCOME } from '../../ui/meanings.js';
import { DELIVERY_STATUS } from '../notifications/notifications.js';
import classes from './Activity.module.css';
import layout from './FleetPage.module.css';

/** Earlier than any data. */
const BEGINNING = '2024-01-01T00:00:00Z';

const CHARTED_KINDS = ALERT_KINDS.flatMap((kind) => {
  const colour = alertKind(kind).chartColour;
  return colour === undefined ? [] : [{ kind, colour }];
});

const CHARTS: readonly ChartKind[] = [
  { title: 'Heartbeats', series: 'reports', lines: ['heartbeats'], colours: ['--accent'] },
  {
    title: 'Actions and pills taken',
    series: 'reports',
    lines: ['opened', 'closed', 'pills_taken'],
    colours: ['--open-mark', '--accent', '--ok-mark'],
  },
  {
    title: 'Doses by outcome',
    series: 'doses',
    labels: OUTCOME,
    colours: ['--ok-mark', '--accent', '--open-mark', '--silent-mark', '--late-mark', '--unknown-mark'],
  },
  {
    title: 'Alerts by kind',
    series: 'alerts',
    lines: CHARTED_KINDS.map(({ kind }) => kind),
    labels: ALERT_KIND_TABLE,
    colours: CHARTED_KINDS.map(({ colour }) => colour),
  },
  {
    title: 'Notifications by status',
    series: 'deliveries',
    labels: DELIVERY_STATUS,
    colours: ['--ok-mark', '--open-mark', '--late-mark', '--unknown-mark'],
  },
];

/** Charts of the fleet, from the last hour to all time. */
export function Activity() {
  const [range, setRange] = useState<Range>({ span: '24 h' });
  return (
    <section aria-label="Activity" className={`${layout['wide']} ${classes['activity']}`}>
      <div className={classes['head']}>
        <h2>Activity</h2>
        <RangePicker range={range} onRange={setRange} />
      </div>
      <div className={classes['charts']}>
        {CHARTS.map((kind) => (
          <Chart
            key={kind.title}
            kind={kind}
            path="/v1/fleet/charts"
            range={range}
            onRange={setRange}
            beginning={BEGINNING}
          />
        ))}
      </div>
    </section>
  );
}
