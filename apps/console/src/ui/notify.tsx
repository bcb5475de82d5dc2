import { Store, useStore } from '../api/store.js';
import classes from './notify.module.css';
import { errorText } from './States.js';

interface Notice {
  id: number;
  tone: 'done' | 'failed';
  text: string;
}

const SHOWN_MS = { done: 5_000, failed: 12_000 };

const notices = new Store<readonly Notice[]>([]);
let next = 0;

/** Shows a message in the corner and reads it to screen readers. It disappears after some seconds. */
export function notify(text: string, tone: Notice['tone'] = 'done'): void {
  const id = (next += 1);
  notices.set([...notices.get().slice(-2), { id, tone, text }]);
  setTimeout(() => notices.set(notices.get().filter((notice) => notice.id !== id)), SHOWN_MS[tone]);
}

export function notifyError(error: Error): void {
  notify(errorText(error), 'failed');
}

export function Notices() {
  const shown = useStore(notices);
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
