import { UnstyledButton } from '@mantine/core';
import classes from './CopyText.module.css';
import { CopyIcon } from './icons.js';
import { notify } from './notify.js';

/** Text with a button that copies it. */
export function CopyText({ text, label }: { text: string; label: string }) {
  return (
    <span className={classes['copy']}>
      <code>{text}</code>
      <UnstyledButton onClick={() => void copy(text)} aria-label={label} className={classes['button']}>
        <CopyIcon width="15" height="15" />
      </UnstyledButton>
    </span>
  );
}

/** Browsers offer the clipboard only over HTTPS and on localhost. */
async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify('Copied to clipboard.');
  } catch {
    notify('The browser blocked copying. Select the text and copy it manually.', 'failed');
  }
}
