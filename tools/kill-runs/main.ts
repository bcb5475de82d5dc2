import { parseArgs } from 'node:util';
import { type KillRunResult, killRun } from './kill-run.js';

const USAGE =
  'npm run test:kills -- [--kills N] [--seed S] [--endpoints]   (300 kills, pauses and wrong clocks, and a seed that is printed)';
const SHOWN = 10;

function wholeNumber(text: string | undefined, otherwise: number): number {
  const value = text === undefined ? otherwise : Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  console.error(USAGE);
  process.exit(2);
}

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

function faultsOf(result: KillRunResult): [string, string[]][] {
  const { lost, notRaised, outOfOrder, duplicated, unexpected, alertsWithoutCause, notLogged, notSettled } =
    result;
  return [
    ['lost', lost],
    ['false alarms', unexpected],
    ['alerts without cause', alertsWithoutCause],
    ['owed and not raised', notRaised],
    ['out of order', outOfOrder],
    ['duplicated', duplicated],
    ['reports not in the log', notLogged],
    ['not settled', notSettled],
    ['lost at an endpoint', result.endpointLost],
    ['twice at an endpoint', result.endpointDuplicated],
    ['false at an endpoint', result.endpointUnexpected],
    ['endpoint: order', result.endpointOutOfOrder],
    ['endpoint: signature', result.endpointUnverified],
  ];
}

function print(result: KillRunResult): void {
  const { done, whileUnanswered, postponed, contactsChanged, bottles } = result;
  const { expected, delivered, repeated, acknowledged } = result;
  const lines: [string, string | number][] = [
    ...Object.entries(done).toSorted(([one], [other]) => one.localeCompare(other)),
    ['with unanswered message', whileUnanswered],
    ['postponed', postponed],
    ...Object.entries(contactsChanged).map(([way, times]): [string, number] => [`contact: ${way}`, times]),
    ['bottles', bottles],
    ['reports', acknowledged],
    ['owed', expected],
    ['delivered', delivered],
    ['repeated', repeated],
    ['at added endpoints', result.atEndpoints],
    ...faultsOf(result).map(([name, list]): [string, number] => [name, list.length]),
    ['time', `${seconds(result.killingMs)} of faults, ${seconds(result.settlingMs)} until settled`],
  ];
  for (const [name, value] of lines) console.log(`${name.padEnd(24)}${value}`);
  for (const [name, list] of faultsOf(result))
    for (const line of list.slice(0, SHOWN)) console.log(`${name}: ${line}`);
}

const { values } = parseArgs({
  options: {
    kills: { type: 'string' },
    seed: { type: 'string' },
    endpoints: { type: 'boolean', default: false },
  },
});
const kills = wholeNumber(values.kills, 300);
const seed = wholeNumber(values.seed, Math.floor(Math.random() * 1e9));
console.log(`${kills} kills, pauses and wrong clocks, seed ${seed}`);
const result = await killRun({
  kills,
  seed,
  endpoints: values.endpoints,
  progress: (done) => {
    if (done % 10 === 0) console.log(`${done} done`);
  },
});
print(result);
process.exit(faultsOf(result).every(([, list]) => list.length === 0) ? 0 : 1);
