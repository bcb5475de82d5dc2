import { DAY_MS, HOUR_MS } from '../../time/durations.js';
import { Button, SegmentedControl } from '@mantine/core';
import { now, useNow } from '../../time/clock.js';
import { dayAndTime } from '../../time/format.js';
import { useZone } from '../../time/Moment.js';
import classes from './Chart.module.css';
import { t } from '../../i18n/i18n.js';

/** The spans that charts can show. Milliseconds. */
const SPANS = {
  '1 h': HOUR_MS,
  '24 h': DAY_MS,
  '7 days': 7 * DAY_MS,
  '30 days': 30 * DAY_MS,
  '1 year': 365 * DAY_MS,
  All: Number.POSITIVE_INFINITY,
} as const;
export type SpanName = keyof typeof SPANS;

/** A span that ends now, or a fixed range after zooming. Epoch milliseconds. */
export type Range = { span: SpanName } | { from: number; to: number };

/**
 * The range as query parameters of the API.
 *
 * @param beginning the earliest instant with data, for `All`.
 */
export function rangeQuery(range: Range, beginning: string): { from: string; to?: string } {
  if (!('span' in range)) {
    return { from: new Date(range.from).toISOString(), to: new Date(range.to).toISOString() };
  }
  const span = SPANS[range.span];
  const from = Number.isFinite(span) ? Math.max(now() - span, Date.parse(beginning)) : Date.parse(beginning);
  return { from: new Date(from).toISOString() };
}

interface RangePickerProps {
  range: Range;
  onRange: (range: Range) => void;
  /** The choices; all spans if omitted. */
  spans?: readonly SpanName[];
}

const ALL_SPANS = Object.keys(SPANS) as SpanName[];

const LABELS: Record<SpanName, string> = {
  '1 h': t('1 h'),
  '24 h': t('24 h'),
  '7 days': t('7 days'),
  '30 days': t('30 days'),
  '1 year': t('1 year'),
  All: t('All', { context: 'time' }),
};

/** Chooses the time range of a page's charts. */
export function RangePicker({ range, onRange, spans = ALL_SPANS }: RangePickerProps) {
  const present = useNow();
  const zone = useZone();
  return (
    <div className={classes['ranges']}>
      {!('span' in range) && (
        <p className={classes['marked']}>
          {dayAndTime(range.from, zone, present)} – {dayAndTime(range.to, zone, present)}
          <Button variant="subtle" onClick={() => onRange({ span: '24 h' })}>
            {t('Reset zoom')}
          </Button>
        </p>
      )}
      <SegmentedControl
        aria-label={t('Time range')}
        size="xs"
        data={spans.map((span) => ({ value: span, label: LABELS[span] }))}
        value={'span' in range ? range.span : ''}
        onChange={(span) => onRange({ span: span as SpanName })}
      />
    </div>
  );
}
