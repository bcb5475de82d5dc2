import { Link } from '@tanstack/react-router';
import { Trans } from 'react-i18next';
import type { Fleet } from '../../api/schema.js';
import { STATUSES } from '../../api/vocabulary.js';
import { Mark } from '../../ui/Mark.js';
import { STATUS } from '../../ui/meanings.js';
import { Panel } from '../../ui/Panel.js';
import { Empty } from '../../ui/States.js';
import layout from './FleetPage.module.css';
import meters from './Meters.module.css';
import classes from './StatusBar.module.css';
import { t, numberText } from '../../i18n/i18n.js';

/** Even the smallest share stays visible. Percent of the bar. */
const MIN_SHARE = 0.6;

/** Bottles by status, as a bar and as counts that link to those bottles. */
export function StatusBar({ bottles: { total, by_status } }: { bottles: Fleet['bottles'] }) {
  return (
    <Panel
      title={t('Bottles')}
      aside={t('{{count, number}} bottles', { count: total })}
      className={layout['wide']}
    >
      {total === 0 ? (
        <Empty title={t('No bottles yet')}>
          <Trans
            i18nKey="<register>Register a bottle</register>, or import many from CSV."
            components={{ register: <Link to="/register" /> }}
          />
        </Empty>
      ) : (
        <>
          <div className={classes['bar']} aria-hidden>
            {STATUSES.filter((status) => by_status[status] > 0).map((status) => (
              <div
                key={status}
                className={classes[status]}
                style={{ flexGrow: Math.max(MIN_SHARE, (by_status[status] / total) * 100) }}
              />
            ))}
          </div>
          <ul className={classes['counts']}>
            {STATUSES.map((status) => (
              <li key={status}>
                <Link to="/bottles" search={{ status }} className={classes['count']}>
                  <span className={classes['label']}>
                    <Mark of={STATUS[status]} />
                    {STATUS[status].label}
                  </span>
                  <span className={classes['number']}>{numberText(by_status[status])}</span>
                  <span className={classes['share']}>{share(by_status[status], total)}</span>
                </Link>
              </li>
            ))}
          </ul>
          <p className={meters['help']}>
            {t('Each bottle counts once: a silent one not as late or open, a late one not as open.')}
          </p>
        </>
      )}
    </Panel>
  );
}

function share(part: number, total: number): string {
  const percent = (part / total) * 100;
  if (part === 0) return '0 %';
  if (percent < 0.1) return `< ${numberText(0.1)} %`;
  return `${numberText(percent, { maximumFractionDigits: percent < 10 ? 1 : 0 })} %`;
}
