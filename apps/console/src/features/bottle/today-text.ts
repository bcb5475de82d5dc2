import type { Bottle, Today, TodaysDose } from '../../api/schema.js';
import { unclearClosingText } from '../../alert-kinds/unclear-closing.js';
import type { DoseStatus } from '../../api/vocabulary.js';
import { ago, dayAndTime, duration } from '../../time/format.js';
import { DOSE_STATUS, REPORTED } from '../../ui/meanings.js';
import type { Meaning } from '../../ui/Mark.js';
import { periodReasonText } from '../periods/reasons.js';
import { t } from '../../i18n/i18n.js';
import { amountText, pluralOf } from '../../i18n/pills.js';

type Facts = Pick<Bottle, 'today' | 'next_dose'>;

/** The doses of a day in one statement, which says nothing of the device. */
export interface DosesStatement {
  meaning: Meaning;
  sentence: string;
  /** All doses of the day by their status, or why no more are due. */
  more?: string;
}

/** Statuses by urgency: the first that a dose of the day has is the statement. */
export const BY_URGENCY: readonly DoseStatus[] = ['late', 'due', 'missed', 'unknown', 'partial'];

/**
 * How the doses of a day stand: `Dose of 12:00 CET is late by 1 h 3 min; 08:00 CET reported taken (measured: late).`
 * A dose that people report taken or skipped is not urgent any more, whatever was measured.
 *
 * @param present epoch milliseconds.
 * @param zone IANA name: the zone of the times.
 */
export function dosesStatement(bottle: Facts, present: number, zone: string): DosesStatement {
  const { doses } = bottle.today;
  const open = doses.filter((dose) => settledBy(dose) === undefined);
  const stated = doses.flatMap((dose) => statedClause(dose, present, zone));
  const urgent = BY_URGENCY.find((status) => open.some((dose) => dose.status === status));
  if (urgent) {
    const those = open.filter(({ status }) => status === urgent);
    return {
      meaning: DOSE_STATUS[urgent],
      sentence: `${[urgentClause(urgent, those, present, zone), ...stated].join('; ')}.`,
      ...countsOf(doses),
    };
  }
  const instead = scheduleSentence(bottle.today, present, zone);
  if (instead && doses.length === 0) return { meaning: DOSE_STATUS.upcoming, sentence: instead };
  const taken = doses.filter(({ taken_at }) => taken_at !== null).length;
  const calm = taken === 0 && stated.length > 0 ? [] : [calmClause(doses.length, taken)];
  const sentence = `${[...calm, ...stated, ...nextClause(bottle, present, zone)].join('; ')}.`;
  return { meaning: lastMeaning(doses), sentence, ...(instead && { more: instead }) };
}

/** How people's word settles a dose; undefined while it does not: a part of it, or pills for later, settle nothing. */
function settledBy({ reported }: TodaysDose): 'taken' | 'skipped' | undefined {
  if (reported?.outcome === 'skipped') return 'skipped';
  return reported?.outcome.startsWith('taken') ? 'taken' : undefined;
}

/** `08:00 CET reported taken (measured: late)`; none if nobody's word settles what was measured. */
function statedClause(dose: TodaysDose, present: number, zone: string): string[] {
  const settled = settledBy(dose);
  if (settled === undefined || !BY_URGENCY.includes(dose.status)) return [];
  const texts = {
    when: dayAndTime(Date.parse(dose.scheduled_at), zone, present),
    measured: DOSE_STATUS[dose.status].label.toLowerCase(),
  };
  return settled === 'taken'
    ? [t('{{when}} reported taken (measured: {{measured}})', texts)]
    : [t('{{when}} reported skipped (measured: {{measured}})', texts)];
}

/** The mark of the last dose that was taken, or that people's word settles. */
function lastMeaning(doses: readonly TodaysDose[]): Meaning {
  const last = doses.findLast((dose) => dose.taken_at !== null || settledBy(dose));
  if (!last) return DOSE_STATUS.upcoming;
  return last.taken_at === null ? REPORTED[last.reported!.outcome] : DOSE_STATUS[last.status];
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
  if (doses.length > 1) return severalText(status, doses.length, when);
  const taken = part(first) && `; ${part(first)}`;
  const span = duration(present - due);
  switch (status) {
    case 'late':
      return `${t('Dose of {{when}} is {{span}} late', { when, span })}${taken}`;
    case 'due':
      return `${t('Dose due since {{when}}, {{span}}', { when, span })}${taken}`;
    case 'missed':
      return t('Dose of {{when}} was missed', { when });
    case 'unknown':
      return t('Dose of {{when}} cannot be known: {{why}}', { when, why: offlineText(first, present, zone) });
    default:
      return t('Dose of {{when}} was partly taken: {{taken}} of {{scheduled}} pills', {
        when,
        taken: amountText(first.pills_taken),
        scheduled: amountText(first.pills_scheduled),
      });
  }
}

/** Several doses in a status, the first of which was due at `when`. */
function severalText(status: DoseStatus, count: number, when: string): string {
  switch (status) {
    case 'late':
      return t('{{count, number}} doses are late, the first of {{when}}', { count, when });
    case 'due':
      return t('{{count, number}} doses are due, the first of {{when}}', { count, when });
    case 'missed':
      return t('{{count, number}} doses were missed, the first of {{when}}', { count, when });
    case 'unknown':
      return t('{{count, number}} doses cannot be known, the first of {{when}}', { count, when });
    default:
      return t('{{count, number}} doses were partly taken, the first of {{when}}', { count, when });
  }
}

function calmClause(doses: number, taken: number): string {
  if (doses === 0) return t('No dose today');
  if (taken === doses)
    return doses === 1
      ? t('The dose of today is taken')
      : t('All {{doses}} doses of today are taken', { doses });
  return taken === 0
    ? t('No dose due yet today')
    : t('{{taken}} of {{count, number}} doses taken today', { taken, count: doses });
}

/** None if no dose follows. */
function nextClause({ next_dose }: Facts, present: number, zone: string): string[] {
  if (!next_dose) return [];
  const at = Date.parse(next_dose.scheduled_at);
  return [t('next {{when}}, {{ago}}', { when: dayAndTime(at, zone, present), ago: ago(at, present) })];
}

function countsOf(doses: readonly TodaysDose[]): { more?: string } {
  const counts = new Map<string, number>();
  for (const dose of doses) {
    const label = countedAs(dose);
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  if (counts.size < 2) return {};
  const list = [...counts].map(([label, count]) => `${count} ${label}`).join(', ');
  return { more: t('Today: {{counts}}.', { counts: list }) };
}

function countedAs(dose: TodaysDose): string {
  const { status } = dose;
  if (status.startsWith('taken')) return t('taken');
  const settled = BY_URGENCY.includes(status) ? settledBy(dose) : undefined;
  if (settled === undefined) return DOSE_STATUS[status].label.toLowerCase();
  return settled === 'taken' ? t('reported taken') : t('reported skipped');
}

/** Why no dose is due, or what was taken as needed; undefined while doses are due by a schedule. */
export function scheduleSentence(today: Today, present: number, zone: string): string | undefined {
  const { schedule_state, schedule_state_until, as_needed } = today;
  const until =
    schedule_state_until === null ? '' : dayAndTime(Date.parse(schedule_state_until), zone, present);
  switch (schedule_state) {
    case 'none':
      return t('No schedule, so no dose is expected.');
    case 'not_started':
      return t('The schedule starts {{until}}. No dose is due before.', { until });
    case 'paused':
      return t('Paused until {{until}}. No dose is due before.', { until });
    case 'not_monitored':
      return until === ''
        ? t('Not monitored for now: the bottle says nothing of its doses.')
        : t('Not monitored until {{until}}: the bottle says nothing of its doses.', { until });
    case 'ended':
      return t('The schedule has ended. No further dose is due.');
    case 'shared':
      return t('For the plan of another bottle, which has the doses.');
    case 'as_needed':
      return as_needed ? asNeededSentence(as_needed) : undefined;
    case 'active':
      return undefined;
  }
}

function asNeededSentence({ pills_taken, max_pills, extra_pills }: NonNullable<Today['as_needed']>): string {
  const [taken, over] = [amountText(pills_taken), amountText(extra_pills)];
  const [count, pills] = [pluralOf(max_pills), amountText(max_pills)];
  return extra_pills > 0
    ? t('As needed: {{taken}} of at most {{pills}} pills taken in 24 hours, {{over}} over the limit.', {
        taken,
        over,
        count,
        pills,
      })
    : t('As needed: {{taken}} of at most {{pills}} pills taken in 24 hours.', { taken, count, pills });
}

/** `Metformin 500 mg, 08:00 CET`; among doses of one bottle without the medication. */
export function doseName(
  scheduled_at: string,
  medication: string | null | undefined,
  zone: string,
  present: number,
): string {
  const time = dayAndTime(Date.parse(scheduled_at), zone, present);
  return medication == null ? time : `${medication}, ${time}`;
}

/** What a dose's line says beside its time and status. */
export function doseDetail(dose: TodaysDose, present: number, zone: string): string {
  return [part(dose), timing(dose, present, zone)].filter((text) => text !== '').join('; ');
}

function part({ pills_taken, pills_scheduled }: TodaysDose): string {
  return pills_taken > 0 && pills_taken < pills_scheduled
    ? t('{{taken}} of {{scheduled}} pills taken', {
        taken: amountText(pills_taken),
        scheduled: amountText(pills_scheduled),
      })
    : '';
}

function timing(dose: TodaysDose, present: number, zone: string): string {
  const time = (at: string): string => dayAndTime(Date.parse(at), zone, present);
  switch (dose.status) {
    case 'upcoming':
      return ago(Date.parse(dose.scheduled_at), present);
    case 'due':
      return present <= Date.parse(dose.late_at)
        ? t('on time until {{time}}', { time: time(dose.late_at) })
        : t('waiting for the next report of the bottle');
    case 'late':
      return dose.offline
        ? offlineText(dose, present, zone)
        : t('missed after {{time}}', { time: time(dose.missed_at) });
    case 'unknown':
      return offlineText(dose, present, zone);
    case 'not_monitored':
      return dose.period ? periodReasonText(dose.period.reason) : '';
    default:
      return dose.taken_at === null ? '' : t('at {{time}}', { time: time(dose.taken_at) });
  }
}

function offlineText(
  { offline, unreported, unclear_closing: unclear, period }: TodaysDose,
  present: number,
  zone: string,
): string {
  const time = (at: string): string => dayAndTime(Date.parse(at), zone, present);
  if (unreported)
    return t('by its count, {{pills}} left the bottle by {{time}}, and no closing reported it', {
      pills: t('{{pills}} pills', { count: pluralOf(unreported.pills), pills: amountText(unreported.pills) }),
      time: time(unreported.until),
    });
  if (unclear) return unclearClosingText(unclear, time(unclear.at));
  if (period)
    return t('another bottle of the plan was not monitored: {{reason}}', {
      reason: periodReasonText(period.reason),
    });
  if (!offline) return t('the bottle was offline');
  const { since, until } = offline;
  if (since === null)
    return until === null
      ? t('the bottle has never reported')
      : t('no report before {{time}}', { time: time(until) });
  return until === null
    ? t('offline since {{since}}', { since: time(since) })
    : t('offline from {{since}} to {{until}}', { since: time(since), until: time(until) });
}
