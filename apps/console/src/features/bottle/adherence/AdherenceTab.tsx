import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get } from '../../../api/request.js';
import { type Adherence, type Outcome, OUTCOMES, type Ratio } from '../../../api/types.js';
import { now } from '../../../time/clock.js';
import { Moment } from '../../../time/Moment.js';
import { CsvLink } from '../../../ui/CsvLink.js';
import { Marked } from '../../../ui/Mark.js';
import { OUTCOME } from '../../../ui/meanings.js';
import { Panel } from '../../../ui/Panel.js';
import { Empty, Pending } from '../../../ui/States.js';
import { plural } from '../../../ui/text.js';
import { useBottle } from '../queries.js';
import classes from './AdherenceTab.module.css';

const DAY = 86_400_000;
const SPANS = ['7', '30', '90', '365'] as const;

/** Figures of adherence with their formulas. */
export function AdherenceTab() {
  const { bottle_id, schedule } = useBottle();
  const [days, setDays] = useState<string>('30');
  const from = (): string => new Date(now() - Number(days) * DAY).toISOString();
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
          aria-label="Period"
          data={SPANS.map((span) => ({ value: span, label: `${span} days` }))}
          value={days}
          onChange={setDays}
        />
        <CsvLink
          path={`/v1/bottles/${bottle_id}/doses`}
          query={{ from: from() }}
          name={`doses-${bottle_id}`}
        />
      </div>
      {!data && <Pending query={query} />}
      {data &&
        (data.taking.denominator + data.unknown.doses > 0 ? (
          <Figures adherence={data} />
        ) : (
          <Empty title="No doses due in this period">
            {schedule ? 'Choose a longer period.' : 'No schedule, so no doses are expected.'}
          </Empty>
        ))}
    </div>
  );
}

function Figures({ adherence }: { adherence: Adherence }) {
  const { taking, correct_dosing, timing, days_covered, doses, extra, unknown, drug_holidays, time_zone } =
    adherence;
  return (
    <>
      <div className={classes['figures']}>
        <Figure name="Doses taken" ratio={taking} unit="doses" formula="doses taken ÷ known doses" />
        <Figure
          name="Doses on time"
          ratio={timing}
          unit="doses"
          formula="doses taken on time ÷ known doses"
        />
        <Figure
          name="Correct days"
          ratio={correct_dosing}
          unit="days"
          formula="days with every dose and no extra pills ÷ known days"
        />
        <Figure
          name="Days covered"
          ratio={days_covered}
          unit="days"
          formula="days with every dose taken ÷ known days"
        />
      </div>
      <Panel title="Doses by outcome" aside={extra > 0 ? `plus ${extra} extra` : undefined}>
        <OutcomeBar doses={doses} />
      </Panel>
      <Panel title="Not included in these figures">
        <div className={classes['notes']}>
          <p>
            {unknown.doses === 0
              ? 'The outcome of every dose is known.'
              : `Unknown: ${plural(unknown.doses, 'dose')} on ${plural(unknown.days, 'day')}. The bottle or this service was offline, and the data has not arrived since.`}
          </p>
          {unknown.doses > 0 && (
            <p>
              If all of these were missed, {percent(taking.numerator, taking.denominator + unknown.doses)} of
              doses were taken; if all were taken,{' '}
              {percent(taking.numerator + unknown.doses, taking.denominator + unknown.doses)}.
            </p>
          )}
          <p>
            The bottle measures pills removed, not pills swallowed. Days follow the time zone {time_zone}.
            Doses without an outcome yet are not counted.
          </p>
        </div>
      </Panel>
      {(drug_holidays.count > 0 || drug_holidays.possible > 0) && (
        <Panel title="Three or more days without a dose">
          <ul className={classes['notes']}>
            {drug_holidays.periods.map(({ from, to, missed_doses }) => (
              <li key={from}>
                <Moment at={from} /> to <Moment at={to} />: {plural(missed_doses, 'missed dose')}
              </li>
            ))}
            {drug_holidays.possible > 0 && (
              <li>{drug_holidays.possible} more possible, but with unknown doses.</li>
            )}
          </ul>
        </Panel>
      )}
    </>
  );
}

function percent(part: number, whole: number): string {
  return `${Math.round((part / whole) * 100)} %`;
}

interface FigureProps {
  name: string;
  ratio: Ratio;
  unit: string;
  formula: string;
}

/** A share as a number and a bar, with its formula. */
function Figure({ name, ratio: { numerator, denominator, ratio }, unit, formula }: FigureProps) {
  return (
    <section className={classes['figure']} aria-label={name}>
      <h2>{name}</h2>
      <p className={classes['percent']}>{ratio === null ? '–' : `${Math.round(ratio * 100)} %`}</p>
      <div className={classes['track']} aria-hidden>
        <div className={classes['fill']} style={{ width: `${(ratio ?? 0) * 100}%` }} />
      </div>
      <p>{denominator === 0 ? `no known ${unit}` : `${numerator} of ${denominator} ${unit}`}</p>
      <p className={classes['formula']}>{formula}</p>
    </section>
  );
}

/** Doses by outcome, as a bar and as counts. */
function OutcomeBar({ doses }: { doses: Record<Outcome, number> }) {
  const present = OUTCOMES.filter((outcome) => doses[outcome] > 0);
  return (
    <>
      <div className={classes['bar']} aria-hidden>
        {present.map((outcome) => (
          <div key={outcome} className={classes[outcome]} style={{ flexGrow: doses[outcome] }} />
        ))}
      </div>
      <ul className={classes['counts']}>
        {OUTCOMES.map((outcome) => (
          <li key={outcome}>
            <Marked of={OUTCOME[outcome]} />
            <strong>{doses[outcome]}</strong>
          </li>
        ))}
      </ul>
    </>
  );
}
