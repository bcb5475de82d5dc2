import { DAY_MS } from '../../../time/durations.js';
import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Trans } from 'react-i18next';
import { get } from '../../../api/request.js';
import type { Adherence, Ratio } from '../../../api/schema.js';
import { type Outcome, OUTCOMES } from '../../../api/vocabulary.js';
import { now } from '../../../time/clock.js';
import { Moment } from '../../../time/Moment.js';
import { CsvLink } from '../../../ui/CsvLink.js';
import { Marked } from '../../../ui/Mark.js';
import { REPORTED } from '../../../ui/meanings.js';
import { Panel } from '../../../ui/Panel.js';
import { Empty, Pending } from '../../../ui/States.js';
import { useBottle } from '../queries.js';
import classes from './AdherenceTab.module.css';
import { FirstDose, WithReports } from './Measured.js';
import { daysLeftOutTexts, holidaysText, lastDoseText } from './taxonomy-text.js';
import { t } from '../../../i18n/i18n.js';

const SPANS = ['7', '30', '90', '365'] as const;

/** Figures of adherence with their formulas. */
export function AdherenceTab() {
  const { bottle_id, schedule } = useBottle();
  const [days, setDays] = useState<string>('30');
  const from = (): string => new Date(now() - Number(days) * DAY_MS).toISOString();
  const query = useQuery({
    queryKey: ['bottle', bottle_id, 'adherence', days],
    queryFn: ({ signal }) =>
      get<Adherence>(`/v1/bottles/${bottle_id}/adherence`, {
        query: { from: from() },
        signal,
      }),
    placeholderData: (previous) => previous,
  });
  const { data } = query;
  return (
    <div className={classes['page']}>
      <div className={classes['head']}>
        <SegmentedControl
          size="xs"
          aria-label={t('Period')}
          data={SPANS.map((span) => ({
            value: span,
            label: t('{{count, number}} days', { count: Number(span) }),
          }))}
          value={days}
          onChange={setDays}
        />
        <div className={classes['exports']}>
          <CsvLink
            path={`/v1/bottles/${bottle_id}/adherence`}
            query={{ from: from() }}
            name={`adherence-${bottle_id}`}
            label={t('Figures as CSV')}
          />
          <CsvLink
            path={`/v1/bottles/${bottle_id}/doses`}
            query={{ from: from() }}
            name={`doses-${bottle_id}`}
            label={t('Doses as CSV')}
          />
        </div>
      </div>
      {!data && <Pending query={query} />}
      {data && <MonitoredSince {...data} />}
      {data &&
        (data.taking.denominator + data.unknown.doses + data.not_monitored.doses > 0 ? (
          <Figures adherence={data} />
        ) : (
          <Empty title={t('No doses due in this period')}>
            {schedule ? t('Choose a longer period.') : t('No schedule, so no doses are expected.')}
          </Empty>
        ))}
    </div>
  );
}

/** Nothing before the first report was seen, whatever period is chosen. */
function MonitoredSince({ from, monitored_since: since }: Adherence) {
  if (since === null) return <p>{t('Not monitored: the bottle has not reported yet.')}</p>;
  return (
    <p className={classes['formula']}>
      {since > from ? (
        <Trans
          i18nKey="Monitored since <at/>. Before, nothing could be seen."
          components={{ at: <Moment at={since} /> }}
        />
      ) : (
        <Trans i18nKey="Monitored since <at/>." components={{ at: <Moment at={since} /> }} />
      )}
    </p>
  );
}

function Figures({ adherence }: { adherence: Adherence }) {
  const {
    taking,
    correct_dosing,
    timing,
    days_covered,
    doses,
    extra,
    unknown,
    drug_holidays,
    time_zone,
    reported,
    implementation,
    persistence,
  } = adherence;
  return (
    <>
      <p className={classes['formula']}>{reportedShareText(reported)}</p>
      <div className={classes['figures']}>
        <Figure
          name={t('Doses taken')}
          measured={taking}
          reported={reported.taking}
          unit="doses"
          formula={t('doses taken ÷ known doses')}
        />
        <Figure
          name={t('Doses on time')}
          measured={timing}
          reported={reported.timing}
          unit="doses"
          formula={t('doses taken on time ÷ known doses')}
        />
        <Figure
          name={t('Correct days')}
          measured={correct_dosing}
          reported={reported.correct_dosing}
          unit="days"
          formula={t('days with every dose and no extra pills ÷ known days')}
        />
        <Figure
          name={t('Days covered')}
          measured={days_covered}
          reported={reported.days_covered}
          unit="days"
          formula={t('days with every dose taken ÷ known days')}
        />
        <Figure
          name={t('Days with the prescribed amount')}
          measured={implementation}
          reported={reported.implementation}
          unit="days"
          formula={t('days on which at least the prescribed pills were removed ÷ days of the plan')}
        />
      </div>
      <Panel
        title={t('Doses by outcome')}
        aside={extra > 0 ? t('plus {{extra}} extra', { extra }) : undefined}
      >
        <Outcomes measured={doses} reported={reported.doses} />
      </Panel>
      <Panel title={t('Course of the treatment')}>
        <dl className={classes['notes']}>
          <dt>{t('First dose')}</dt>
          <dd>
            <FirstDose {...adherence.initiation} />
          </dd>
          <dd>
            <WithReports>
              <FirstDose {...reported.initiation} />
            </WithReports>
          </dd>
          <dt>{t('Last dose')}</dt>
          <dd>{lastDoseText(persistence)}</dd>
          <dd>
            <WithReports>{lastDoseText(reported.persistence)}</WithReports>
          </dd>
        </dl>
      </Panel>
      <Panel title={t('Not included in these figures')}>
        <div className={classes['notes']}>
          {daysLeftOutTexts(implementation).map((text) => (
            <p key={text}>{text}</p>
          ))}
          <p>{unknownText(adherence)}</p>
          {adherence.not_monitored.doses > 0 && (
            <p>
              {t('Not monitored: {{doses}}, by periods that people entered.', {
                doses: t('{{count, number}} doses', { count: adherence.not_monitored.doses }),
              })}
            </p>
          )}
          {unknown.doses > 0 && (
            <p>
              {t('If all of these were missed, {{least}} of doses were taken; if all were taken, {{most}}.', {
                least: percent(taking.numerator, taking.denominator + unknown.doses),
                most: percent(taking.numerator + unknown.doses, taking.denominator + unknown.doses),
              })}
            </p>
          )}
          <p>
            {t(
              'The bottle measures pills removed, not pills swallowed. Days follow the time zone {{zone}}. Doses without an outcome yet are not counted.',
              { zone: time_zone },
            )}
          </p>
        </div>
      </Panel>
      {hasHolidays(adherence) && (
        <Panel title={t('Three or more days without a dose')}>
          <ul className={classes['notes']}>
            {drug_holidays.periods.map(({ from, to, missed_doses }) => (
              <li key={from}>
                <Trans
                  i18nKey="<from/> to <to/>: {{count, number}} missed doses"
                  count={missed_doses}
                  components={{ from: <Moment at={from} />, to: <Moment at={to} /> }}
                />
              </li>
            ))}
            {drug_holidays.possible > 0 && (
              <li>
                {t('{{count, number}} more possible, but with unknown doses.', {
                  count: drug_holidays.possible,
                })}
              </li>
            )}
            <li>
              <WithReports>{holidaysText(reported.drug_holidays)}</WithReports>
            </li>
          </ul>
        </Panel>
      )}
    </>
  );
}

/** Whether there are any, as measured or with people's word. */
function hasHolidays({ drug_holidays, reported }: Adherence): boolean {
  return [drug_holidays, reported.drug_holidays].some(({ count, possible }) => count + possible > 0);
}

function percent(part: number, whole: number): string {
  return `${Math.round((part / whole) * 100)} %`;
}

const share = ({ ratio }: Ratio): string => (ratio === null ? '–' : `${Math.round(ratio * 100)} %`);

/** What figures are shares of. */
const UNITS = {
  doses: {
    none: t('no known doses'),
    share: (part: number, whole: number) => t('{{part}} of {{whole}} doses', { part, whole }),
  },
  days: {
    none: t('no known days'),
    share: (part: number, whole: number) => t('{{part}} of {{whole}} days', { part, whole }),
  },
};

/** How much of the reported figures rests on people's word, and what they excuse. */
function reportedShareText({ attested, excused }: Adherence['reported']): string {
  const values = { share: share(attested), part: attested.numerator, whole: attested.denominator };
  return excused === 0
    ? t(
        'Measured by the bottle, and with what people report. {{share}} of the figures with reports come from people’s statements: {{part}} of {{whole}} doses.',
        values,
      )
    : t(
        'Measured by the bottle, and with what people report. {{share}} of the figures with reports come from people’s statements: {{part}} of {{whole}} doses; {{count, number}} doses skipped on medical advice not counted.',
        { ...values, count: excused },
      );
}

/** The doses that the figures leave out, and why. */
function unknownText({ unknown, unknown_in_coverage_gaps: inGaps }: Adherence): string {
  if (unknown.doses === 0) return t('The outcome of every dose is known.');
  return [
    t(
      'Unknown: {{doses}} on {{days}}. The bottle or this service was offline, and the data has not arrived since.',
      {
        doses: t('{{count, number}} doses', { count: unknown.doses }),
        days: t('{{count, number}} days', { count: unknown.days, context: 'dative' }),
      },
    ),
    ...(inGaps > 0
      ? [t('Of these, {{count, number}} doses fell in a coverage gap of this service.', { count: inGaps })]
      : []),
  ].join(' ');
}

interface FigureProps {
  name: string;
  measured: Ratio;
  reported: Ratio;
  unit: keyof typeof UNITS;
  formula: string;
}

/** A share as measured and with reports, with its formula. */
function Figure({ name, measured, reported, unit, formula }: FigureProps) {
  return (
    <section className={classes['figure']} aria-label={name}>
      <h2>{name}</h2>
      <dl className={classes['both']}>
        <Share name={t('Measured')} of={measured} unit={unit} />
        <Share name={t('With reports')} of={reported} unit={unit} />
      </dl>
      <p className={classes['formula']}>{formula}</p>
    </section>
  );
}

/** A share as a number and a bar. */
function Share({ name, of, unit }: { name: string; of: Ratio; unit: keyof typeof UNITS }) {
  const { numerator, denominator, ratio } = of;
  return (
    <div>
      <dt>{name}</dt>
      <dd className={classes['percent']}>{share(of)}</dd>
      <div className={classes['track']} aria-hidden>
        <div className={classes['fill']} style={{ width: `${(ratio ?? 0) * 100}%` }} />
      </div>
      <dd>{denominator === 0 ? UNITS[unit].none : UNITS[unit].share(numerator, denominator)}</dd>
    </div>
  );
}

interface OutcomesProps {
  measured: Adherence['doses'];
  reported: Adherence['reported']['doses'];
}

/** Doses by outcome, as measured and with reports: a bar each, and as counts. */
function Outcomes({ measured, reported }: OutcomesProps) {
  const outcomes = [...OUTCOMES, ...ONLY_REPORTED.filter((outcome) => reported[outcome] > 0)];
  return (
    <>
      <div className={classes['bars']} aria-hidden>
        {t('Measured')}
        <Bar doses={measured} />
        {t('With reports')}
        <Bar doses={reported} />
      </div>
      <table className={classes['outcomes']}>
        <thead>
          <tr>
            <th scope="col">{t('Outcome')}</th>
            <th scope="col">{t('Measured')}</th>
            <th scope="col">{t('With reports')}</th>
          </tr>
        </thead>
        <tbody>
          {outcomes.map((outcome) => (
            <tr key={outcome}>
              <th scope="row">
                <Marked of={REPORTED[outcome]} />
              </th>
              <td>{outcome in measured ? measured[outcome as Outcome] : '–'}</td>
              <td>{reported[outcome]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** What people may report, and the bottle cannot measure. */
const ONLY_REPORTED = ['taken', 'skipped', 'not_taken'] as const;

function Bar({ doses }: { doses: Record<string, number> }) {
  return (
    <div className={classes['bar']}>
      {[...OUTCOMES, ...ONLY_REPORTED]
        .filter((outcome) => (doses[outcome] ?? 0) > 0)
        .map((outcome) => (
          <div key={outcome} className={classes[outcome]} style={{ flexGrow: doses[outcome] }} />
        ))}
    </div>
  );
}
