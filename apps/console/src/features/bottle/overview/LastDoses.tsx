import type { Dose } from '../../../api/types.js';
import { Moment } from '../../../time/Moment.js';
import { Marked, meaningOf, OUTCOME } from '../../../ui/Mark.js';
import { Panel } from '../../../ui/Panel.js';
import { useBottle } from '../queries.js';
import classes from './LastDoses.module.css';

/** The last doses that could be judged. */
export function LastDoses() {
  const { last_doses: doses, schedule } = useBottle();
  return (
    <Panel title="Last doses">
      {doses.length === 0 ? (
        <p className={classes['none']}>
          {schedule ? 'No dose has been due yet.' : 'It has no schedule, so no dose is expected.'}
        </p>
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

/** One dose: when it was due, what became of it, and when. */
export function DoseLine({ dose }: { dose: Dose }) {
  const { scheduled_at, outcome, taken_at, pills_scheduled, pills_taken } = dose;
  const partly = outcome === 'partial' ? ` ${pills_taken} of ${pills_scheduled} pills` : '';
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
        {partly}
      </span>
    </li>
  );
}
