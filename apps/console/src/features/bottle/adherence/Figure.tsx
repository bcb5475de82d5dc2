import type { Ratio } from '../../../api/types/doses.js';
import classes from './AdherenceTab.module.css';

interface FigureProps {
  name: string;
  ratio: Ratio;
  unit: string;
  formula: string;
}

/** One share: as a number, as a bar, and how it came about. */
export function Figure({ name, ratio: { numerator, denominator, ratio }, unit, formula }: FigureProps) {
  return (
    <section className={classes['figure']} aria-label={name}>
      <h2>{name}</h2>
      <p className={classes['percent']}>{ratio === null ? '–' : `${Math.round(ratio * 100)} %`}</p>
      <div className={classes['track']} aria-hidden>
        <div className={classes['fill']} style={{ width: `${(ratio ?? 0) * 100}%` }} />
      </div>
      <p>{denominator === 0 ? `no known ${unit}` : `${numerator} of ${denominator} ${unit}`}</p>
      <p className={classes['formula']}>{formula}</p>
    </section>
  );
}
