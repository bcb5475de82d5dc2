import { useState } from 'react';
import { now } from '../../../time/clock.js';
import { Chart, type ChartKind } from '../../../ui/chart/Chart.js';
import { type Range, RangePicker, type SpanName } from '../../../ui/chart/RangePicker.js';
import { useBottle } from '../queries.js';
import classes from './BottleCharts.module.css';

const CHARTS: readonly ChartKind[] = [
  { title: 'Pills left', series: 'pills', colours: ['--accent'], band: true },
  { title: 'Mass of contents', series: 'mass', colours: ['--open-mark'], band: true },
  { title: 'Battery', series: 'battery', colours: ['--ok-mark'], band: true },
  { title: 'Signal', series: 'signal', colours: ['--silent-mark'], band: true },
];

const SPANS: readonly SpanName[] = ['1 h', '24 h', '7 days', '30 days', 'All'];
/** How far back the data of a bottle's charts is kept. Days. */
const KEPT_DAYS = 48;

/** The bottle's measurements: averages with their ranges. */
export function BottleCharts() {
  const { bottle_id, registered_at } = useBottle();
  const [range, setRange] = useState<Range>({ span: '7 days' });
  const [beginning] = useState(() => {
    const earliest = now() - KEPT_DAYS * 86_400_000;
    return new Date(Math.max(Date.parse(registered_at), earliest)).toISOString();
  });
  return (
    <div className={classes['page']}>
      <div className={classes['head']}>
        <p className={classes['note']}>Measurements are kept for {KEPT_DAYS} days.</p>
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
