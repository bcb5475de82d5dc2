import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isStatus } from '../../api/problem.js';
import { get } from '../../api/request.js';
import { useMay } from '../../api/session.js';
import type { AlertDetail } from '../../api/types/alerts.js';
import { Moment } from '../../time/Moment.js';
import { useNow } from '../../time/use-now.js';
import { BackIcon } from '../../ui/icons.js';
import { KIND, Mark, meaningOf } from '../../ui/Mark.js';
import { Empty, Failed, Loading } from '../../ui/States.js';
import { ActDialog } from './ActDialog.js';
import type { AlertVerb } from './actions.js';
import classes from './AlertPane.module.css';
import { AlertTitle } from './AlertTitle.js';
import { Deliveries } from './Deliveries.js';
import { History } from './History.js';
import { IncidentButtons } from './IncidentButtons.js';
import { stateWords } from './words.js';
import { Why } from './Why.js';

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
      <Deliveries deliveries={alert.deliveries} />
      <History history={alert.history} />
    </article>
  );
}

function Head({ alert }: { alert: AlertDetail }) {
  const present = useNow();
  const search = getRouteApi('/alerts').useSearch();
  const fleet = alert.kind === 'fleet_incident';
  return (
    <header>
      <Link to="/alerts" search={search} className={classes['back']}>
        <BackIcon /> All alerts
      </Link>
      <div className={classes['title']}>
        <Mark of={meaningOf(KIND, alert.kind)} size={20} />
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
        <strong>{stateWords(alert, present)}</strong> · raised <Moment at={alert.raised_at} /> (
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
  const incident = alert.kind === 'fleet_incident' && alert.state === 'open';
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
      {verb && <ActDialog verb={verb} targets={[alert]} onClose={() => setVerb(undefined)} />}
    </div>
  );
}
