import { renderSVG } from 'uqr';
import { useMemo, useState } from 'react';
import { CopyText } from './CopyText.js';
import classes from './TokenOnce.module.css';
import { Unsaved } from './Unsaved.js';
import { t } from '../i18n/i18n.js';

interface TokenOnceProps {
  token: string;
  /** What the token is for: `Device token`. */
  name: string;
  /** It was copied. */
  onSeen?: () => void;
  /** It was copied or printed. */
  seen?: boolean;
}

/** A secret that is shown only once: as text to copy, and as a QR code to scan. */
export function TokenOnce({ token, name, seen = false, onSeen }: TokenOnceProps) {
  const [copied, setCopied] = useState(false);
  const copy = (): void => {
    setCopied(true);
    onSeen?.();
  };
  return (
    <div className={classes['token']}>
      {!copied && !seen && <Unsaved text={unseenText(name)} />}
      <QrCode content={token} name={name} />
      <div className={classes['text']}>
        <p className={classes['name']}>{name}</p>
        <p>
          <CopyText text={token} label={t('Copy {{name}}', { name })} onCopied={copy} />
        </p>
        <p className={classes['warning']}>{t('Shown only once. Store it before you leave this page.')}</p>
      </div>
    </div>
  );
}

export const unseenText = (name: string): string =>
  t('{{name}}: it is shown only now, and you have not copied it.', { name });

/** @param name what it is of: `Device token` */
export function QrCode({ content, name }: { content: string; name: string }) {
  const src = useMemo(
    () => `data:image/svg+xml,${encodeURIComponent(renderSVG(content, { border: 2, ecc: 'M' }))}`,
    [content],
  );
  return <img src={src} width="148" height="148" alt={t('{{name}} as a QR code', { name })} />;
}
