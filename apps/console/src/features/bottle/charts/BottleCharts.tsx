import { useState } from 'react';
import { now } from '../../../time/clock.js';
import { Chart, type ChartKind } from '../../../ui/chart/Chart.js';
import { type Range, RangePicker, type SpanName } from '../../../ui/chart/RangePicker.js';
import { useBottle } from '../queries.js';
import classes from './BottleCharts.module.css';

const CHARTS: readonly ChartKind[] = [
  { title: 'Pills left', series: 'pills', colours: ['--accent'], band: true },
  { title: 'Mass of the contents', series: 'mass', colours: ['--open-mark'], band: true },
  { title: 'Battery', series: 'battery', colours: ['--ok-mark'], band: true },
  { title: 'Signal', series: 'signal', colours: ['--silent-mark'], band: true },
];

const SPANS: readonly SpanName[] = ['1 h', '24 h', '7 days', '30 days', 'All'];
/** A chart of a bottle reaches no further back. Days. */
const MOST_DAYS = 48;

/** What the bottle measured of itself: averages, and within which bounds. */
export function BottleCharts() {
  const { bottle_id, registered_at } = useBottle();
  const [range, setRange] = useState<Range>({ span: '7 days' });
  const [beginning] = useState(() => {
    const earliest = now() - MOST_DAYS * 86_400_000;
    return new Date(Math.max(Date.parse(registered_at), earliest)).toISOString();
  });
  return (
    <div className={classes['page']}>
      <div className={classes['head']}>
        <p className={classes['note']}>Measurements of the last {MOST_DAYS} days</p>
        <RangePicker range={range} onRange={setRange} spans={SPANS} />
      </div>
      <div className={classes['charts']}>
        {CHARTS.map((kind) => (
          <Chart
            key={kind.title}
            kind={kind}
            path={`/v1/bottles/${bottle_id}/charts`}
            range={range}
            onRange={setRange}
            beginning={beginning}
          />
        ))}
      </div>
    </div>
  );
}
