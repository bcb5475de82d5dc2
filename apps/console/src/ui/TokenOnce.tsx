import { renderSVG } from 'uqr';
import { useMemo } from 'react';
import { CopyText } from './CopyText.js';
import classes from './TokenOnce.module.css';

interface TokenOnceProps {
  token: string;
  /** What it opens: `Token of the bottle`. */
  name: string;
}

/** A secret that is shown this once: to copy, and to scan with the device or a phone. */
export function TokenOnce({ token, name }: TokenOnceProps) {
  const src = useMemo(
    () => `data:image/svg+xml,${encodeURIComponent(renderSVG(token, { border: 2, ecc: 'M' }))}`,
    [token],
  );
  return (
    <div className={classes['token']}>
      <img src={src} width="148" height="148" alt={`${name} as a QR code`} />
      <div className={classes['text']}>
        <p className={classes['name']}>{name}</p>
        <p>
          <CopyText text={token} label={`Copy: ${name}`} />
        </p>
        <p className={classes['warning']}>
          It is shown this once. Put it where it belongs before you leave this page.
        </p>
      </div>
    </div>
  );
}
