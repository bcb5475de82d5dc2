import { Link } from '@tanstack/react-router';
import { type Fleet, STATUSES } from '../../api/types.js';
import { Mark, STATUS } from '../../ui/Mark.js';
import { Panel } from '../../ui/Panel.js';
import { Empty } from '../../ui/States.js';
import layout from './FleetPage.module.css';
import classes from './StatusBar.module.css';

/** A share that is there at all is seen, however small it is. Percent of the bar. */
const LEAST_SHARE = 0.6;

/** How many bottles are how: a bar of the fleet, and its numbers, each a way to those bottles. */
export function StatusBar({ bottles: { total, by_status } }: { bottles: Fleet['bottles'] }) {
  return (
    <Panel
      title="Bottles"
      aside={total === 1 ? '1 bottle' : `${total.toLocaleString('en')} bottles`}
      className={layout['wide']}
    >
      {total === 0 ? (
        <Empty title="No bottle is registered yet">
          <Link to="/register">Register one</Link>, or many at once from a CSV file.
        </Empty>
      ) : (
        <>
          <div className={classes['bar']} aria-hidden>
            {STATUSES.filter((status) => by_status[status] > 0).map((status) => (
              <div
                key={status}
                className={classes[status]}
                style={{ flexGrow: Math.max(LEAST_SHARE, (by_status[status] / total) * 100) }}
              />
            ))}
          </div>
          <ul className={classes['counts']}>
            {STATUSES.map((status) => (
              <li key={status}>
                <Link to="/bottles" search={{ status }} className={classes['count']}>
                  <span className={classes['word']}>
                    <Mark of={STATUS[status]} />
                    {STATUS[status].word}
                  </span>
                  <span className={classes['number']}>{by_status[status].toLocaleString('en')}</span>
                  <span className={classes['share']}>{share(by_status[status], total)}</span>
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}

function share(part: number, total: number): string {
  const percent = (part / total) * 100;
  if (part === 0) return '0 %';
  if (percent < 0.1) return 'under 0.1 %';
  return `${percent.toLocaleString('en', { maximumFractionDigits: percent < 10 ? 1 : 0 })} %`;
}
