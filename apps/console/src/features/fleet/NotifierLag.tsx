import type { ReactNode } from 'react';
import type { Fleet } from '../../api/types.js';
import { duration } from '../../time/format.js';
import { Panel } from '../../ui/Panel.js';
import classes from './Meters.module.css';

/** A check that runs every five minutes may be behind by as much. */
const BEHIND_MS = 6 * 60_000;

const CHECKS = { dose: 'Doses', open: 'Open bottles', silent: 'Silent bottles' } as const;

/** How long the longest overdue bottle has waited for each check. */
export function NotifierLag({ lag }: { lag: Fleet['notifier']['lag_ms'] }) {
  const late = Object.values(lag).some((ms) => ms > BEHIND_MS);
  return (
    <Panel title="Notifier" aside={late ? <strong className={classes['late']}>behind</strong> : 'keeping up'}>
      {(['dose', 'open', 'silent'] as const).map((check) => (
        <Line key={check} label={CHECKS[check]}>
          {lag[check] < 1_000 ? 'on time' : `${duration(lag[check])} behind`}
        </Line>
      ))}
      {late && <p className={classes['help']}>Alerts come late. Check that a notifier is running.</p>}
    </Panel>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <p className={classes['line']}>
      <span className={classes['label']}>{label}</span>
      <span>{children}</span>
    </p>
  );
}
