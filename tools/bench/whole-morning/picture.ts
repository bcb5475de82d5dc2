import { drawn } from '../report/plot.js';
import { countPerStep, summed, type TimeSeries } from '../report/time-series.js';
import { type Dose, FASTER, FIRST, LATE_AFTER, MINUTE } from './breakfast.js';
import type { Eaten } from './people.js';
import type { Found } from './read.js';

const STEP_S = 5;
const LEAD_MS = 10_000;

/** All that one run shows. Unix times in milliseconds. */
export interface Morning extends Found, Eaten {
  doses: readonly Dose[];
  eight: number;
  /** When nothing waited any more. */
  ended: number;
  /** Of the notifiers. */
  kills: readonly { killed: number; back: number }[];
}

const beginOf = ({ eight }: Morning): number => eight + FIRST * MINUTE - LEAD_MS;

/** In steps of five seconds; what waits is counted at their ends. */
export function seriesOf(morning: Morning): TimeSeries {
  const { doses, eight, ended, offered, acknowledged, taken, raised, delivered } = morning;
  const [begin, step] = [beginOf(morning), STEP_S * 1_000];
  const steps = Math.ceil((ended - begin) / step);
  const count = (moments: readonly number[]): number[] => countPerStep(moments, begin, step, steps);
  const waiting = (from: readonly number[], done: readonly number[]): number[] =>
    summed(from.map((begun, place) => begun - done[place]!));
  const [sent, answered] = [count(offered), count(acknowledged)];
  const closed = count(taken.map((dose) => dose.closed));
  const judged = count(taken.map((dose) => dose.judged));
  const late = doses.flatMap(({ due, fate }) =>
    fate === 'in time' ? [] : eight + (due + LATE_AFTER) * MINUTE,
  );
  return {
    step: STEP_S,
    columns: {
      offered: sent,
      acknowledged: answered,
      waiting_for_acknowledgement: waiting(sent, answered),
      closed,
      judged,
      waiting_for_judgement: waiting(closed, judged),
      late: count(late),
      alerts: count(raised),
      messages: count(delivered),
    },
  };
}

/** The series as a picture. */
export function pictureOf(morning: Morning, { step, columns }: TimeSeries, fleet: string): string {
  const column = (name: string): number[] => columns[name]!;
  const aSecond = (name: string): number[] => column(name).map((count) => count / step);
  const begin = beginOf(morning);
  const secondOf = (at: number): number => (at - begin) / 1_000;
  const end = secondOf(morning.ended);
  const halfHours = Array.from({ length: 24 }, (_, half) => half * 30 - 60)
    .map((minutes) => ({ at: secondOf(morning.eight + minutes * MINUTE), label: clockAt(minutes) }))
    .filter(({ at }) => at >= 0 && at <= end);
  return drawn({
    title: `A morning, ${FASTER} times as fast: ${fleet}`,
    step,
    ticks: halfHours,
    moments: morning.kills.flatMap(({ killed, back }, place) => [
      { at: secondOf(killed), label: `notifier ${place + 1} killed` },
      { at: secondOf(back), label: 'back' },
    ]),
    panels: [
      {
        title: 'Actions a second',
        curves: [
          { name: 'offered', values: aSecond('offered'), colour: '#8c959f', filled: true },
          { name: 'acknowledged', values: aSecond('acknowledged'), colour: '#0969da' },
        ],
      },
      {
        title: 'Doses a second',
        curves: [
          { name: 'taken', values: aSecond('closed'), colour: '#8c959f', filled: true },
          { name: 'judged', values: aSecond('judged'), colour: '#1a7f37' },
        ],
      },
      {
        title: 'Waiting',
        curves: [
          {
            name: 'taken, not judged',
            values: column('waiting_for_judgement'),
            colour: '#1a7f37',
            filled: true,
          },
          {
            name: 'actions not acknowledged',
            values: column('waiting_for_acknowledgement'),
            colour: '#0969da',
          },
        ],
      },
      {
        title: 'Late doses, all so far',
        curves: [
          {
            name: 'late',
            values: summed(column('late')),
            colour: '#8c959f',
            filled: true,
          },
          { name: 'alerts raised', values: summed(column('alerts')), colour: '#bf8700' },
          {
            name: 'messages delivered, of starts and ends',
            values: summed(column('messages')),
            colour: '#8250df',
          },
        ],
      },
    ],
  });
}

/** `8:30`. @param minutes from eight */
function clockAt(minutes: number): string {
  const all = 8 * 60 + minutes;
  return `${Math.floor(all / 60)}:${String(all % 60).padStart(2, '0')}`;
}
