import { type ReactNode, useId } from 'react';
import classes from './Panel.module.css';

interface PanelProps {
  title: ReactNode;
  /** Shown at the right of the title. */
  aside?: ReactNode;
  /** No padding: for lists and tables that reach the edge. */
  flush?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

/** A part of a page with a title. */
export function Panel({ title, aside, flush = false, className = '', children }: PanelProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={`${classes['panel']} ${className}`}>
      <div className={classes['head']}>
        <h2 id={id}>{title}</h2>
        {aside !== undefined && <div className={classes['aside']}>{aside}</div>}
      </div>
      <div className={flush ? classes['flush'] : classes['body']}>{children}</div>
    </section>
  );
}
