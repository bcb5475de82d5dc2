import type { Bottle, DoseStatus, Today, TodaysDose } from '../../api/types.js';
import { ago, dayAndTime, duration } from '../../time/format.js';
import { DOSE_STATUS } from '../../ui/meanings.js';
import type { Meaning } from '../../ui/Mark.js';
import { plural } from '../../ui/text.js';

type Facts = Pick<Bottle, 'today' | 'next_dose'>;

/** The doses of a day in one statement, which says nothing of the device. */
export interface DosesStatement {
  meaning: Meaning;
  sentence: string;
  /** All doses of the day by their status, or why no more are due. */
  more?: string;
}

/** Statuses by urgency: the first that a dose of the day has is the statement. */
const BY_URGENCY: readonly DoseStatus[] = ['late', 'due', 'missed', 'unknown', 'partial'];

/**
 * How the doses of a day stand: `Dose of 08:00 CET is late by 1 h 3 min.`
 *
 * @param present epoch milliseconds.
 * @param zone IANA name: the zone of the times.
 */
export function dosesStatement(bottle: Facts, present: number, zone: string): DosesStatement {
  const { doses } = bottle.today;
  const urgent = BY_URGENCY.find((status) => doses.some((dose) => dose.status === status));
  if (urgent) {
    const those = doses.filter(({ status }) => status === urgent);
    return {
      meaning: DOSE_STATUS[urgent],
      sentence: `${urgentClause(urgent, those, present, zone)}.`,
      ...countsOf(doses),
    };
  }
  const instead = scheduleSentence(bottle.today, present, zone);
  if (instead && doses.length === 0) return { meaning: DOSE_STATUS.upcoming, sentence: instead };
  const taken = doses.filter(({ taken_at }) => taken_at !== null);
  const meaning = DOSE_STATUS[taken.at(-1)?.status ?? 'upcoming'];
  const sentence = `${calmClause(doses.length, taken.length)}${nextClause(bottle, present, zone)}.`;
  return { meaning, sentence, ...(instead && { more: instead }) };
}

function urgentClause(
  status: DoseStatus,
  doses: readonly TodaysDose[],
  present: number,
  zone: string,
): string {
  const first = doses[0]!;
  const due = Date.parse(first.scheduled_at);
  const when = dayAndTime(due, zone, present);
  if (doses.length > 1) return `${plural(doses.length, 'dose')} ${SEVERAL[status]}, the first of ${when}`;
  const taken = part(first) && `; ${part(first)}`;
  switch (status) {
    case 'late':
      return `Dose of ${when} is ${duration(present - due)} late${taken}`;
    case 'due':
      return `Dose due since ${when}, ${duration(present - due)}${taken}`;
    case 'missed':
      return `Dose of ${when} was missed`;
    case 'unknown':
      return `Dose of ${when} cannot be known: ${offlineText(first, present, zone)}`;
    default:
      return `Dose of ${when} was partly taken: ${first.pills_taken} of ${first.pills_scheduled} pills`;
  }
}

const SEVERAL: Partial<Record<DoseStatus, string>> = {
  late: 'are late',
  due: 'are due',
  missed: 'were missed',
  unknown: 'cannot be known',
  partial: 'were partly taken',
};

function calmClause(doses: number, taken: number): string {
  if (doses === 0) return 'No dose today';
  if (taken === doses)
    return doses === 1 ? 'The dose of today is taken' : `All ${doses} doses of today are taken`;
  return taken === 0 ? 'No dose due yet today' : `${taken} of ${plural(doses, 'dose')} taken today`;
}

function nextClause({ next_dose }: Facts, present: number, zone: string): string {
  if (!next_dose) return '';
  const at = Date.parse(next_dose.scheduled_at);
  return `; next ${dayAndTime(at, zone, present)}, ${ago(at, present)}`;
}

function countsOf(doses: readonly TodaysDose[]): { more?: string } {
  const counts = new Map<string, number>();
  for (const { status } of doses) {
    const label = status.startsWith('taken') ? 'taken' : DOSE_STATUS[status].label.toLowerCase();
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  if (counts.size < 2) return {};
  return { more: `Today: ${[...counts].map(([label, count]) => `${count} ${label}`).join(', ')}.` };
}

/** Why no dose is due, or what was taken as needed; undefined while doses are due by a schedule. */
export function scheduleSentence(today: Today, present: number, zone: string): string | undefined {
  const { schedule_state, schedule_state_until, as_needed } = today;
  const until =
    schedule_state_until === null ? '' : dayAndTime(Date.parse(schedule_state_until), zone, present);
  switch (schedule_state) {
    case 'none':
      return 'No schedule, so no dose is expected.';
    case 'not_started':
      return `The schedule starts ${until}. No dose is due before.`;
    case 'paused':
      return `Paused until ${until}. No dose is due before.`;
    case 'ended':
      return 'The schedule has ended. No further dose is due.';
    case 'as_needed':
      return as_needed ? asNeededSentence(as_needed) : undefined;
    case 'active':
      return undefined;
  }
}

function asNeededSentence({ pills_taken, max_pills, extra_pills }: NonNullable<Today['as_needed']>): string {
  const over = extra_pills > 0 ? `, ${extra_pills} over the limit` : '';
  return `As needed: ${pills_taken} of at most ${plural(max_pills, 'pill')} taken today${over}.`;
}

/** What a dose's line says beside its time and status. */
export function doseDetail(dose: TodaysDose, present: number, zone: string): string {
  return [part(dose), timing(dose, present, zone)].filter((text) => text !== '').join('; ');
}

function part({ pills_taken, pills_scheduled }: TodaysDose): string {
  return pills_taken > 0 && pills_taken < pills_scheduled
    ? `${pills_taken} of ${pills_scheduled} pills taken`
    : '';
}

function timing(dose: TodaysDose, present: number, zone: string): string {
  const time = (at: string): string => dayAndTime(Date.parse(at), zone, present);
  switch (dose.status) {
    case 'upcoming':
      return ago(Date.parse(dose.scheduled_at), present);
    case 'due':
      return present <= Date.parse(dose.late_at)
        ? `on time until ${time(dose.late_at)}`
        : 'waiting for the next report of the bottle';
    case 'late':
      return dose.offline ? offlineText(dose, present, zone) : `missed after ${time(dose.missed_at)}`;
    case 'unknown':
      return offlineText(dose, present, zone);
    default:
      return dose.taken_at === null ? '' : `at ${time(dose.taken_at)}`;
  }
}

function offlineText({ offline }: TodaysDose, present: number, zone: string): string {
  const time = (at: string): string => dayAndTime(Date.parse(at), zone, present);
  if (!offline) return 'the bottle was offline';
  const { since, until } = offline;
  if (since === null)
    return until === null ? 'the bottle has never reported' : `no report before ${time(until)}`;
  return until === null ? `offline since ${time(since)}` : `offline from ${time(since)} to ${time(until)}`;
}
