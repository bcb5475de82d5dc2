import { DAY_MS } from '../../time/durations.js';
import { Button, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { get } from '../../api/request.js';
import type { Initiation, Person, PersonsReport, Ratio, Statement } from '../../api/schema.js';
import type { AnyDose, StatedDose } from '../../api/vocabulary.js';
import { now } from '../../time/clock.js';
import { timeOnly, dayWithYear, duration, localDay, VIEWER_ZONE } from '../../time/format.js';
import { CsvLink } from '../../ui/CsvLink.js';
import { Mark, Marked, meaningOf } from '../../ui/Mark.js';
import { OUTCOME, outcomeText } from '../../ui/meanings.js';
import { PageHead } from '../../ui/PageHead.js';
import { Empty, Pending, Unreadable } from '../../ui/States.js';
import table from '../../ui/Table.module.css';
import { daysLeftOutTexts, holidaysText, lastDoseText } from '../bottle/adherence/taxonomy-text.js';
import { ATTESTOR_LABELS, attestorOf, recorderOf, whatText } from '../bottle/reported-text.js';
import { readDoses } from '../bottle/overview/DoseCalendar.js';
import { personPath } from './queries.js';
import { datedIn, ReportMonitoring } from './ReportMonitoring.js';
import classes from './ReportPage.module.css';
import { t, numberText } from '../../i18n/i18n.js';

const route = getRouteApi('/people/$userId/report');

const SPANS = ['28', '56', '91'] as const;

/** A person's adherence in a period, on one or two printed pages, for a doctor. */
export function ReportPage() {
  const { userId } = route.useParams();
  const [days, setDays] = useState<string>(SPANS[0]);
  const path = personPath(userId);
  const query = useQuery({
    queryKey: ['report', userId, days],
    queryFn: async ({ signal }) => {
      const range = {
        from: new Date(now() - Number(days) * DAY_MS).toISOString(),
        to: new Date(now()).toISOString(),
      };
      const [report, { doses, unreadable }, { bottles }] = await Promise.all([
        get<PersonsReport>(`${path}/report`, { query: range, signal }),
        readDoses(path, range, signal),
        get<Person>(path, { signal }),
      ]);
      const asNeeded = bottles.filter(({ today }) => today.schedule_state === 'as_needed');
      return {
        report,
        doses: doses.toReversed(),
        unreadable,
        asNeeded: new Set(asNeeded.map(({ bottle_id }) => bottle_id)),
        range,
      };
    },
    // a page that is read or printed does not change under the reader; whoever opens it again reads the newest
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    placeholderData: (previous) => previous,
  });
  const { data } = query;
  return (
    <>
      <PageHead
        title={t('Report: {{name}}', { name: data?.report.name ?? userId })}
        lead={<span className={classes['who']}>{t('User {{userId}}', { userId })}</span>}
      >
        <div className={classes['actions']}>
          <SegmentedControl
            size="xs"
            aria-label={t('Period')}
            data={SPANS.map((span) => ({
              value: span,
              label: t('{{count, number}} weeks', { count: Number(span) / 7 }),
            }))}
            value={days}
            onChange={setDays}
          />
          {data && (
            <>
              <CsvLink
                path={`${path}/report`}
                query={data.range}
                name={`report-${userId}`}
                label={t('Figures as CSV')}
              />
              <CsvLink
                path={`${path}/doses`}
                query={data.range}
                name={`doses-${userId}`}
                label={t('Doses as CSV')}
              />
            </>
          )}
          <Button onClick={() => window.print()}>{t('Print')}</Button>
        </div>
      </PageHead>
      {data ? <Report {...data} /> : <Pending query={query} lines={8} />}
      <p className={classes['actions']}>
        <Link to="/people/$userId" params={{ userId }}>
          {t('Back to the person')}
        </Link>
      </p>
    </>
  );
}

interface ReportProps {
  report: PersonsReport;
  doses: AnyDose[];
  /** How many doses cannot be shown. */
  unreadable: number;
  /** The ids of the bottles whose pills are taken as needed. */
  asNeeded: ReadonlySet<string>;
}

function Report({ report, doses, unreadable, asNeeded }: ReportProps) {
  const { bottles, from, to } = report;
  if (bottles.length === 0) return <Empty title={t('No bottles in this period')} />;
  return (
    <article className={classes['report']} aria-label={t('Report')}>
      <Unreadable count={unreadable} />
      {bottles.map((bottle) => {
        const zone = bottle.adherence.time_zone;
        const begins = Math.max(Date.parse(from), Date.parse(bottle.adherence.from));
        const ends = Date.parse(bottle.adherence.to);
        // a bottle that was theirs twice has a section for each time
        const isIts = ({ bottle_id, scheduled_at }: AnyDose): boolean =>
          bottle_id === bottle.bottle_id &&
          Date.parse(scheduled_at) >= begins &&
          Date.parse(scheduled_at) < ends;
        const theirs = doses.filter(isIts);
        return (
          <section
            key={`${bottle.bottle_id} ${bottle.adherence.from}`}
            aria-label={bottle.medication ?? t('Unknown medication')}
            className={classes['bottle']}
          >
            <h2>{bottle.medication ?? t('Unknown medication')}</h2>
            <p>
              {t('From {{from}} to {{to}}. Days and times are those of {{zone}}.', {
                from: dayWithYear(begins, zone),
                to: dayWithYear(ends, zone),
                zone,
              })}
            </p>
            <ReportMonitoring bottle={bottle} />
            <h3>{t('Adherence')}</h3>
            <FiguresTable adherence={bottle.adherence} />
            <Calendar doses={theirs} zone={zone} asNeeded={asNeeded.has(bottle.bottle_id)} />
            <Statements doses={[...theirs, ...bottle.unjudged]} zone={zone} />
          </section>
        );
      })}
      <Legend />
      <p className={classes['quiet']}>
        {t(
          'The bottle measures pills removed, not pills swallowed. “With reports” counts a dose as people report it, where somebody does.',
        )}
      </p>
      <p className={classes['quiet']}>{t('Data as of {{time}}.', { time: datedIn(VIEWER_ZONE)(to) })}</p>
      <div className={classes['signature']}>
        <span>{t('Date')}</span>
        <span>{t('Signature')}</span>
      </div>
    </article>
  );
}

function FiguresTable({ adherence }: { adherence: PersonsReport['bottles'][number]['adherence'] }) {
  const { reported, doses, unknown, not_monitored, extra } = adherence;
  const shares = (
    [
      [t('Doses taken'), adherence.taking, reported.taking],
      [t('Doses on time'), adherence.timing, reported.timing],
      [t('Correct days'), adherence.correct_dosing, reported.correct_dosing],
      [t('Days covered'), adherence.days_covered, reported.days_covered],
      [t('Days with the prescribed amount'), adherence.implementation, reported.implementation],
    ] as const
  ).map(([name, measured, worded]) => [name, ratioText(measured), ratioText(worded)] as const);
  const others = [
    [
      t('Three or more days without a dose'),
      holidaysText(adherence.drug_holidays),
      holidaysText(reported.drug_holidays),
    ],
    [
      t('First dose'),
      firstDoseText(adherence.initiation, adherence.time_zone),
      firstDoseText(reported.initiation, adherence.time_zone),
    ],
    [t('Last dose'), lastDoseText(adherence.persistence), lastDoseText(reported.persistence)],
  ] as const;
  return (
    <>
      <table className={table['table']}>
        <thead>
          <tr>
            <th scope="col">{t('Adherence')}</th>
            <th scope="col">{t('Measured')}</th>
            <th scope="col">{t('With reports')}</th>
          </tr>
        </thead>
        <tbody>
          {[...shares, ...others].map(([name, measured, worded]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td data-label={t('Measured')}>{measured}</td>
              <td data-label={t('With reports')}>{worded}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        {t('Measured')}:{' '}
        {[
          t('{{count, number}} doses missed', { count: doses.missed }),
          t('{{count}} partly taken', { count: doses.partial }),
          t('{{count}} cannot be known', { count: unknown.doses }),
          ...(not_monitored.doses > 0 ? [t('{{count}} not monitored', { count: not_monitored.doses })] : []),
          ...(extra > 0 ? [t('{{count, number}} extra removals', { count: extra })] : []),
        ].join(', ')}
        .{' '}
        {reported.attested.numerator === 0
          ? t('None comes from people’s statements.')
          : t('{{share}} come from people’s statements.', { share: ratioText(reported.attested) })}
        {reported.excused > 0 &&
          ` ${t('{{count, number}} doses skipped on medical advice not counted with reports.', { count: reported.excused })}`}
      </p>
      <p>{daysLeftOutTexts(adherence.implementation).join(' ')}</p>
    </>
  );
}

function firstDoseText({ first_dose_at }: Initiation, zone: string): string {
  return first_dose_at === null
    ? t('none', { context: 'dose' })
    : dayWithYear(Date.parse(first_dose_at), zone);
}

function ratioText({ numerator, denominator, ratio }: Ratio): string {
  if (ratio === null) return t('none', { context: 'share' });
  return t('{{percent}} % ({{part}} of {{whole}})', {
    percent: Math.round(ratio * 100),
    part: numerator,
    whole: denominator,
  });
}

/** Each day a row of its doses: the mark, and the time against the schedule. */
function Calendar({ doses, zone, asNeeded }: { doses: AnyDose[]; zone: string; asNeeded: boolean }) {
  const days = new Map<string, AnyDose[]>();
  for (const dose of doses) {
    const day = localDay(Date.parse(dose.scheduled_at), zone);
    days.set(day, [...(days.get(day) ?? []), dose]);
  }
  if (days.size === 0)
    return (
      <p>
        {asNeeded
          ? t('To be taken as needed: no dose is due at a certain time.')
          : t('No dose has an outcome in this period.')}
      </p>
    );
  return (
    <ol className={classes['days']} aria-label={t('Doses by day')}>
      {[...days].map(([day, ofDay]) => (
        <li key={day} className={classes['day']}>
          <span className={classes['date']}>{dayWithYear(Date.parse(`${day}T12:00:00Z`), 'UTC')}</span>
          <ul className={classes['doses']}>
            {ofDay.map((dose) => (
              <li key={dose.scheduled_at}>
                <DoseText dose={dose} zone={zone} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}

function DoseText({ dose, zone }: { dose: AnyDose; zone: string }) {
  const meaning = meaningOf(OUTCOME, dose.outcome);
  return (
    <>
      <Mark of={meaning} label={meaning.label} size={13} />
      <span>
        {timeOf(dose.scheduled_at, zone)}
        {againstSchedule(dose)}
        {dose.reported && '*'}
      </span>
    </>
  );
}

/** Without the zone, which the report names once. */
const timeOf = (at: string, zone: string): string => timeOnly(Date.parse(at), zone);

/** ` +12 min`: how long after its time the dose was taken. */
function againstSchedule({ scheduled_at, taken_at }: AnyDose): string {
  if (taken_at === null) return '';
  const after = Date.parse(taken_at) - Date.parse(scheduled_at);
  return ` ${after < 0 ? '−' : '+'}${duration(Math.abs(after))}`;
}

/** What people report of doses, and who does: the statement that counts, and others that stand. */
function Statements({ doses, zone }: { doses: StatedDose[]; zone: string }) {
  const stated = doses
    .filter(({ reported }) => reported)
    .toSorted((one, other) => (one.scheduled_at < other.scheduled_at ? -1 : 1));
  const dated = datedIn(zone);
  if (stated.length === 0) return <p>{t('Nobody reported anything about these doses.')}</p>;
  return (
    <>
      <h3>{t('* Reported by people')}</h3>
      <p>{attestorsText(stated)}</p>
      <ul>
        {stated.map(({ scheduled_at, reported, earlier_reports, outcome }) => (
          <li key={scheduled_at}>
            {t('{{time}}: measured {{measured}}, {{statement}}', {
              time: dated(scheduled_at),
              measured: outcome === undefined ? t('not yet', { context: 'measured' }) : outcomeText(outcome),
              statement: reportedBy(reported!, dated),
            })}
            {earlier_reports.map((earlier) => (
              <p key={earlier.id} className={classes['earlier']}>
                {t('Before, on {{time}}: {{statement}}', {
                  time: dated(earlier.at),
                  statement: reportedBy(earlier, dated),
                })}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}

/** `By: Patient (3), Carer (1).` Whose word counts of how many doses. */
function attestorsText(stated: readonly StatedDose[]): string {
  const whose = Object.entries(ATTESTOR_LABELS).flatMap(([attestor, label]) => {
    const count = stated.filter(({ reported }) => reported?.attested_by === attestor).length;
    return count === 0 ? [] : [`${label} (${numberText(count)})`];
  });
  return t('By: {{who}}.', { who: whose.join(', ') });
}

/** `reported skipped (a side effect) by the patient (recorded by Carol Smith): felt sick` */
function reportedBy(statement: Statement, dated: (at: string) => string): string {
  const recorder = recorderOf(statement);
  const texts = { reported: whatText(statement, dated), who: attestorOf(statement) };
  const text =
    recorder === undefined || statement.attested_by === 'staff'
      ? t('reported {{reported}} by {{who}}', texts)
      : t('reported {{reported}} by {{who}} (recorded by {{recorder}})', { ...texts, recorder });
  return statement.note === null ? text : `${text}: ${statement.note}`;
}

function Legend() {
  return (
    <ul className={classes['legend']} aria-label={t('Legend')}>
      {Object.entries(OUTCOME).map(([outcome, meaning]) => (
        <li key={outcome}>
          <Marked of={meaning} />
        </li>
      ))}
    </ul>
  );
}
