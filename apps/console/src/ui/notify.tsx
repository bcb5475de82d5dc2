import { useMemo } from 'react';
import { Store, useStore } from '../api/store.js';
import { errorText } from '../errors/error-text.js';
import { type KeyMap, useKeys } from '../app/keys.js';
import classes from './notify.module.css';

interface Notice {
  id: number;
  tone: 'done' | 'failed';
  text: string;
  choice?: Choice | undefined;
}

/** What a message offers to do; also with the key `z`. */
interface Choice {
  label: string;
  onChoose: () => void;
}

const SHOWN_MS = { done: 5_000, failed: 12_000 };
/** How long a message with a choice is shown. Milliseconds. */
export const CHOICE_MS = 10_000;

const notices = new Store<readonly Notice[]>([]);
let next = 0;

/**
 * Shows a message in the corner and reads it to screen readers. It disappears after some seconds.
 *
 * @returns removes it before
 */
export function notify(text: string, tone: Notice['tone'] = 'done', choice?: Choice): () => void {
  const id = (next += 1);
  const withdraw = (): void => notices.set(notices.get().filter((notice) => notice.id !== id));
  notices.set([...notices.get().slice(-2), { id, tone, text, choice }]);
  setTimeout(withdraw, choice ? CHOICE_MS : SHOWN_MS[tone]);
  return withdraw;
}

export function notifyError(error: Error): void {
  notify(errorText(error), 'failed');
}

function choose({ id, choice }: Notice): void {
  notices.set(notices.get().filter((notice) => notice.id !== id));
  choice?.onChoose();
}

export function Notices() {
  const shown = useStore(notices);
  const last = shown.findLast(({ choice }) => choice);
  useKeys(useMemo((): KeyMap => (last ? { z: () => choose(last) } : {}), [last]));
  return (
    <div className={classes['notices']} role="status" aria-live="polite">
      {shown.map((notice) => (
        <div key={notice.id} className={`${classes['notice']} ${classes[notice.tone]}`}>
          {notice.text}
          {notice.choice && (
            <button type="button" className={classes['choice']} onClick={() => choose(notice)}>
              {notice.choice.label}
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
