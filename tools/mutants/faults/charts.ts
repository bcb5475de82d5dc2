import type { Fault } from '../fault.js';

const USUAL = 'libs/timeseries/src/charts/usual.ts';
const SPEC = (title: string): string => `libs/timeseries/src/charts/usual.spec.ts: ${title}`;

/** What charts say of what is not finished, and of what is usual. */
export const CHARTS: readonly Fault[] = [
  {
    name: 'a point that is not over is finished',
    file: 'libs/timeseries/src/charts/columns.ts',
    find: 'boundaries.findLast((boundary) => boundary <= counted) ?? boundaries[0]!',
    replace: 'boundaries.at(-1)!',
    caughtBy: [
      'libs/timeseries/src/charts/columns.spec.ts: says where the first point begins that may still grow',
    ],
  },
  {
    name: 'what is large is unusual by chance alone',
    file: USUAL,
    find: 'const SHARE = 0.25;',
    replace: 'const SHARE = 0;',
    caughtBy: [SPEC('885 reports, with about 700 in four weeks, is null')],
  },
  {
    name: 'what is small is unusual by its share alone',
    file: USUAL,
    find: 'DEVIATIONS * Math.sqrt(Math.max(usual, 1))',
    replace: '0',
    caughtBy: [SPEC('few things come and go by chance')],
  },
  {
    name: 'one week says what is usual',
    file: USUAL,
    find: 'const FEWEST_WEEKS = 2;',
    replace: 'const FEWEST_WEEKS = 1;',
    caughtBy: [SPEC('is not known without two weeks in which somebody counted')],
  },
];
