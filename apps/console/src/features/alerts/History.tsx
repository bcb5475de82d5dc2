import type { AlertEvent } from '../../api/types/alerts.js';
import { Moment } from '../../time/Moment.js';
import classes from './AlertPane.module.css';

const WORDS: Record<string, string> = {
  raised: 'Raised',
  escalated: 'Told again',
  acknowledged: 'Acknowledged',
  snoozed: 'Snoozed',
  resolved: 'Over',
  retracted: 'Taken back: it was never true',
  missed: 'Missed for good',
  confirmed: 'Confirmed',
  dismissed: 'Dismissed',
};

/** What was done about an alert, by whom, oldest first. */
export function History({ history }: { history: readonly AlertEvent[] }) {
  return (
    <section className={classes['section']} aria-label="What was done">
      <h3>What was done</h3>
      <ol className={classes['history']}>
        {history.map(({ event, at, by, note }) => (
          <li key={`${event} ${at}`} className={classes['event']}>
            <Moment at={at} />
            <div>
              {WORDS[event] ?? event}
              {by !== 'notifier' && <> by {by}</>}
              {note && <p className={classes['note']}>“{note}”</p>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
