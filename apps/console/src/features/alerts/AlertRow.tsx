import { getRouteApi, Link } from '@tanstack/react-router';
import { useMay } from '../../api/session.js';
import type { Alert } from '../../api/types/alerts.js';
import { Moment } from '../../time/Moment.js';
import { useNow } from '../../time/use-now.js';
import { KIND, Mark, meaningOf } from '../../ui/Mark.js';
import classes from './AlertRow.module.css';
import { AlertTitle } from './AlertTitle.js';
import { stateWords } from './words.js';

const route = getRouteApi('/alerts');

interface AlertRowProps {
  alert: Alert;
  opened: boolean;
  selected: boolean;
  onSelect: () => void;
}

/** One alert of the list: what, whose, since when, and who has it. */
export function AlertRow({ alert, opened, selected, onSelect }: AlertRowProps) {
  const supports = useMay('support');
  const present = useNow();
  const search = route.useSearch();
  const { id, kind, medication, user_id, raised_at, ended_at, dead_deliveries } = alert;
  const whose = kind === 'fleet_incident' ? 'The whole fleet' : `${medication} · ${user_id}`;
  return (
    <li className={classes['row']} data-row={id} data-opened={opened || undefined}>
      {supports && ended_at === null && (
        // the browser's own: fifty of the library's take as long as the rest of the list
        <input
          type="checkbox"
          className={classes['check']}
          aria-label={`Select: ${meaningOf(KIND, kind).word}, ${whose}`}
          checked={selected}
          onChange={onSelect}
        />
      )}
      <Mark of={meaningOf(KIND, kind)} />
      <Link
        to="/alerts/$alertId"
        params={{ alertId: id }}
        search={search}
        className={classes['link']}
        data-row-link
        resetScroll={false}
      >
        <span className={classes['title']}>
          <AlertTitle alert={alert} />
        </span>
        <span className={classes['whose']}>{whose}</span>
      </Link>
      <div className={classes['when']}>
        <span>
          <Moment at={raised_at} as="ago" />
        </span>
        <span className={classes['state']}>
          {stateWords(alert, present)}
          {dead_deliveries ? <strong className={classes['dead']}> · not delivered</strong> : null}
        </span>
      </div>
    </li>
  );
}
