import { Moment } from '../../time/Moment.js';
import { PageHead } from '../../ui/PageHead.js';
import { Failed, Loading } from '../../ui/States.js';
import { FleetIncidents } from '../alerts/FleetIncident.js';
import { Activity } from './Activity.js';
import { AlertsNow } from './AlertsNow.js';
import classes from './FleetPage.module.css';
import { Ingest } from './Ingest.js';
import { NotifierLag } from './NotifierLag.js';
import { useFleet } from './queries.js';
import { StatusBar } from './StatusBar.js';

/** How the whole fleet is. */
export function FleetPage() {
  const { data: fleet, error, refetch } = useFleet();
  return (
    <>
      <PageHead title="Fleet" lead={<>As of {fleet ? <Moment at={fleet.counted_at} as="time" /> : '…'}</>} />
      {!fleet && (error ? <Failed error={error} retry={() => void refetch()} /> : <Loading lines={6} />)}
      {fleet && (
        <div className={classes['grid']}>
          <FleetIncidents open={fleet.open_alerts.fleet_incident} />
          <StatusBar bottles={fleet.bottles} />
          <AlertsNow counts={fleet.open_alerts} />
          <Ingest ingest={fleet.ingest} />
          <NotifierLag lag={fleet.notifier.lag_ms} />
          <Activity />
        </div>
      )}
    </>
  );
}
