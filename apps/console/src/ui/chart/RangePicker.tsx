import { Button, SegmentedControl } from '@mantine/core';
import { dayAndTime } from '../../time/format.js';
import { useNow } from '../../time/use-now.js';
import { useZone } from '../../time/zones.js';
import classes from './Chart.module.css';
import { type Range, type SpanName, SPANS } from './ranges.js';

interface RangePickerProps {
  range: Range;
  onRange: (range: Range) => void;
  /** What is offered; everything unless given. */
  spans?: readonly SpanName[];
}

const ALL_SPANS = Object.keys(SPANS) as SpanName[];

/** How far back the charts of a page look. */
export function RangePicker({ range, onRange, spans = ALL_SPANS }: RangePickerProps) {
  const present = useNow();
  const zone = useZone();
  return (
    <div className={classes['ranges']}>
      {!('span' in range) && (
        <p className={classes['marked']}>
          {dayAndTime(range.from, zone, present)} – {dayAndTime(range.to, zone, present)}
          <Button variant="subtle" onClick={() => onRange({ span: '24 h' })}>
            Leave
          </Button>
        </p>
      )}
      <SegmentedControl
        aria-label="How far back"
        size="xs"
        data={[...spans]}
        value={'span' in range ? range.span : ''}
        onChange={(span) => onRange({ span: span as SpanName })}
      />
    </div>
  );
}
