import type { ReactNode } from 'react';
import classes from './Filters.module.css';

/** The filters above a list, in as many lines as they need. */
export function Filters({ children }: { children: ReactNode }) {
  return <div className={classes['filters']}>{children}</div>;
}
