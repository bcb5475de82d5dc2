import type { AlertDetail } from '../../api/types/alerts.js';
import { Moment } from '../../time/Moment.js';
import { useNow } from '../../time/use-now.js';
import { useZone } from '../../time/zones.js';
import { KIND, meaningOf } from '../../ui/Mark.js';
import classes from './AlertPane.module.css';
import { whySentences } from './why.js';

/** Why an alert was raised, and what was not raised because of it. */
export function Why({ alert: { evidence, suppressed, next_step_at } }: { alert: AlertDetail }) {
  const zone = useZone();
  const present = useNow();
  return (
    <section className={classes['section']} aria-label="Why it was raised">
      <h3>Why it was raised</h3>
      <div className={classes['lines']}>
        {whySentences(evidence, zone, present).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {next_step_at && (
          <p className={classes['quiet']}>
            The next message is due <Moment at={next_step_at} as="ago" />, at <Moment at={next_step_at} />.
          </p>
        )}
      </div>
      {suppressed.length > 0 && (
        <ul className={classes['suppressed']} aria-label="What was held back">
          {suppressed.map(({ kind, reason, at }) => (
            <li key={`${kind} ${at}`}>
              Held back at <Moment at={at} />: “{meaningOf(KIND, kind).word}”, because {reason}.
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
