import { Link } from '@tanstack/react-router';
import type { Alert } from '../../../api/types/alerts.js';
import { Moment } from '../../../time/Moment.js';
import { Mark, KIND, meaningOf } from '../../../ui/Mark.js';
import { Panel } from '../../../ui/Panel.js';
import { AcknowledgeButton } from '../../alerts/AcknowledgeButton.js';
import { AlertTitle } from '../../alerts/AlertTitle.js';
import { useBottle } from '../queries.js';
import classes from './BottleAlerts.module.css';

/** What is wrong with this bottle now; nothing when nothing is. */
export function BottleAlerts() {
  const { open_alerts: alerts } = useBottle();
  if (alerts.length === 0) return null;
  return (
    <Panel title="Alerts" aside={alerts.length === 1 ? '1 open' : `${alerts.length} open`} flush>
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
      <Mark of={meaningOf(KIND, alert.kind)} />
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
