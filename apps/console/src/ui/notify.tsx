import { useSyncExternalStore } from 'react';
import classes from './notify.module.css';
import { errorText } from './States.js';

interface Notice {
  id: number;
  tone: 'done' | 'failed';
  text: string;
}

const SHOWN_MS = { done: 5_000, failed: 12_000 };

let notices: readonly Notice[] = [];
let next = 0;
const listeners = new Set<() => void>();

function set(changed: readonly Notice[]): void {
  notices = changed;
  for (const listener of listeners) listener();
}

/** Shows a message in the corner and reads it to screen readers. It disappears after some seconds. */
export function notify(text: string, tone: Notice['tone'] = 'done'): void {
  const id = (next += 1);
  set([...notices.slice(-2), { id, tone, text }]);
  setTimeout(() => set(notices.filter((notice) => notice.id !== id)), SHOWN_MS[tone]);
}

export function notifyError(error: Error): void {
  notify(errorText(error), 'failed');
}

export function Notices() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => notices,
  );
  return (
    <div className={classes['notices']} role="status" aria-live="polite">
      {shown.map(({ id, tone, text }) => (
        <div key={id} className={`${classes['notice']} ${classes[tone]}`}>
          {text}
        </div>
      ))}
    </div>
  );
}
