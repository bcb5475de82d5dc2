import type { ScenarioResult } from '../run-scenario.js';

/** What came of one file. */
export interface FileResult extends ScenarioResult {
  file: string;
  name: string;
  seconds: number;
}

type Print = (result: FileResult, say: (line: string) => void) => void;

export const printJson: Print = (result, say) => say(JSON.stringify(result));

/** @param verbose shows every message that was received, not only what differs. */
export function printText(verbose: boolean): Print {
  return ({ file, name, seconds, differences, notes, messages }, say) => {
    say(`${differences.length === 0 ? 'ok  ' : 'FAIL'} ${name} (${file}, ${seconds.toFixed(1)} s)`);
    for (const difference of differences) say(`  - ${difference}`);
    for (const note of notes) say(`  note: ${note}`);
    if (verbose) for (const message of messages) say(`    ${message}`);
  };
}
