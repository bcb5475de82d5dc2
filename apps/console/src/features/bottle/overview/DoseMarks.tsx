import type { Reported } from '../../../api/schema.js';
import { Mark, type Meaning, meaningOf } from '../../../ui/Mark.js';
import { REPORTED } from '../../../ui/meanings.js';
import classes from './DoseMarks.module.css';

interface DoseMarksProps {
  measured: Meaning;
  reported: Pick<Reported, 'outcome'> | null;
  size: number;
}

/** What was measured of a dose and, in one frame with it, what people report; hidden from screen readers. */
export function DoseMarks({ measured, reported, size }: DoseMarksProps) {
  if (!reported) return <Mark of={measured} size={size} />;
  return (
    <span className={classes['both']}>
      <Mark of={measured} size={size} />
      <Mark of={meaningOf(REPORTED, reported.outcome)} size={size} />
    </span>
  );
}
