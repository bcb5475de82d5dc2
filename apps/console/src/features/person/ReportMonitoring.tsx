import type { Gap, PersonsReport, ScheduleVersion, UnmonitoredPeriod } from '../../api/schema.js';
import { now } from '../../time/clock.js';
import { clockTime, dayWithYear } from '../../time/format.js';
import { scheduleText } from '../bottle/schedule/schedule-text.js';
import { PERIOD_REASONS } from '../periods/reasons.js';
import { t } from '../../i18n/i18n.js';

export type ReportedBottle = PersonsReport['bottles'][number];

/** Times with their day and year, today's too: the report is read later. */
export const datedIn =
  (zone: string) =>
  (at: string): string =>
    `${dayWithYear(Date.parse(at), zone)}, ${clockTime(Date.parse(at), zone)}`;

/** Since when the bottle was monitored, by which schedules, of which pauses it says nothing, and what we could not see. */
export function ReportMonitoring({ bottle }: { bottle: ReportedBottle }) {
  const { adherence, schedules, periods, gaps } = bottle;
  const { time_zone: zone, from, monitored_since: since } = adherence;
  return (
    <>
      <p>{monitoredText(adherence)}</p>
      <h3>{t('Schedule')}</h3>
      <Schedules schedules={schedules} />
      <h3>{t('Pauses and periods without monitoring')}</h3>
      <Periods periods={periods} zone={zone} />
      <h3>{t('Not visible to us')}</h3>
      <Gaps gaps={gaps} zone={zone} since={since !== null && since > from ? since : from} />
    </>
  );
}

/** Nothing before the first report was seen. */
function monitoredText({ from, to, time_zone, monitored_since: since }: ReportedBottle['adherence']): string {
  if (since === null) return t('Not monitored: the bottle has not reported yet.');
  const time = datedIn(time_zone)(since);
  if (since >= to) return t('Not monitored in this period: the bottle first reported on {{time}}.', { time });
  return since > from
    ? t('Monitored since {{time}}. Before, nothing could be seen.', { time })
    : t('Monitored since {{time}}.', { time });
}

function Schedules({ schedules }: { schedules: ScheduleVersion[] }) {
  if (schedules.length === 0) return <p>{t('No schedule.')}</p>;
  return (
    <ul>
      {schedules.map(({ effective_from, time_zone, schedule }) => (
        <li key={effective_from}>
          {t('From {{time}}: {{schedule}}', {
            time: datedIn(time_zone)(effective_from),
            schedule: scheduleText(schedule, time_zone, now()),
          })}
        </li>
      ))}
    </ul>
  );
}

function Periods({ periods, zone }: { periods: UnmonitoredPeriod[]; zone: string }) {
  if (periods.length === 0) return <p>{t('None in this period.')}</p>;
  return (
    <ul>
      {periods.map(({ id, reason, from, to, note }) => (
        <li key={id}>
          {spanText(from, to, zone)}: {PERIOD_REASONS[reason]}
          {note && ` ${t('“{{text}}”', { text: note })}`}
        </li>
      ))}
    </ul>
  );
}

const GAP_REASONS: Record<Gap['reason'], string> = {
  silent: t('the bottle did not report'),
  never_connected: t('the bottle had not reported since it was registered'),
  coverage_gap: t('we could not receive reports'),
};

function Gaps({ gaps, zone, since }: { gaps: Gap[]; zone: string; since: string }) {
  if (gaps.length === 0)
    return <p>{t('No gap was found since {{time}}.', { time: datedIn(zone)(since) })}</p>;
  return (
    <ul>
      {gaps.map(({ from, until, reason }) => (
        <li key={`${reason} ${from}`}>
          {spanText(from, until, zone)}: {GAP_REASONS[reason]}
        </li>
      ))}
    </ul>
  );
}

function spanText(from: string, to: string | null, zone: string): string {
  const dated = datedIn(zone);
  return to === null
    ? t('{{from}} to now', { from: dated(from) })
    : t('{{from}} to {{to}}', { from: dated(from), to: dated(to) });
}
