import { type Outcome, OUTCOMES } from '../../../api/types/doses.js';
import { Marked, OUTCOME } from '../../../ui/Mark.js';
import classes from './OutcomeBar.module.css';

/** What became of the doses: a bar, and its numbers. */
export function OutcomeBar({ doses }: { doses: Record<Outcome, number> }) {
  const there = OUTCOMES.filter((outcome) => doses[outcome] > 0);
  return (
    <>
      <div className={classes['bar']} aria-hidden>
        {there.map((outcome) => (
          <div key={outcome} className={classes[outcome]} style={{ flexGrow: doses[outcome] }} />
        ))}
      </div>
      <ul className={classes['counts']}>
        {OUTCOMES.map((outcome) => (
          <li key={outcome}>
            <Marked of={OUTCOME[outcome]} />
            <strong>{doses[outcome]}</strong>
          </li>
        ))}
      </ul>
    </>
  );
}
