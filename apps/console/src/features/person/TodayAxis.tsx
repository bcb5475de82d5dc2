import { HOUR_MS } from '../../time/durations.js';
import { Link } from '@tanstack/react-router';
import type { PersonsBottle, TodaysDose } from '../../api/schema.js';
import { instantOf } from '../../time/calendar.js';
import { useNow } from '../../time/clock.js';
import { dayAndTime, dayOnly, hourName, localDay } from '../../time/format.js';
import { useZone } from '../../time/Moment.js';
import { meaningOf } from '../../ui/Mark.js';
import { DOSE_STATUS, outcomeText } from '../../ui/meanings.js';
import { Panel } from '../../ui/Panel.js';
import { Empty } from '../../ui/States.js';
import { DoseMarks } from '../bottle/overview/DoseMarks.js';
import { TodaysDoses } from '../bottle/overview/TodayPanel.js';
import { scheduleSentence } from '../bottle/today-text.js';
import classes from './TodayAxis.module.css';
import { t } from '../../i18n/i18n.js';

const HOURS = [0, 6, 12, 18, 24] as const;

/**
 * Today's doses of all bottles: on one axis, from midnight to midnight in the page's zone, and as a list. A dose of
 * yesterday without an outcome, or of another day in the viewer's time, is only in the list.
 */
export function TodayAxis({ bottles }: { bottles: readonly PersonsBottle[] }) {
  const zone = useZone();
  const present = useNow();
  const day = localDay(present, zone);
  const from = instantOf(`${day}T00:00`, zone);
  const to = instantOf(`${localDay(from + 36 * HOUR_MS, zone)}T00:00`, zone);
  const place = (at: number): string => `${((at - from) / (to - from)) * 100}%`;
  // by its instant: where clocks change on this day, the hours are not evenly spaced
  const placeOfHour = (hour: number): string =>
    place(hour === 24 ? to : instantOf(`${day}T${String(hour).padStart(2, '0')}:00`, zone));
  const isOnAxis = ({ scheduled_at }: TodaysDose): boolean =>
    Date.parse(scheduled_at) >= from && Date.parse(scheduled_at) < to;
  return (
    <Panel title={t('Today')} aside={dayOnly(present, zone, present)}>
      {bottles.length === 0 ? (
        <Empty title={t('No bottles')} />
      ) : (
        <div className={classes['axis']}>
          <div className={classes['hours']} aria-hidden>
            {HOURS.map((hour) => (
              <span key={hour} style={{ left: placeOfHour(hour) }}>
                {hourName(hour)}
              </span>
            ))}
          </div>
          <ul>
            {bottles.map((bottle) => (
              <li key={bottle.bottle_id} className={classes['row']}>
                <Link to="/bottles/$bottleId" params={{ bottleId: bottle.bottle_id }}>
                  {bottle.medication}
                </Link>
                <div className={classes['track']}>
                  {HOURS.slice(1, -1).map((hour) => (
                    <span
                      key={hour}
                      className={classes['hour']}
                      style={{ left: placeOfHour(hour) }}
                      aria-hidden
                    />
                  ))}
                  <span className={classes['now']} style={{ left: place(present) }} aria-hidden />
                  <ul>
                    {bottle.today.doses.filter(isOnAxis).map((dose) => (
                      <DoseMark
                        key={dose.scheduled_at}
                        dose={dose}
                        left={place(Date.parse(dose.scheduled_at))}
                      />
                    ))}
                  </ul>
                </div>
                <Summary bottle={bottle} />
              </li>
            ))}
          </ul>
          <div className={classes['doses']}>
            <TodaysDoses doses={byTime(bottles)} />
          </div>
        </div>
      )}
    </Panel>
  );
}

function DoseMark({ dose: { scheduled_at, status, reported }, left }: { dose: TodaysDose; left: string }) {
  const zone = useZone();
  const present = useNow();
  const meaning = meaningOf(DOSE_STATUS, status);
  const stated = reported ? `, ${t('reported {{outcome}}', { outcome: outcomeText(reported.outcome) })}` : '';
  const text = `${dayAndTime(Date.parse(scheduled_at), zone, present)}: ${meaning.label}${stated}`;
  return (
    <li className={classes['dose']} style={{ left }} title={text}>
      <span className="visually-hidden">{text}</span>
      <DoseMarks measured={meaning} reported={reported} size={18} />
    </li>
  );
}

/** Why nothing is due. */
function Summary({ bottle: { today } }: { bottle: PersonsBottle }) {
  const zone = useZone();
  const present = useNow();
  const sentence = scheduleSentence(today, present, zone);
  return today.doses.length === 0 && sentence ? <p className={classes['text']}>{sentence}</p> : null;
}

function byTime(bottles: readonly PersonsBottle[]) {
  return bottles
    .flatMap(({ bottle_id, medication, today }) =>
      today.doses.map((dose) => ({ bottle_id, medication, dose })),
    )
    .toSorted((one, other) => Date.parse(one.dose.scheduled_at) - Date.parse(other.dose.scheduled_at));
}
