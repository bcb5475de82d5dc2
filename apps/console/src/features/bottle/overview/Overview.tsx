import { BottleAlerts } from './BottleAlerts.js';
import { DoseCalendar } from './DoseCalendar.js';
import { LastDoses } from './LastDoses.js';
import classes from './Overview.module.css';
import { Timeline } from './Timeline.js';

/** What a caller asks about first: what is wrong, what was taken, and what has happened. */
export function Overview() {
  return (
    <div className={classes['columns']}>
      <div className={classes['column']}>
        <BottleAlerts />
        <LastDoses />
        <DoseCalendar />
      </div>
      <Timeline />
    </div>
  );
}
