import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { get } from '../../api/request.js';
import type { Person, PersonsBottle, PersonsDose } from '../../api/schema.js';
import type { Page } from '../../api/vocabulary.js';
import { instantOf } from '../../time/calendar.js';
import { useNow } from '../../time/clock.js';
import { HOUR_MS } from '../../time/durations.js';
import { clockTime, dayOnly, localDay } from '../../time/format.js';
import { useZone } from '../../time/Moment.js';
import { type Meaning, meaningOf } from '../../ui/Mark.js';
import { DOSE_STATUS, OUTCOME, outcomeText } from '../../ui/meanings.js';
import { Panel } from '../../ui/Panel.js';
import { Failed } from '../../ui/States.js';
import { bottleText } from '../bottle/names.js';
import { DoseMarks } from '../bottle/overview/DoseMarks.js';
import { personPath } from './queries.js';
import classes from './WeekStrip.module.css';
import { t } from '../../i18n/i18n.js';

const DAYS = 7;
/** A dose every hour of a week for a bottle or two; what is more is in the calendar. */
const MOST_DOSES = 200;

/** A dose in the strip, whether it has an outcome yet or not. */
interface Shown {
  at: number;
  meaning: Meaning;
  reported: PersonsDose['reported'];
}

/** Seven days with the doses of every bottle, today last. */
export function WeekStrip({ person: { user_id, bottles } }: { person: Person }) {
  const zone = useZone();
  const present = useNow();
  const days = lastDays(present, zone);
  const from = new Date(instantOf(`${days[0]}T00:00`, zone)).toISOString();
  const { data, error, refetch } = useQuery({
    queryKey: ['person', user_id, 'week', from],
    queryFn: ({ signal }) =>
      get<Page<PersonsDose>>(`${personPath(user_id)}/doses`, { query: { from, limit: MOST_DOSES }, signal }),
  });
  const planned = bottles.filter((bottle) => bottle.plan.length + bottle.today.doses.length > 0);
  if (planned.length === 0) return null;
  return (
    <Panel title={t('Last seven days')}>
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : (
        <div className={classes['scroll']}>
          <table className={classes['week']} aria-label={t('Doses of the last seven days')}>
            <thead>
              <tr>
                <th scope="col">{t('Medication')}</th>
                {days.map((day) => (
                  <th key={day} scope="col">
                    {dayOnly(instantOf(`${day}T12:00`, zone), zone, present)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {planned.map((bottle) => (
                <Row key={bottle.bottle_id} bottle={bottle} judged={data?.items ?? []} days={days} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

interface RowProps {
  bottle: PersonsBottle;
  judged: readonly PersonsDose[];
  days: readonly string[];
}

function Row({ bottle, judged, days }: RowProps) {
  const zone = useZone();
  const doses = dosesOf(bottle, judged);
  return (
    <tr>
      <th scope="row">
        <Link to="/bottles/$bottleId" params={{ bottleId: bottle.bottle_id }}>
          {bottleText(bottle)}
        </Link>
      </th>
      {days.map((day) => (
        <td key={day}>
          <ul className={classes['doses']}>
            {doses
              .filter(({ at }) => localDay(at, zone) === day)
              .map((dose) => (
                <Dose key={dose.at} {...dose} />
              ))}
          </ul>
        </td>
      ))}
    </tr>
  );
}

function Dose({ at, meaning, reported }: Shown) {
  const zone = useZone();
  const stated = reported ? `, ${t('reported {{outcome}}', { outcome: outcomeText(reported.outcome) })}` : '';
  const text = `${clockTime(at, zone)}: ${meaning.label}${stated}`;
  return (
    <li title={text}>
      <span className="visually-hidden">{text}</span>
      <DoseMarks measured={meaning} reported={reported} size={16} />
    </li>
  );
}

/** What has an outcome, and what of today has none yet; oldest first. */
function dosesOf({ bottle_id, today }: PersonsBottle, judged: readonly PersonsDose[]): Shown[] {
  const shown = new Map<number, Shown>();
  for (const { scheduled_at, status, reported } of today.doses) {
    const at = Date.parse(scheduled_at);
    shown.set(at, { at, meaning: meaningOf(DOSE_STATUS, status), reported });
  }
  for (const { scheduled_at, outcome, reported, ...dose } of judged) {
    const at = Date.parse(scheduled_at);
    if (dose.bottle_id === bottle_id) shown.set(at, { at, meaning: meaningOf(OUTCOME, outcome), reported });
  }
  return [...shown.values()].toSorted((one, other) => one.at - other.at);
}

/** The local days, `2026-03-01`, oldest first; noon is on the right day also where clocks change. */
function lastDays(present: number, zone: string): string[] {
  const noon = instantOf(`${localDay(present, zone)}T12:00`, zone);
  return Array.from({ length: DAYS }, (_, index) => localDay(noon - (DAYS - 1 - index) * 24 * HOUR_MS, zone));
}
