import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { get } from '../../api/request.js';
import type { Chart, Fleet } from '../../api/schema.js';
import { Panel } from '../../ui/Panel.js';
import classes from './Meters.module.css';
import { t, numberText } from '../../i18n/i18n.js';

const REFRESH_MS = 3_000;

/** The present rate of reports, and the last five minutes as bars. */
export function Ingest({ ingest }: { ingest: Fleet['ingest'] }) {
  const { data } = useQuery({
    queryKey: ['live-ingest'],
    queryFn: ({ signal }) => get<Chart>('/v1/fleet/charts', { query: { series: 'live' }, signal }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Panel title={t('Reports per minute')}>
      <Meter label={t('Heartbeats')} perMinute={ingest.heartbeats_per_minute}>
        <Sparkline values={column(data, ['heartbeats'])} tone="accent" />
      </Meter>
      <Meter label={t('Actions')} perMinute={ingest.actions_per_minute}>
        <Sparkline values={column(data, ['opened', 'closed'])} tone="open" />
      </Meter>
    </Panel>
  );
}

/** The sum of some series. */
function column(data: Chart | undefined, keys: readonly string[]): (number | null)[] {
  if (!data) return [];
  const places = data.series.flatMap(({ key }, index) => (keys.includes(key) ? [index + 1] : []));
  return (data.columns[0] ?? []).map((_, row) => {
    const values = places.map((place) => data.columns[place]?.[row] ?? null);
    return values.every((value) => value === null)
      ? null
      : values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  });
}

function Meter({
  label,
  perMinute,
  children,
}: {
  label: string;
  perMinute: number | null;
  children: ReactNode;
}) {
  return (
    <div className={classes['meter']}>
      <p>
        <span className={classes['label']}>{label}</span>
        <br />
        {perMinute === null ? (
          <span className={classes['unknown']}>{t('no data yet')}</span>
        ) : (
          <span className={classes['value']}>{numberText(Math.round(perMinute))}</span>
        )}
      </p>
      {children}
    </div>
  );
}

/** Seconds per bar. */
const BAR_SECONDS = 6;
const BAR = 3;
const HEIGHT = 28;

/** A small bar chart of the last minutes; the number beside it gives the scale. */
function Sparkline({ values, tone }: { values: readonly (number | null)[]; tone: 'accent' | 'open' }) {
  const bars = Array.from({ length: Math.floor(values.length / BAR_SECONDS) }, (_, index) =>
    values
      .slice(index * BAR_SECONDS, (index + 1) * BAR_SECONDS)
      .reduce<number>((sum, value) => sum + (value ?? 0), 0),
  );
  const most = Math.max(1, ...bars);
  const width = Math.max(bars.length, 1) * BAR;
  return (
    <svg
      className={`${classes['sparkline']} ${classes[tone]}`}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {bars.map((value, index) => {
        const height = Math.max(value === 0 ? 1 : 2, (value / most) * HEIGHT);
        return <rect key={index} x={index * BAR} y={HEIGHT - height} width={BAR - 1} height={height} />;
      })}
    </svg>
  );
}
