import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Trans } from 'react-i18next';
import { alertKind, isAboutFleet } from '../../alert-kinds/alert-kinds.js';
import { closeReasonText } from '../../alert-kinds/endings.js';
import { whySentences } from '../../alert-kinds/why.js';
import { isStatus } from '../../api/http.js';
import { get } from '../../api/request.js';
import { useMay } from '../../api/session.js';
import type { AlertDetail, AlertEvent, Attempt, Delivery } from '../../api/schema.js';
import { useNow } from '../../time/clock.js';
import { VIEWER_ZONE } from '../../time/format.js';
import { Moment, useZone, ZoneContext } from '../../time/Moment.js';
import { BackIcon } from '../../ui/icons.js';
import { Mark, Marked } from '../../ui/Mark.js';
import { Empty, Pending } from '../../ui/States.js';
import { bottleText } from '../bottle/names.js';
import { actorName } from '../bottle/reported-text.js';
import { deliveryMeaning, notificationText, ResendButton } from '../notifications/notifications.js';
import { noteText, reasonText } from '../notifications/reasons.js';
import { PeopleToCall } from '../person/ContactLine.js';
import { AddNote } from '../person/Notes.js';
import { ActionButtons, useActionDialog } from './ActionDialog.js';
import { AssignMenu } from './AssignMenu.js';
import { MovedToPillbox } from './MovedToPillbox.js';
import { AlertState, AlertTitle, isActive } from './alert-text.js';
import classes from './AlertPane.module.css';
import { useHeld } from './held.js';
import { eventText, isStatement } from './history-text.js';
import { IncidentDecision } from './IncidentDecision.js';
import { IncidentSection } from './IncidentSection.js';
import { t } from '../../i18n/i18n.js';

const route = getRouteApi('/alerts/$alertId');

/** One alert: its state and actions, evidence, notifications and history. */
export function AlertPane() {
  const { alertId } = route.useParams();
  const isSupport = useMay('support');
  const query = useQuery({
    queryKey: ['alert', alertId],
    queryFn: ({ signal }) => get<AlertDetail>(`/v1/alerts/${alertId}`, { signal }),
  });
  const alert = query.data;
  if (isStatus(query.error, 404)) {
    return <Empty title={t('Alert not found')}>{t('It may have been erased with its bottle.')}</Empty>;
  }
  if (!alert) return <Pending query={query} lines={6} />;
  return (
    <ZoneContext.Provider value={alert.time_zone ?? VIEWER_ZONE}>
      <article className={classes['alert']} aria-label={t('Alert details')} key={alert.id}>
        <Head alert={alert} />
        <Actions alert={alert} />
        {alert.kind === 'fleet_incident' && (
          <>
            <div className={classes['actions']}>
              <IncidentDecision alert={alert} />
            </div>
            <IncidentSection alertId={alert.id} />
          </>
        )}
        <Why alert={alert} />
        <Notifications deliveries={alert.deliveries} />
        <History alert={alert} />
        {isSupport && <AddNote path={`/v1/alerts/${alert.id}/note`} field="note" />}
      </article>
    </ZoneContext.Provider>
  );
}

function Head({ alert }: { alert: AlertDetail }) {
  const search = getRouteApi('/alerts').useSearch();
  return (
    <header>
      <Link to="/alerts" search={search} className={classes['back']}>
        <BackIcon /> {t('All alerts')}
      </Link>
      <div className={classes['title']}>
        <Mark of={alertKind(alert.kind)} size={20} />
        <h2>
          <AlertTitle alert={alert} />
        </h2>
      </div>
      <p className={classes['subject']}>
        {isAboutFleet(alert) ? (
          t('Whole fleet')
        ) : (
          <>
            <Link to="/bottles/$bottleId" params={{ bottleId: alert.bottle_id }}>
              {bottleText(alert)}
            </Link>{' '}
            · <PeopleToCall userId={alert.user_id} />{' '}
            <Link to="/people/$userId" params={{ userId: alert.user_id }}>
              {alert.user_id}
            </Link>
          </>
        )}
      </p>
      <p className={classes['state']}>
        <strong>
          <AlertState alert={alert} />
        </strong>{' '}
        ·{' '}
        <Trans
          i18nKey="raised <at/> (<ago/>)"
          components={{ at: <Moment at={alert.raised_at} />, ago: <Moment at={alert.raised_at} as="ago" /> }}
        />
        {alert.assigned_to && ` · ${t('assigned to {{name}}', { name: alert.assigned_to.name })}`}
        {alert.ended_at && (
          <>
            {' '}
            · <Trans i18nKey="ended <at/>" components={{ at: <Moment at={alert.ended_at} /> }} />
          </>
        )}
      </p>
    </header>
  );
}

function Actions({ alert }: { alert: AlertDetail }) {
  const isSupport = useMay('support');
  const { open, dialog } = useActionDialog([alert]);
  const doing = useHeld().get(alert.id);
  if (!isSupport || !isActive(alert)) return null;
  return (
    <div className={classes['actions']}>
      {doing === undefined ? (
        <ActionButtons canAcknowledge={alert.state === 'open'} onChoose={open} />
      ) : (
        <p>{doing}</p>
      )}
      {alert.kind === 'extra_dose' && <MovedToPillbox alert={alert} />}
      <AssignMenu alerts={[alert]} />
      {dialog}
    </div>
  );
}

/** The evidence, and which alerts this one suppressed. */
function Why({ alert: { evidence, suppressed, next_step_at } }: { alert: AlertDetail }) {
  const zone = useZone();
  const present = useNow();
  return (
    <section className={classes['section']} aria-label={t('Why it was raised')}>
      <h3>{t('Why it was raised')}</h3>
      <div className={classes['lines']}>
        {whySentences(evidence, zone, present).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {next_step_at && (
          <p className={classes['quiet']}>
            <Trans
              i18nKey="Next notification due <ago/>, at <at/>."
              components={{ ago: <Moment at={next_step_at} as="ago" />, at: <Moment at={next_step_at} /> }}
            />
          </p>
        )}
      </div>
      {suppressed.length > 0 && (
        <ul className={classes['suppressed']} aria-label={t('Suppressed alerts')}>
          {suppressed.map(({ kind, reason, at }) => (
            <li key={`${kind} ${at}`}>
              <Trans
                i18nKey="“{{label}}” suppressed at <at/>: {{reason}}."
                values={{ label: alertKind(kind).label, reason: reasonText(reason) }}
                components={{ at: <Moment at={at} /> }}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Notifications({ deliveries }: { deliveries: readonly Delivery[] }) {
  return (
    <section className={classes['section']} aria-label={t('Notifications')}>
      <h3>{t('Notifications')}</h3>
      {deliveries.length === 0 ? (
        <p className={classes['quiet']}>{t('None yet.')}</p>
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
  const meaning = deliveryMeaning(delivery);
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
          {reason && reasonText(reason)}
          {reason && next_attempt_at && '; '}
          {next_attempt_at && (
            <>
              <Trans
                i18nKey="next attempt <at/>"
                components={{ at: <Moment at={next_attempt_at} as="ago" /> }}
              />
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
      <Moment at={at} />: {ok ? t('accepted') : (error ?? t('failed'))}
      {answer}
    </li>
  );
}

/** What happened to the alert and who did it, oldest first. */
function History({ alert }: { alert: AlertDetail }) {
  return (
    <section className={classes['section']} aria-label={t('History')}>
      <h3>{t('History')}</h3>
      <ol className={classes['history']}>
        {alert.history.map((entry) => (
          <HistoryEntry key={`${entry.event} ${entry.at}`} entry={entry} alert={alert} />
        ))}
      </ol>
    </section>
  );
}

function HistoryEntry({ entry, alert }: { entry: AlertEvent; alert: AlertDetail }) {
  const { at, by, by_name, note, to, reason } = entry;
  return (
    <li className={classes['event']}>
      <Moment at={at} />
      <div>
        {eventText(entry, alert)}
        {to && ` ${t('to {{name}}', { name: to })}`}
        {by !== 'notifier' && ` ${t('by {{name}}', { name: actorName(by, by_name) })}`}
        {reason && `: ${closeReasonText(reason)}`}
        {note && !isStatement(entry) && (
          <p className={classes['note']}>{t('“{{text}}”', { text: noteText(note) })}</p>
        )}
      </div>
    </li>
  );
}
