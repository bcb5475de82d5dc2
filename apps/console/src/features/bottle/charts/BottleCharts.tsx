import { useState } from 'react';
import { Chart, type ChartKind } from '../../../ui/chart/Chart.js';
import { RangePicker } from '../../../ui/chart/RangePicker.js';
import type { Range } from '../../../ui/chart/ranges.js';
import { useBottle } from '../queries.js';
import classes from './BottleCharts.module.css';

const CHARTS: readonly ChartKind[] = [
  { title: 'Pills left', series: 'pills', colours: ['--accent'], band: true },
  { title: 'Mass of the contents', series: 'mass', colours: ['--open-mark'], band: true },
  { title: 'Battery', series: 'battery', colours: ['--ok-mark'], band: true },
  { title: 'Signal', series: 'signal', colours: ['--silent-mark'], band: true },
];

/** What the bottle measured of itself: averages, and within which bounds. */
export function BottleCharts() {
  const { bottle_id, registered_at } = useBottle();
  const [range, setRange] = useState<Range>({ span: '7 days' });
  return (
    <div className={classes['page']}>
      <RangePicker range={range} onRange={setRange} />
      <div className={classes['charts']}>
        {CHARTS.map((kind) => (
          <Chart
            key={kind.title}
            kind={kind}
            path={`/v1/bottles/${bottle_id}/charts`}
            range={range}
            onRange={setRange}
            beginning={registered_at}
          />
        ))}
      </div>
    </div>
  );
}
