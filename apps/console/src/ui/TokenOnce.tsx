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
  return (
    <div className={classes['token']}>
      <QrCode content={token} name={name} />
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

/** @param name what it is of: `Device token` */
export function QrCode({ content, name }: { content: string; name: string }) {
  const src = useMemo(
    () => `data:image/svg+xml,${encodeURIComponent(renderSVG(content, { border: 2, ecc: 'M' }))}`,
    [content],
  );
  return <img src={src} width="148" height="148" alt={`${name} as a QR code`} />;
}
