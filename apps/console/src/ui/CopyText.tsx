import { UnstyledButton } from '@mantine/core';
import classes from './CopyText.module.css';
import { CopyIcon } from './icons.js';
import { notify } from './notify.js';

/** Something to take elsewhere, such as an id. */
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

/** The clipboard is there only over HTTPS and on this machine itself. */
async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify('Copied.');
  } catch {
    notify('The browser does not let this page copy. Mark the text and copy it by hand.', 'failed');
  }
}
