import { DAY_MS } from '../../../time/durations.js';
import { useState } from 'react';
import { now } from '../../../time/clock.js';
import { Chart, type ChartKind } from '../../../ui/chart/Chart.js';
import { ChartGroup } from '../../../ui/chart/marks.js';
import { CoverageGaps } from '../../../ui/CoverageGaps.js';
import { type Range, type SpanName } from '../../../ui/chart/range.js';
import { RangePicker } from '../../../ui/chart/RangePicker.js';
import { useBottle } from '../queries.js';
import classes from './BottleCharts.module.css';
import { useBottleMarks, useDoseMarks } from './bottle-marks.js';
import { t } from '../../../i18n/i18n.js';

const CHARTS: readonly ChartKind[] = [
  {
    title: t('Pills left'),
    series: 'pills',
    labels: {
      average: { label: t('Pills') },
      minimum: { label: t('Pills, lowest') },
      maximum: { label: t('Pills, highest') },
    },
    colours: ['--accent'],
    band: true,
  },
  {
    title: t('Mass of contents'),
    series: 'mass',
    labels: {
      average: { label: t('Mass') },
      minimum: { label: t('Mass, lowest') },
      maximum: { label: t('Mass, highest') },
    },
    colours: ['--open-mark'],
    band: true,
  },
  {
    title: t('Battery'),
    series: 'battery',
    labels: {
      average: { label: t('Battery') },
      minimum: { label: t('Battery, lowest') },
      maximum: { label: t('Battery, highest') },
    },
    colours: ['--ok-mark'],
    band: true,
  },
  {
    title: t('Signal'),
    series: 'signal',
    labels: {
      average: { label: t('Signal') },
      minimum: { label: t('Signal, lowest') },
      maximum: { label: t('Signal, highest') },
    },
    colours: ['--silent-mark'],
    band: true,
  },
];

const SPANS: readonly SpanName[] = ['1 h', '24 h', '7 days', '30 days', 'All'];
/** How far back the data of a bottle's charts is kept. Days. */
const KEPT_DAYS = 48;

/** The bottle's measurements: averages with their ranges. */
export function BottleCharts() {
  const { bottle_id, registered_at } = useBottle();
  const [range, setRange] = useState<Range>({ span: '7 days' });
  const [beginning] = useState(() => {
    const earliest = now() - KEPT_DAYS * DAY_MS;
    return new Date(Math.max(Date.parse(registered_at), earliest)).toISOString();
  });
  const marks = useBottleMarks(range, beginning);
  const doses = useDoseMarks(range, beginning);
  return (
    <div className={classes['page']}>
      <div className={classes['head']}>
        <p className={classes['note']}>
          {t('Measurements are kept for {{count, number}} days.', { count: KEPT_DAYS })}
        </p>
        <RangePicker range={range} onRange={setRange} spans={SPANS} />
      </div>
      <CoverageGaps range={range} beginning={beginning} part="device-api" />
      <ChartGroup range={range} marks={marks}>
        <div className={classes['charts']}>
          {CHARTS.map((kind) => (
            <Chart
              key={kind.title}
              kind={kind}
              path={`/v1/bottles/${bottle_id}/charts`}
              range={range}
              onRange={setRange}
              beginning={beginning}
              {...(kind.series === 'mass' && { marks: doses })}
            />
          ))}
        </div>
      </ChartGroup>
    </div>
  );
}
