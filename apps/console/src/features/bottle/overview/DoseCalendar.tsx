import { ActionIcon, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get } from '../../../api/request.js';
import { type Dose, OUTCOMES, type Page } from '../../../api/types.js';
import { addMonths, instantOf, type Month, monthOf, weeksOf } from '../../../time/calendar.js';
import { useNow } from '../../../time/clock.js';
import { clockTime, localDay, monthName } from '../../../time/format.js';
import { useZone } from '../../../time/Moment.js';
import { BackIcon, ForwardIcon } from '../../../ui/icons.js';
import { Mark, Marked, meaningOf } from '../../../ui/Mark.js';
import { OUTCOME } from '../../../ui/meanings.js';
import { Panel } from '../../../ui/Panel.js';
import { Failed } from '../../../ui/States.js';
import { useBottleId } from '../queries.js';
import classes from './DoseCalendar.module.css';
import { DoseLine } from './LastDoses.js';
import last from './LastDoses.module.css';

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
/** Days with more doses than this show counts by outcome. */
const MAX_MARKS = 4;

/** A month of doses with an icon for each. The selected day shows its doses in full. */
export function DoseCalendar() {
  const bottleId = useBottleId();
  const zone = useZone();
  const present = useNow();
  const [month, setMonth] = useState<Month>(() => monthOf(present, zone));
  const [day, setDay] = useState<string>();
  const { data: days, error, refetch } = useDosesByDay(bottleId, month, zone);
  const today = localDay(present, zone);
  const chosen = day === undefined ? undefined : days?.get(day);
  const go = (months: number): void => {
    setMonth(addMonths(month, months));
    setDay(undefined);
  };
  const name = monthName(instantOf(`${month}-15T12:00`, zone), zone);
  return (
    <Panel
      title="Doses by day"
      aside={
        <div className={classes['months']}>
          <ActionIcon aria-label="Previous month" onClick={() => go(-1)}>
            <BackIcon />
          </ActionIcon>
          <span aria-live="polite">{name}</span>
          <ActionIcon
            aria-label="Next month"
            disabled={month >= monthOf(present, zone)}
            onClick={() => go(1)}
          >
            <ForwardIcon />
          </ActionIcon>
        </div>
      }
    >
      {error && !days ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : (
        <>
          <table className={classes['month']} aria-label={`Doses in ${name}`}>
            <thead>
              <tr>
                {WEEKDAYS.map((weekday) => (
                  <th key={weekday} scope="col">
                    {weekday}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {weeksOf(month).map((week, index) => (
                <tr key={`${month} ${index}`}>
                  {week.map((date, weekday) =>
                    date === undefined ? (
                      <td key={WEEKDAYS[weekday]} />
                    ) : (
                      <Day
                        key={date}
                        date={date}
                        doses={days?.get(date) ?? []}
                        zone={zone}
                        today={date === today}
                        chosen={date === day}
                        onChoose={() => setDay(date === day ? undefined : date)}
                      />
                    ),
                  )}
                </tr>
              ))}
            </tbody>
          </table>
          {chosen && (
            <ul className={`${last['doses']} ${classes['chosen']}`}>
              {chosen.map((dose) => (
                <DoseLine key={dose.scheduled_at} dose={dose} />
              ))}
            </ul>
          )}
          <Legend />
        </>
      )}
    </Panel>
  );
}

interface DayProps {
  date: string;
  doses: Dose[];
  zone: string;
  today: boolean;
  chosen: boolean;
  onChoose: () => void;
}

function Day({ date, doses, zone, today, chosen, onChoose }: DayProps) {
  const number = <span className={classes['number']}>{Number(date.slice(8))}</span>;
  return (
    <td data-today={today || undefined}>
      {doses.length === 0 ? (
        <span className={classes['day']}>{number}</span>
      ) : (
        <UnstyledButton
          className={classes['day']}
          aria-pressed={chosen}
          aria-label={`${date}: ${dosesText(doses, zone)}`}
          onClick={onChoose}
        >
          {number}
          <span className={classes['marks']}>
            {doses.length <= MAX_MARKS ? (
              doses.map((dose) => <Shape key={dose.scheduled_at} dose={dose} />)
            ) : (
              <Counts doses={doses} />
            )}
          </span>
        </UnstyledButton>
      )}
    </td>
  );
}

function Shape({ dose: { outcome } }: { dose: Dose }) {
  return <Mark of={meaningOf(OUTCOME, outcome)} size={14} />;
}

function Counts({ doses }: { doses: Dose[] }) {
  return OUTCOMES.map(
    (outcome) => [outcome, doses.filter((dose) => dose.outcome === outcome).length] as const,
  )
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => (
      <span key={outcome} className={classes['counted']}>
        <Mark of={OUTCOME[outcome]} size={12} />
        {count}
      </span>
    ));
}

function dosesText(doses: Dose[], zone: string): string {
  return doses
    .map(({ scheduled_at, outcome }) => {
      const { label } = meaningOf(OUTCOME, outcome);
      return `${clockTime(Date.parse(scheduled_at), zone)} ${label.toLowerCase()}`;
    })
    .join(', ');
}

function Legend() {
  return (
    <ul className={classes['legend']} aria-label="Legend">
      {OUTCOMES.map((outcome) => (
        <li key={outcome}>
          <Marked of={OUTCOME[outcome]} />
        </li>
      ))}
    </ul>
  );
}

const PAGE = 200;

/** The doses of a month by their due day in a zone, each day's in chronological order. */
function useDosesByDay(bottleId: string, month: Month, zone: string) {
  return useQuery({
    queryKey: ['bottle', bottleId, 'doses', month, zone],
    queryFn: async ({ signal }) => byDay(await readMonth(bottleId, month, zone, signal), zone),
    placeholderData: (previous) => previous,
  });
}

async function readMonth(bottleId: string, month: Month, zone: string, signal: AbortSignal): Promise<Dose[]> {
  const from = new Date(instantOf(`${month}-01T00:00`, zone)).toISOString();
  const to = new Date(instantOf(`${addMonths(month, 1)}-01T00:00`, zone)).toISOString();
  const doses: Dose[] = [];
  let cursor: string | undefined;
  do {
    const page: Page<Dose> = await get(`/v1/bottles/${bottleId}/doses`, {
      query: { from, to, limit: PAGE, cursor },
      signal,
    });
    doses.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return doses;
}

function byDay(doses: Dose[], zone: string): Map<string, Dose[]> {
  const days = new Map<string, Dose[]>();
  for (const dose of doses.toReversed()) {
    const day = localDay(Date.parse(dose.scheduled_at), zone);
    days.set(day, [...(days.get(day) ?? []), dose]);
  }
  return days;
}
