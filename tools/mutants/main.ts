import { parseArgs } from 'node:util';
import type { Fault } from './fault.js';
import { FAULTS } from './faults.js';
import { type FaultResult, runFaults } from './run-faults.js';

const USAGE = `npm run test:mutants -- [--fleet SEED] [--passed] [NAME]
  plants every fault, or those whose names contain NAME, and shows what catches each
  --fleet   tries each by a made-up fleet only, not by what it names
  --passed  what they name has just passed without a fault: it is not run first
  --share   1/4 tries every fourth from the first on, and prints how many it leaves out`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: { fleet: { type: 'string' }, passed: { type: 'boolean' }, share: { type: 'string' } },
});
const name = positionals.join(' ');
const [first, of] = String(values['share'] ?? '1/1')
  .split('/')
  .map(Number) as [number, number];
const named = FAULTS.filter((fault) => fault.name.includes(name));
const faults = named
  .filter((_, place) => place % of === first - 1)
  .map((fault): Fault =>
    values['fleet'] ? { ...fault, caughtBy: [`fleet ${String(values['fleet'])}`] } : fault,
  );
if (faults.length === 0) {
  console.error(USAGE);
  process.exit(2);
}
const width = Math.max(...faults.map(({ name }) => name.length)) + 2;
let caught = 0;

function print({ name, caughtBy, broken }: FaultResult): void {
  if (caughtBy !== undefined) caught += 1;
  const survived =
    broken === undefined ? 'SURVIVED what it names' : `SURVIVED, as its trial did not run: ${broken}`;
  console.log(`${name.padEnd(width)}${caughtBy ?? survived}`);
}

try {
  await runFaults(faults, print, values['passed'] === true);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
}
const left = named.length - faults.length;
console.log(
  `${caught} caught, ${faults.length - caught} survived${left > 0 ? `, ${left} not tried: share ${first} of ${of}` : ''}`,
);
process.exit(caught === faults.length ? 0 : 1);
