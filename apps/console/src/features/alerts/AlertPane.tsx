import { alertKind } from '../../alert-kinds/alert-kinds.js';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isStatus } from '../../api/http.js';
import { get } from '../../api/request.js';
import { useMay } from '../../api/session.js';
import type { AlertDetail, AlertEvent } from '../../api/types.js';
import { useNow } from '../../time/clock.js';
import { Moment, useZone } from '../../time/Moment.js';
import { BackIcon } from '../../ui/icons.js';
import { Mark } from '../../ui/Mark.js';
import { Empty, Failed, Loading } from '../../ui/States.js';
import { ActionDialog } from './ActionDialog.js';
import type { AlertVerb } from './actions.js';
import { AlertNotifications } from './AlertNotifications.js';
import classes from './AlertPane.module.css';
import { AlertTitle } from './AlertTitle.js';
import { IncidentButtons } from './FleetIncident.js';
import { whySentences } from '../../alert-kinds/why.js';
import { alertStateText } from './words.js';

const route = getRouteApi('/alerts/$alertId');

/** One alert: what it is about, what can be done, why it was raised, and who was told. */
export function AlertPane() {
  const { alertId } = route.useParams();
  const {
    data: alert,
    error,
    refetch,
  } = useQuery({
    queryKey: ['alert', alertId],
    queryFn: ({ signal }) => get<AlertDetail>(`/v1/alerts/${alertId}`, { signal }),
  });
  if (isStatus(error, 404)) {
    return <Empty title="There is no such alert">It may have been erased with its bottle.</Empty>;
  }
  if (!alert) return error ? <Failed error={error} retry={() => void refetch()} /> : <Loading lines={6} />;
  return (
    <article className={classes['alert']} aria-label="The alert" key={alert.id}>
      <Head alert={alert} />
      <Actions alert={alert} />
      <Why alert={alert} />
      <AlertNotifications deliveries={alert.deliveries} />
      <History history={alert.history} />
    </article>
  );
}

function Head({ alert }: { alert: AlertDetail }) {
  const present = useNow();
  const search = getRouteApi('/alerts').useSearch();
  const fleet = alertKind(alert.kind).aboutFleet;
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
      <p className={classes['whose']}>
        {fleet ? (
          'The whole fleet'
        ) : (
          <>
            <Link to="/bottles/$bottleId" params={{ bottleId: alert.bottle_id }}>
              {alert.medication}
            </Link>{' '}
            of {alert.user_id}
          </>
        )}
      </p>
      <p className={classes['state']}>
        <strong>{alertStateText(alert, present)}</strong> · raised <Moment at={alert.raised_at} /> (
        <Moment at={alert.raised_at} as="ago" />)
        {alert.ended_at && (
          <>
            {' '}
            · ended <Moment at={alert.ended_at} />
          </>
        )}
        {alert.snoozed_until && Date.parse(alert.snoozed_until) > present && (
          <>
            {' '}
            · until <Moment at={alert.snoozed_until} />
          </>
        )}
      </p>
    </header>
  );
}

function Actions({ alert }: { alert: AlertDetail }) {
  const supports = useMay('support');
  const [verb, setVerb] = useState<AlertVerb>();
  if (!supports || alert.ended_at !== null) return null;
  const incident = alertKind(alert.kind).aboutFleet && alert.state === 'open';
  return (
    <div className={classes['actions']}>
      {incident && <IncidentButtons alertId={alert.id} />}
      {alert.state === 'open' && !incident && (
        <Button onClick={() => setVerb('acknowledge')}>Acknowledge</Button>
      )}
      {!incident && (
        <>
          <Button variant="default" onClick={() => setVerb('snooze')}>
            Snooze
          </Button>
          <Button variant="default" onClick={() => setVerb('resolve')}>
            Resolve
          </Button>
        </>
      )}
      {verb && <ActionDialog verb={verb} targets={[alert]} onClose={() => setVerb(undefined)} />}
    </div>
  );
}

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
              Held back at <Moment at={at} />: “{alertKind(kind).word}”, because {reason}.
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

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
