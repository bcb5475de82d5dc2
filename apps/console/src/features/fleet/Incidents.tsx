import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { get } from '../../api/request.js';
import { useMay } from '../../api/session.js';
import type { Alert, AlertDetail } from '../../api/types/alerts.js';
import type { Page } from '../../api/types/common.js';
import { Moment } from '../../time/Moment.js';
import { KIND, Mark } from '../../ui/Mark.js';
import { IncidentButtons } from '../alerts/IncidentButtons.js';
import layout from './FleetPage.module.css';
import classes from './Incidents.module.css';

/** Many bottles silent at once: users are told only when staff have confirmed it. */
export function Incidents({ open }: { open: number }) {
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
      <Mark of={KIND.fleet_incident} size={22} />
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
