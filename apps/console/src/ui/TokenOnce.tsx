import { renderSVG } from 'uqr';
import { useMemo } from 'react';
import { CopyText } from './CopyText.js';
import classes from './TokenOnce.module.css';

interface TokenOnceProps {
  token: string;
  /** What the token is for: `Device token`. */
  name: string;
}

/** A secret that is shown only once: as text to copy, and as a QR code to scan. */
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
          <CopyText text={token} label={`Copy ${name}`} />
        </p>
        <p className={classes['warning']}>Shown only once. Store it before you leave this page.</p>
      </div>
    </div>
  );
}
