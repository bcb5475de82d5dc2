import type { TodaysDose } from '../../../api/types.js';
import { useNow } from '../../../time/clock.js';
import { dayOnly } from '../../../time/format.js';
import { Moment, useZone } from '../../../time/Moment.js';
import { Marked, meaningOf } from '../../../ui/Mark.js';
import { DOSE_STATUS } from '../../../ui/meanings.js';
import { Panel } from '../../../ui/Panel.js';
import { useBottle } from '../queries.js';
import { doseDetail, scheduleSentence } from '../today-text.js';
import classes from './TodayPanel.module.css';

/** The doses of the patient's local day, as the reports so far show them. */
export function TodayPanel() {
  const { today, time_zone, next_dose } = useBottle();
  const zone = useZone();
  const present = useNow();
  const { doses, schedule_state } = today;
  const sentence = scheduleSentence(today, present, zone);
  const hasUpcoming = doses.some(({ status }) => status === 'upcoming');
  return (
    <Panel title="Today" aside={dayOnly(present, time_zone, present)}>
      {doses.length > 0 && (
        <ul className={classes['doses']}>
          {doses.map((dose) => (
            <TodaysDoseLine key={dose.scheduled_at} dose={dose} />
          ))}
        </ul>
      )}
      {sentence && <p className={classes['more']}>{sentence}</p>}
      {schedule_state === 'active' && doses.length === 0 && <p className={classes['more']}>No dose today.</p>}
      {next_dose && !hasUpcoming && (
        <p className={classes['more']}>
          Next dose: <Moment at={next_dose.scheduled_at} />.
        </p>
      )}
    </Panel>
  );
}

function TodaysDoseLine({ dose }: { dose: TodaysDose }) {
  const zone = useZone();
  const present = useNow();
  return (
    <li className={classes['dose']} data-status={dose.status}>
      <span className={classes['due']}>
        <Moment at={dose.scheduled_at} />
      </span>
      <Marked of={meaningOf(DOSE_STATUS, dose.status)} />
      <span className={classes['detail']}>{doseDetail(dose, present, zone)}</span>
    </li>
  );
}
