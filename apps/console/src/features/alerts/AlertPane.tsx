import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { alertKind } from '../../alert-kinds/alert-kinds.js';
import { CLOSE_REASONS, endingOf } from '../../alert-kinds/endings.js';
import { whySentences } from '../../alert-kinds/why.js';
import { isStatus } from '../../api/http.js';
import { get } from '../../api/request.js';
import { useMay } from '../../api/session.js';
import type { AlertDetail, AlertEvent, Attempt, Delivery } from '../../api/types.js';
import { useNow } from '../../time/clock.js';
import { Moment, useZone } from '../../time/Moment.js';
import { BackIcon } from '../../ui/icons.js';
import { Mark, Marked, meaningOf } from '../../ui/Mark.js';
import { Empty, Pending } from '../../ui/States.js';
import { DELIVERY_STATUS, notificationText, ResendButton } from '../notifications/notifications.js';
import { ActionButtons, useActionDialog } from './ActionDialog.js';
import { alertStateText, AlertTitle, isActive } from './alert-text.js';
import classes from './AlertPane.module.css';
import { IncidentDecision } from './IncidentDecision.js';
import { IncidentSection } from './IncidentSection.js';

const route = getRouteApi('/alerts/$alertId');

/** One alert: its state and actions, evidence, notifications and history. */
export function AlertPane() {
  const { alertId } = route.useParams();
  const query = useQuery({
    queryKey: ['alert', alertId],
    queryFn: ({ signal }) => get<AlertDetail>(`/v1/alerts/${alertId}`, { signal }),
  });
  const alert = query.data;
  if (isStatus(query.error, 404)) {
    return <Empty title="Alert not found">It may have been erased with its bottle.</Empty>;
  }
  if (!alert) return <Pending query={query} lines={6} />;
  return (
    <article className={classes['alert']} aria-label="Alert details" key={alert.id}>
      <Head alert={alert} />
      <Actions alert={alert} />
      {alertKind(alert.kind).aboutFleet && (
        <>
          <div className={classes['actions']}>
            <IncidentDecision alert={alert} />
          </div>
          <IncidentSection alertId={alert.id} />
        </>
      )}
      <Why alert={alert} />
      <Notifications deliveries={alert.deliveries} />
      <History history={alert.history} />
    </article>
  );
}

function Head({ alert }: { alert: AlertDetail }) {
  const present = useNow();
  const ending = endingOf(alert);
  const search = getRouteApi('/alerts').useSearch();
  return (
    <header>
      <Link to="/alerts" search={search} className={classes['back']}>
        <BackIcon /> All alerts
      </Link>
      <div className={classes['title']}>
        <Mark of={alertKind(alert.kind)} size={20} />
        <h2>
          <AlertTitle alert={alert} />
        </h2>
      </div>
      <p className={classes['subject']}>
        {alertKind(alert.kind).aboutFleet ? (
          'Whole fleet'
        ) : (
          <>
            <Link to="/bottles/$bottleId" params={{ bottleId: alert.bottle_id }}>
              {alert.medication}
            </Link>{' '}
            · {alert.user_id}
          </>
        )}
      </p>
      <p className={classes['state']}>
        {ending ? (
          <Marked of={ending}>
            <strong>{alertStateText(alert, present)}</strong>
          </Marked>
        ) : (
          <strong>{alertStateText(alert, present)}</strong>
        )}
        {alert.snoozed_until && Date.parse(alert.snoozed_until) > present && (
          <>
            {' '}
            until <Moment at={alert.snoozed_until} />
          </>
        )}{' '}
        · raised <Moment at={alert.raised_at} /> (<Moment at={alert.raised_at} as="ago" />)
        {alert.ended_at && (
          <>
            {' '}
            · ended <Moment at={alert.ended_at} />
          </>
        )}
      </p>
    </header>
  );
}

function Actions({ alert }: { alert: AlertDetail }) {
  const isSupport = useMay('support');
  const { open, dialog } = useActionDialog([alert]);
  if (!isSupport || !isActive(alert)) return null;
  return (
    <div className={classes['actions']}>
      <ActionButtons canAcknowledge={alert.state === 'open'} onChoose={open} />
      {dialog}
    </div>
  );
}

/** The evidence, and which alerts this one suppressed. */
function Why({ alert: { evidence, suppressed, next_step_at } }: { alert: AlertDetail }) {
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
            Next notification due <Moment at={next_step_at} as="ago" />, at <Moment at={next_step_at} />.
          </p>
        )}
      </div>
      {suppressed.length > 0 && (
        <ul className={classes['suppressed']} aria-label="Suppressed alerts">
          {suppressed.map(({ kind, reason, at }) => (
            <li key={`${kind} ${at}`}>
              “{alertKind(kind).label}” suppressed at <Moment at={at} />: {reason}.
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Notifications({ deliveries }: { deliveries: readonly Delivery[] }) {
  return (
    <section className={classes['section']} aria-label="Notifications">
      <h3>Notifications</h3>
      {deliveries.length === 0 ? (
        <p className={classes['quiet']}>None yet.</p>
      ) : (
        <ul className={classes['deliveries']}>
          {deliveries.map((delivery) => (
            <Notification key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** A notification with every attempt to send it. */
function Notification({ delivery }: { delivery: Delivery }) {
  const { id, status, reason, next_attempt_at, attempts } = delivery;
  const meaning = meaningOf(DELIVERY_STATUS, status);
  return (
    <li className={classes['delivery']}>
      <div className={classes['deliveryHead']}>
        <Marked of={meaning}>
          {meaning.label}: {notificationText(delivery)}
        </Marked>
        {status === 'dead' && <ResendButton deliveryId={id} />}
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

const EVENTS: Record<string, string> = {
  raised: 'Raised',
  escalated: 'Reminder sent',
  acknowledged: 'Acknowledged',
  snoozed: 'Snoozed',
  resolved: 'Condition ended',
  closed_by_staff: 'Closed',
  retracted: 'Retracted',
  missed: 'Dose missed',
  confirmed: 'Confirmed',
  dismissed: 'Dismissed',
  withdrawn: 'Decision withdrawn',
};

/** What happened to the alert and who did it, oldest first. */
function History({ history }: { history: readonly AlertEvent[] }) {
  return (
    <section className={classes['section']} aria-label="History">
      <h3>History</h3>
      <ol className={classes['history']}>
        {history.map(({ event, at, by, note, reason }) => (
          <li key={`${event} ${at}`} className={classes['event']}>
            <Moment at={at} />
            <div>
              {EVENTS[event] ?? event}
              {by !== 'notifier' && <> by {by}</>}
              {reason && <>: {CLOSE_REASONS[reason].toLowerCase()}</>}
              {note && <p className={classes['note']}>“{note}”</p>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
