import type { ReactNode } from 'react';
import classes from './Facts.module.css';

/** Names and values. */
export function Facts({ rows }: { rows: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={classes['facts']}>
      {rows.map(([name, value]) => (
        <div key={name} className={classes['row']}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
