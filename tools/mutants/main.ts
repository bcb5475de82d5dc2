import { FAULTS } from './faults.js';
import { type FaultResult, runFaults } from './run-faults.js';

const USAGE = `npm run test:mutants -- [NAME]
  plants every fault, or those whose names contain NAME, and shows what catches each`;

const name = process.argv.slice(2).join(' ');
const faults = FAULTS.filter((fault) => fault.name.includes(name));
if (name.startsWith('-') || faults.length === 0) {
  console.error(USAGE);
  process.exit(2);
}
const width = Math.max(...faults.map(({ name }) => name.length)) + 2;

function print({ name, seconds, caughtBy, broken, unexpected }: FaultResult): void {
  const by = broken === undefined ? (caughtBy ?? 'SURVIVED') : `DID NOT RUN: ${broken}`;
  const remark = unexpected ? ' (not named by the fault)' : '';
  console.log(`${name.padEnd(width)}${by}${remark}  ${seconds.toFixed(1)} s`);
}

try {
  const results = await runFaults(faults, print);
  const caught = results.filter(({ caughtBy }) => caughtBy !== undefined).length;
  console.log(`${caught} of ${results.length} caught`);
  process.exit(caught === results.length ? 0 : 1);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
