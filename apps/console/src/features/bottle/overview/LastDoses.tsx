import type { Dose } from '../../../api/types.js';
import { Moment } from '../../../time/Moment.js';
import { Marked, meaningOf } from '../../../ui/Mark.js';
import { OUTCOME } from '../../../ui/meanings.js';
import { Panel } from '../../../ui/Panel.js';
import { useBottle } from '../queries.js';
import classes from './LastDoses.module.css';

/** The last doses with an outcome before those of today. */
export function LastDoses() {
  const { last_doses: doses } = useBottle();
  return (
    <Panel title="Earlier doses">
      {doses.length === 0 ? (
        <p className={classes['none']}>No earlier doses recorded.</p>
      ) : (
        <ul className={classes['doses']}>
          {doses.map((dose) => (
            <DoseLine key={dose.scheduled_at} dose={dose} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** One dose: its due time, outcome and time of removal. */
export function DoseLine({ dose }: { dose: Dose }) {
  const { scheduled_at, outcome, taken_at, pills_scheduled, pills_taken } = dose;
  const partial = outcome === 'partial' ? ` ${pills_taken} of ${pills_scheduled} pills` : '';
  return (
    <li className={classes['dose']}>
      <span className={classes['due']}>
        <Moment at={scheduled_at} />
      </span>
      <Marked of={meaningOf(OUTCOME, outcome)} />
      <span className={classes['taken']}>
        {taken_at && (
          <>
            at <Moment at={taken_at} as="time" />
          </>
        )}
        {partial}
      </span>
    </li>
  );
}
