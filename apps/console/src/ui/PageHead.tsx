import { type ReactNode, useEffect, useRef } from 'react';
import { Store } from '../api/store.js';
import { isTyping } from './is-typing.js';
import classes from './PageHead.module.css';

/** The title of the page that is shown. */
export const pageTitle = new Store('Pillwatch');

/**
 * A page's title and actions. The title takes the focus, so that screen readers announce the page; but not from a field
 * into which someone types already, such as the search.
 */
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
  useEffect(() => pageTitle.set(title), [title]);
  useEffect(() => {
    // in the next frame: earlier, the browser would lay out an incomplete page
    const frame = requestAnimationFrame(() => {
      if (!isTyping(document.activeElement)) heading.current?.focus({ preventScroll: true });
    });
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
