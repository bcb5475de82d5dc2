import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get } from '../../../api/request.js';
import { type Adherence, type Outcome, OUTCOMES, type Ratio } from '../../../api/types.js';
import { now } from '../../../time/clock.js';
import { Moment } from '../../../time/Moment.js';
import { CsvLink } from '../../../ui/CsvLink.js';
import { Marked, OUTCOME } from '../../../ui/Mark.js';
import { Panel } from '../../../ui/Panel.js';
import { Empty, Failed, Loading } from '../../../ui/States.js';
import { useBottle } from '../queries.js';
import classes from './AdherenceTab.module.css';

const DAY = 86_400_000;
const SPANS = ['7', '30', '90', '365'] as const;

/** How well the doses are taken, each figure with what it is made of. */
export function AdherenceTab() {
  const { bottle_id, schedule } = useBottle();
  const [days, setDays] = useState<string>('30');
  const from = (): string => new Date(now() - Number(days) * DAY).toISOString();
  const { data, error, refetch } = useQuery({
    queryKey: ['bottle', bottle_id, 'adherence', days],
    queryFn: ({ signal }) =>
      get<Adherence>(`/v1/bottles/${bottle_id}/adherence`, {
        query: { from: from() },
        signal,
      }),
    placeholderData: (previous) => previous,
  });
  return (
    <div className={classes['page']}>
      <div className={classes['head']}>
        <SegmentedControl
          size="xs"
          aria-label="The last"
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
      {!data && (error ? <Failed error={error} retry={() => void refetch()} /> : <Loading />)}
      {data &&
        (data.taking.denominator + data.unknown.doses > 0 ? (
          <Figures adherence={data} />
        ) : (
          <Empty title="No dose was due in this time">
            {schedule
              ? 'Choose a longer one.'
              : 'Without a schedule nothing is expected, so nothing can be missed.'}
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
        <Figure name="Taken" ratio={taking} unit="doses" formula="doses taken ÷ known doses" />
        <Figure name="On time" ratio={timing} unit="doses" formula="doses taken on time ÷ known doses" />
        <Figure
          name="Correct days"
          ratio={correct_dosing}
          unit="days"
          formula="days with every dose and no pill extra ÷ known days"
        />
        <Figure
          name="Days covered"
          ratio={days_covered}
          unit="days"
          formula="days on which every dose was taken ÷ known days"
        />
      </div>
      <Panel title="Doses by outcome" aside={extra > 0 ? `and ${extra} beyond the schedule` : undefined}>
        <OutcomeBar doses={doses} />
      </Panel>
      <Panel title="What these figures leave out">
        <div className={classes['notes']}>
          <p>
            {unknown.doses === 0
              ? 'Every dose is known.'
              : `${counted(unknown.doses, 'dose')} on ${counted(unknown.days, 'day')} cannot be known: the bottle, or this service, was not connected, and no data has come since. They are in no figure.`}
          </p>
          {unknown.doses > 0 && (
            <p>
              If all of them were missed, {percent(taking.numerator, taking.denominator + unknown.doses)} were
              taken; if none was,{' '}
              {percent(taking.numerator + unknown.doses, taking.denominator + unknown.doses)}.
            </p>
          )}
          <p>
            What is measured is the removal of pills. Nobody sees them swallowed. Days are counted in the time
            of {time_zone}. A dose that is not judged yet is in no figure.
          </p>
        </div>
      </Panel>
      {(drug_holidays.count > 0 || drug_holidays.possible > 0) && (
        <Panel title="Three days or more without a dose">
          <ul className={classes['notes']}>
            {drug_holidays.periods.map(({ from, to, missed_doses }) => (
              <li key={from}>
                <Moment at={from} /> to <Moment at={to} />: {missed_doses} doses missed
              </li>
            ))}
            {drug_holidays.possible > 0 && (
              <li>{drug_holidays.possible} more are possible, but hold an unknown dose.</li>
            )}
          </ul>
        </Panel>
      )}
    </>
  );
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
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

/** One share: as a number, as a bar, and how it came about. */
export function Figure({ name, ratio: { numerator, denominator, ratio }, unit, formula }: FigureProps) {
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

/** What became of the doses: a bar, and its numbers. */
export function OutcomeBar({ doses }: { doses: Record<Outcome, number> }) {
  const there = OUTCOMES.filter((outcome) => doses[outcome] > 0);
  return (
    <>
      <div className={classes['bar']} aria-hidden>
        {there.map((outcome) => (
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
