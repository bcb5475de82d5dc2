import { alertKind } from '../../../alert-kinds/alert-kinds.js';
import { Link } from '@tanstack/react-router';
import type { Alert } from '../../../api/types.js';
import { Moment } from '../../../time/Moment.js';
import { Mark } from '../../../ui/Mark.js';
import { Panel } from '../../../ui/Panel.js';
import { AcknowledgeButton } from '../../alerts/ActionDialog.js';
import { AlertTitle } from '../../alerts/alert-text.js';
import { useBottle } from '../queries.js';
import { DoseCalendar } from './DoseCalendar.js';
import { LastDoses } from './LastDoses.js';
import classes from './Overview.module.css';
import { Timeline } from './Timeline.js';
import { TodayPanel } from './TodayPanel.js';

/** The bottle's open alerts, its doses of today and before, and its activity. */
export function Overview() {
  return (
    <div className={classes['columns']}>
      <div className={classes['column']}>
        <BottleAlerts />
        <TodayPanel />
        <LastDoses />
        <DoseCalendar />
      </div>
      <Timeline />
    </div>
  );
}

/** The bottle's open alerts; nothing if there are none. */
function BottleAlerts() {
  const { open_alerts: alerts } = useBottle();
  if (alerts.length === 0) return null;
  return (
    <Panel title="Alerts" aside={`${alerts.length} open`} flush>
      <ul className={classes['list']}>
        {alerts.map((alert) => (
          <Row key={alert.id} alert={alert} />
        ))}
      </ul>
    </Panel>
  );
}

function Row({ alert }: { alert: Alert }) {
  return (
    <li className={classes['row']} data-row={alert.id}>
      <Mark of={alertKind(alert.kind)} />
      <div className={classes['text']}>
        <Link to="/alerts/$alertId" params={{ alertId: alert.id }} className={classes['title']} data-row-link>
          <AlertTitle alert={alert} />
        </Link>
        <p className={classes['when']}>
          Raised <Moment at={alert.raised_at} />
          {alert.state === 'acknowledged' && ' · acknowledged'}
        </p>
      </div>
      {alert.state === 'open' && <AcknowledgeButton alertId={alert.id} />}
    </li>
  );
}
