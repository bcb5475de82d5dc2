import { ActionIcon, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get } from '../../../api/request.js';
import { type AnyDose, OUTCOMES, type Page } from '../../../api/vocabulary.js';
import { addMonths, instantOf, type Month, monthOf, weeksOf } from '../../../time/calendar.js';
import { now, useNow } from '../../../time/clock.js';
import { clockTime, dayOnly, localDay, monthName, weekdayNames } from '../../../time/format.js';
import { useZone } from '../../../time/Moment.js';
import { BackIcon, ForwardIcon } from '../../../ui/icons.js';
import { Marked, meaningOf } from '../../../ui/Mark.js';
import { OUTCOME, outcomeText } from '../../../ui/meanings.js';
import { unreadableIn } from '../../../ui/List.js';
import { Panel } from '../../../ui/Panel.js';
import { Failed, Unreadable } from '../../../ui/States.js';
import classes from './DoseCalendar.module.css';
import { DoseMarks } from './DoseMarks.js';
import { DoseLine } from './LastDoses.js';
import last from './LastDoses.module.css';
import { t } from '../../../i18n/i18n.js';

const [SUNDAY, ...WORKDAYS] = weekdayNames('short');
const WEEKDAYS = [...WORKDAYS, SUNDAY!];
/** Days with more doses than this show counts by outcome. */
const MAX_MARKS = 4;

/** A month of doses with an icon for each. The selected day shows its doses in full. */
export function DoseCalendar({ of }: { of: DoseSource }) {
  const zone = useZone();
  const present = useNow();
  const [month, setMonth] = useState<Month>(() => monthOf(present, zone));
  const [day, setDay] = useState<string>();
  const { data, error, refetch } = useDosesByDay(of, month, zone);
  const days = data?.days;
  const today = localDay(present, zone);
  const chosen = day === undefined ? undefined : days?.get(day);
  const go = (months: number): void => {
    setMonth(addMonths(month, months));
    setDay(undefined);
  };
  const isUnseen = (date: string): boolean => {
    if (date > today || of.monitoredSince === undefined || days?.has(date)) return false;
    return of.monitoredSince === null || date < localDay(Date.parse(of.monitoredSince), zone);
  };
  const name = monthName(instantOf(`${month}-15T12:00`, zone), zone);
  return (
    <Panel
      title={t('Doses by day')}
      aside={
        <div className={classes['months']}>
          <ActionIcon aria-label={t('Previous month')} onClick={() => go(-1)}>
            <BackIcon />
          </ActionIcon>
          <span aria-live="polite">{name}</span>
          <ActionIcon
            aria-label={t('Next month')}
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
          <Unreadable count={data?.unreadable ?? 0} />
          <table className={classes['month']} aria-label={t('Doses in {{month}}', { month: name })}>
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
                        unseen={isUnseen(date)}
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
                <DoseLine
                  key={`${dose.bottle_id} ${dose.scheduled_at}`}
                  bottleId={dose.bottle_id ?? of.key[1]}
                  dose={dose}
                />
              ))}
            </ul>
          )}
          <Legend
            unseen={weeksOf(month)
              .flat()
              .some((date) => date !== undefined && isUnseen(date))}
            hasReports={[...(days?.values() ?? [])].flat().some(({ reported }) => reported)}
          />
        </>
      )}
    </Panel>
  );
}

interface DayProps {
  date: string;
  doses: AnyDose[];
  zone: string;
  today: boolean;
  /** It was over before the first report. */
  unseen: boolean;
  chosen: boolean;
  onChoose: () => void;
}

function Day({ date, doses, zone, today, unseen, chosen, onChoose }: DayProps) {
  const number = <span className={classes['number']}>{Number(date.slice(8))}</span>;
  return (
    <td data-today={today || undefined} data-unseen={unseen || undefined}>
      {doses.length === 0 ? (
        <span className={classes['day']}>
          {number}
          {unseen && <span className="visually-hidden">{t('not monitored yet')}</span>}
        </span>
      ) : (
        <UnstyledButton
          className={classes['day']}
          aria-pressed={chosen}
          aria-label={`${dayOnly(instantOf(`${date}T12:00`, zone), zone, now())}: ${dosesText(doses, zone)}`}
          onClick={onChoose}
        >
          {number}
          <span className={classes['marks']}>
            {doses.length <= MAX_MARKS ? (
              doses.map(({ bottle_id, scheduled_at, outcome, reported }) => (
                <DoseMarks
                  key={`${bottle_id} ${scheduled_at}`}
                  measured={meaningOf(OUTCOME, outcome)}
                  reported={reported}
                  size={14}
                />
              ))
            ) : (
              <Counts doses={doses} />
            )}
          </span>
        </UnstyledButton>
      )}
    </td>
  );
}

/** How many doses have each outcome; those that people report by what was measured and what is reported. */
function Counts({ doses }: { doses: AnyDose[] }) {
  const alike = new Map<string, AnyDose[]>();
  for (const dose of doses) {
    const kind = `${dose.outcome} ${dose.reported?.outcome ?? ''}`;
    alike.set(kind, [...(alike.get(kind) ?? []), dose]);
  }
  const rank = ({ outcome, reported }: AnyDose): number =>
    OUTCOMES.indexOf(outcome) + (reported ? OUTCOMES.length : 0);
  return [...alike]
    .toSorted(([, [one]], [, [other]]) => rank(one!) - rank(other!))
    .map(([key, [first, ...others]]) => (
      <span key={key} className={classes['counted']}>
        <DoseMarks measured={meaningOf(OUTCOME, first!.outcome)} reported={first!.reported} size={12} />
        {others.length + 1}
      </span>
    ));
}

function dosesText(doses: AnyDose[], zone: string): string {
  return doses
    .map(({ scheduled_at, outcome, medication, reported }) => {
      const { label } = meaningOf(OUTCOME, outcome);
      const of = medication == null ? '' : `${medication} `;
      const stated =
        reported === null ? '' : `, ${t('reported {{outcome}}', { outcome: outcomeText(reported.outcome) })}`;
      return `${of}${clockTime(Date.parse(scheduled_at), zone)} ${label.toLowerCase()}${stated}`;
    })
    .join(', ');
}

function Legend({ hasReports, unseen }: { hasReports: boolean; unseen: boolean }) {
  return (
    <ul className={classes['legend']} aria-label={t('Legend')}>
      {OUTCOMES.map((outcome) => (
        <li key={outcome}>
          <Marked of={OUTCOME[outcome]} />
        </li>
      ))}
      {unseen && (
        <li className={classes['sample']}>
          <span className={classes['unseen']} aria-hidden />
          {t('Before the first report: not monitored yet')}
        </li>
      )}
      {hasReports && (
        <li className={classes['sample']}>
          <DoseMarks measured={OUTCOME.missed} reported={{ outcome: 'taken' }} size={14} />
          {t('Measured, and as reported by people')}
        </li>
      )}
    </ul>
  );
}

const PAGE = 200;

/** Whose doses. */
export interface DoseSource {
  /** The beginning of the key of its queries. */
  key: readonly [kind: 'bottle' | 'person', id: string];
  /** Its path in the API. */
  path: string;
  /** The first report of its bottles; null before it, undefined if that is not known. */
  monitoredSince: string | null | undefined;
}

/** The doses of a month by their due day in a zone, each day's in chronological order. */
function useDosesByDay({ key, path }: DoseSource, month: Month, zone: string) {
  return useQuery({
    queryKey: [...key, 'doses', month, zone],
    queryFn: async ({ signal }) => {
      const { doses, unreadable } = await readMonth(path, month, zone, signal);
      return { days: byDay(doses, zone), unreadable };
    },
    placeholderData: (previous) => previous,
  });
}

async function readMonth(path: string, month: Month, zone: string, signal: AbortSignal): Promise<Doses> {
  const from = new Date(instantOf(`${month}-01T00:00`, zone)).toISOString();
  const to = new Date(instantOf(`${addMonths(month, 1)}-01T00:00`, zone)).toISOString();
  return readDoses(path, { from, to }, signal);
}

interface Doses {
  doses: AnyDose[];
  unreadable: number;
}

/** Every dose in a range, newest first, and how many cannot be shown. */
export async function readDoses(
  path: string,
  range: { from: string; to: string },
  signal: AbortSignal,
): Promise<Doses> {
  const pages: Page<AnyDose>[] = [];
  let cursor: string | undefined;
  do {
    const page: Page<AnyDose> = await get(`${path}/doses`, {
      query: { ...range, limit: PAGE, cursor },
      signal,
    });
    pages.push(page);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return { doses: pages.flatMap(({ items }) => items), unreadable: unreadableIn(pages) };
}

function byDay(doses: AnyDose[], zone: string): Map<string, AnyDose[]> {
  const days = new Map<string, AnyDose[]>();
  for (const dose of doses.toReversed()) {
    const day = localDay(Date.parse(dose.scheduled_at), zone);
    days.set(day, [...(days.get(day) ?? []), dose]);
  }
  return days;
}
