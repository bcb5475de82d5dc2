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
  useEffect(() => {
    // with the next frame: sooner, the browser would lay out a page that is not complete yet
    const frame = requestAnimationFrame(() => heading.current?.focus({ preventScroll: true }));
    return () => cancelAnimationFrame(frame);
  }, []);
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
