import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ALERT_KIND_TABLE, ALERT_KINDS, alertKind } from '../../alert-kinds/alert-kinds.js';
import { Chart, type ChartKind } from '../../ui/chart/Chart.js';
import { ChartGroup, outageMarks, secondsOf } from '../../ui/chart/marks.js';
import type { Range } from '../../ui/chart/range.js';
import { RangePicker } from '../../ui/chart/RangePicker.js';
import { CoverageGaps, EARLIEST, useCoverageGaps } from '../../ui/CoverageGaps.js';
import { get } from '../../api/request.js';
import type { Alert } from '../../api/schema.js';
import type { Page } from '../../api/vocabulary.js';
import { OUTCOME, REPORTED } from '../../ui/meanings.js';
import { DELIVERY_STATUS } from '../notifications/notifications.js';
import classes from './Activity.module.css';
import layout from './FleetPage.module.css';
import { t } from '../../i18n/i18n.js';

const CHARTED_KINDS = ALERT_KINDS.flatMap((kind) => {
  const colour = alertKind(kind).chartColour;
  return colour === undefined ? [] : [{ kind, colour }];
});

/** Names of what is counted of reports. */
export const REPORTS = {
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

/** Older ones are not marked. */
const MOST_INCIDENTS = 50;

/** Charts of the fleet, from the last hour to all time. */
export function Activity() {
  const [range, setRange] = useState<Range>({ span: '24 h' });
  const gaps = useCoverageGaps(range, EARLIEST);
  const { data: incidents } = useQuery({
    queryKey: ['alerts', 'marked'],
    queryFn: ({ signal }) =>
      get<Page<Alert>>('/v1/alerts', { query: { kind: 'fleet_incident', limit: MOST_INCIDENTS }, signal }),
  });
  const marks = useMemo(
    () => [
      ...outageMarks(gaps),
      ...(incidents?.items ?? []).map(({ raised_at, kind }) => ({
        kind: 'alert' as const,
        from: secondsOf(raised_at),
        label: alertKind(kind).label,
      })),
    ],
    [gaps, incidents],
  );
  return (
    <section aria-label={t('Activity')} className={`${layout['wide']} ${classes['activity']}`}>
      <div className={classes['head']}>
        <h2>{t('Activity')}</h2>
        <RangePicker range={range} onRange={setRange} />
      </div>
      <CoverageGaps range={range} />
      <ChartGroup range={range} marks={marks}>
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
      </ChartGroup>
    </section>
  );
}
