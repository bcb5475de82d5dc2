import { ALERT_KINDS, alertKind } from '../../alert-kinds/alert-kinds.js';
import { Link } from '@tanstack/react-router';
import type { Fleet } from '../../api/types.js';
import { Marked } from '../../ui/Mark.js';
import { Panel } from '../../ui/Panel.js';
import { Empty } from '../../ui/States.js';
import classes from './AlertsNow.module.css';
import layout from './FleetPage.module.css';

/** What is wrong now, by kind. */
export function AlertsNow({ counts }: { counts: Fleet['open_alerts'] }) {
  const kinds = ALERT_KINDS.filter((kind) => counts[kind] > 0);
  return (
    <Panel title="Alerts now" aside={<Link to="/alerts">All alerts</Link>} className={layout['half']}>
      {kinds.length === 0 ? (
        <Empty title="Nothing is wrong">No alert is open.</Empty>
      ) : (
        <ul className={classes['list']}>
          {kinds.map((kind) => (
            <li key={kind}>
              <Link to="/alerts" search={{ kind }} className={classes['row']}>
                <Marked of={alertKind(kind)} />
                <span className={classes['count']}>{counts[kind].toLocaleString('en')}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
