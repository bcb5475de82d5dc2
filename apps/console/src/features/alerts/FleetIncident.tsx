import { alertKind } from '../../alert-kinds/alert-kinds.js';
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { get, post } from '../../api/request.js';
import { useMay } from '../../api/session.js';
import type { Alert, AlertDetail, Page } from '../../api/types.js';
import { queries } from '../../app/services.js';
import { Moment } from '../../time/Moment.js';
import { Mark } from '../../ui/Mark.js';
import { notify } from '../../ui/notify.js';
import { explain } from '../../ui/States.js';
import layout from '../fleet/FleetPage.module.css';
import classes from './FleetIncident.module.css';

/** Many bottles silent at once: users are told only when staff have confirmed it. */
export function FleetIncidents({ open }: { open: number }) {
  const { data } = useQuery({
    queryKey: ['alerts', 'incidents'],
    queryFn: ({ signal }) =>
      get<Page<Alert>>('/v1/alerts', { query: { kind: 'fleet_incident', order: 'needs_person' }, signal }),
    enabled: open > 0,
  });
  const standing = open > 0 ? (data?.items ?? []).filter(({ ended_at }) => ended_at === null) : [];
  return standing.map((incident) => <Incident key={incident.id} incident={incident} />);
}

function Incident({ incident: { id, raised_at, state } }: { incident: Alert }) {
  const supports = useMay('support');
  const { data } = useQuery({
    queryKey: ['alert', id],
    queryFn: ({ signal }) => get<AlertDetail>(`/v1/alerts/${id}`, { signal }),
  });
  const { silent_bottles: silent, heard_bottles: heard } =
    data?.evidence ?? ({} as Partial<AlertDetail['evidence']>);
  return (
    <section className={`${classes['incident']} ${layout['wide']}`} aria-label="Fleet incident">
      <Mark of={alertKind('fleet_incident')} size={22} />
      <div className={classes['text']}>
        <p>
          <strong>
            {typeof silent === 'number' && typeof heard === 'number'
              ? `${silent.toLocaleString('en')} of ${heard.toLocaleString('en')} bottles have fallen silent at once.`
              : 'Many bottles have fallen silent at once.'}
          </strong>{' '}
          Since <Moment at={raised_at} />.{' '}
          {state === 'open'
            ? 'Users have not been told. Confirm if the bottles cannot be reached; dismiss if the fault is here.'
            : data?.dismissed
              ? 'Dismissed: no user is told of it.'
              : 'Confirmed: users are told.'}
        </p>
        <Link to="/alerts/$alertId" params={{ alertId: id }}>
          Why it was raised
        </Link>
      </div>
      {supports && state === 'open' && (
        <div className={classes['actions']}>
          <IncidentButtons alertId={id} />
        </div>
      )}
    </section>
  );
}

/** A fleet incident is decided by a person: the bottles cannot be reached, or the fault is here. */
export function IncidentButtons({ alertId }: { alertId: string }) {
  const decide = useMutation({
    mutationFn: (decision: 'confirm' | 'dismiss') => post(`/v1/alerts/${alertId}/${decision}`),
    onSuccess: (_, decision) =>
      notify(decision === 'confirm' ? 'Confirmed: users are told now.' : 'Dismissed: no user is told of it.'),
    onError: (error) => notify(explain(error).join('. '), 'failed'),
    onSettled: () => queries.invalidateQueries(),
  });
  return (
    <>
      <Button loading={decide.isPending} onClick={() => decide.mutate('confirm')}>
        Confirm
      </Button>
      <Button variant="default" disabled={decide.isPending} onClick={() => decide.mutate('dismiss')}>
        Dismiss
      </Button>
    </>
  );
}
