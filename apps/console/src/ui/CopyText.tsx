import { UnstyledButton } from '@mantine/core';
import classes from './CopyText.module.css';
import { CopyIcon } from './icons.js';
import { notify } from './notify.js';
import { t } from '../i18n/i18n.js';

interface CopyTextProps {
  text: string;
  label: string;
  onCopied?: () => void;
}

/** Text with a button that copies it. */
export function CopyText({ text, label, onCopied }: CopyTextProps) {
  return (
    <span className={classes['copy']}>
      <code>{text}</code>
      <UnstyledButton
        onClick={() => void copyText(text).then((done) => done && onCopied?.())}
        aria-label={label}
        className={classes['button']}
      >
        <CopyIcon width="15" height="15" />
      </UnstyledButton>
    </span>
  );
}

/** Copies a text, and says so; false if the browser does not let it. Browsers offer the clipboard only over HTTPS and on localhost. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    notify(t('Copied to clipboard.'));
    return true;
  } catch {
    notify(t('The browser blocked copying. Select the text and copy it manually.'), 'failed');
    return false;
  }
}
