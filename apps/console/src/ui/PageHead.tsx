import { type ReactNode, useEffect, useRef } from 'react';
import classes from './PageHead.module.css';

/** A page's name and what can be done there. Takes the focus, so that everybody knows the page has changed. */
export function PageHead({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ReactNode;
  children?: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Pillwatch`;
  }, [title]);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <header className={classes['head']}>
      <div>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead !== undefined && <p className={classes['lead']}>{lead}</p>}
      </div>
      {children !== undefined && <div className={classes['actions']}>{children}</div>}
    </header>
  );
}
