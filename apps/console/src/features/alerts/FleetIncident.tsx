import { alertKind } from '../../alert-kinds/alert-kinds.js';
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { get, post } from '../../api/request.js';
import { useMay } from '../../api/session.js';
import type { Alert, AlertDetail, Page } from '../../api/types.js';
import { Moment } from '../../time/Moment.js';
import { Mark } from '../../ui/Mark.js';
import { notify, notifyError } from '../../ui/notify.js';
import layout from '../fleet/FleetPage.module.css';
import classes from './FleetIncident.module.css';

/** Open fleet incidents: users are notified only after staff confirm one. */
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
  const { silent_bottles: silent, heard_bottles: reporting } =
    data?.evidence ?? ({} as Partial<AlertDetail['evidence']>);
  return (
    <section className={`${classes['incident']} ${layout['wide']}`} aria-label="Fleet incident">
      <Mark of={alertKind('fleet_incident')} size={22} />
      <div className={classes['text']}>
        <p>
          <strong>
            {typeof silent === 'number' && typeof reporting === 'number'
              ? `${silent.toLocaleString('en')} of ${reporting.toLocaleString('en')} bottles became silent at the same time.`
              : 'Many bottles became silent at the same time.'}
          </strong>{' '}
          Since <Moment at={raised_at} />.{' '}
          {state === 'open'
            ? 'Users have not been notified. Confirm if the bottles are unreachable; dismiss if the fault is on our side.'
            : data?.dismissed
              ? 'Dismissed: users are not notified.'
              : 'Confirmed: users are notified.'}
        </p>
        <Link to="/alerts/$alertId" params={{ alertId: id }}>
          View details
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

/** Staff confirm that the bottles are unreachable, or dismiss the incident as a fault of this service. */
export function IncidentButtons({ alertId }: { alertId: string }) {
  const decide = useMutation({
    mutationFn: (decision: 'confirm' | 'dismiss') => post(`/v1/alerts/${alertId}/${decision}`),
    onSuccess: (_, decision) =>
      notify(
        decision === 'confirm'
          ? 'Confirmed: users are being notified.'
          : 'Dismissed: users are not notified.',
      ),
    onError: notifyError,
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
