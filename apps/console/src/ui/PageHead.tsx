import { type ReactNode, useEffect, useRef } from 'react';
import classes from './PageHead.module.css';

/** A page's title and actions. The title takes the focus, so that screen readers announce the page. */
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
    // in the next frame: earlier, the browser would lay out an incomplete page
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
