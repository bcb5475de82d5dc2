import { Button, SegmentedControl } from '@mantine/core';
import { useNow } from '../../time/clock.js';
import { dayAndTime } from '../../time/format.js';
import { useZone } from '../../time/Moment.js';
import classes from './Chart.module.css';
import { type Range, SPANS, type SpanName } from './range.js';
import { t } from '../../i18n/i18n.js';

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
