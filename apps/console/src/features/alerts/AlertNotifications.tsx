import type { Attempt, Delivery } from '../../api/types.js';
import { Moment } from '../../time/Moment.js';
import { Marked } from '../../ui/Mark.js';
import { DELIVERY_STATUS, notificationText, ReplayButton } from '../notifications/notifications.js';
import classes from './AlertPane.module.css';

/** Who was told of an alert, and every attempt. */
export function AlertNotifications({ deliveries }: { deliveries: readonly Delivery[] }) {
  return (
    <section className={classes['section']} aria-label="Who was told">
      <h3>Who was told</h3>
      {deliveries.length === 0 ? (
        <p className={classes['quiet']}>Nobody yet.</p>
      ) : (
        <ul className={classes['deliveries']}>
          {deliveries.map((delivery) => (
            <Message key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Message({ delivery }: { delivery: Delivery }) {
  const { id, status, reason, next_attempt_at, attempts } = delivery;
  return (
    <li className={classes['delivery']}>
      <div className={classes['deliveryHead']}>
        <Marked of={DELIVERY_STATUS[status]}>
          {DELIVERY_STATUS[status].word}: {notificationText(delivery)}
        </Marked>
        {status === 'dead' && <ReplayButton deliveryId={id} />}
      </div>
      {(reason || next_attempt_at) && (
        <p className={classes['attempts']}>
          {reason}
          {reason && next_attempt_at && '; '}
          {next_attempt_at && (
            <>
              next attempt <Moment at={next_attempt_at} as="ago" />
            </>
          )}
        </p>
      )}
      <ol className={classes['attempts']}>
        {attempts.map((attempt, index) => (
          <AttemptLine key={`${attempt.at} ${index}`} attempt={attempt} />
        ))}
      </ol>
    </li>
  );
}

function AttemptLine({ attempt: { at, ok, status, error } }: { attempt: Attempt }) {
  const answer = status === null ? '' : ` (HTTP ${status})`;
  return (
    <li>
      <Moment at={at} />: {ok ? `accepted${answer}` : `${error ?? 'failed'}${answer}`}
    </li>
  );
}
