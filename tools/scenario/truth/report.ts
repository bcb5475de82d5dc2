import type { ScenarioResult } from '../run-scenario.js';
import type { Figures } from './compare.js';

/** The result of one scenario; no figures if it could not run. */
export interface RunResult extends Omit<ScenarioResult, 'figures'>, Partial<Pick<ScenarioResult, 'figures'>> {
  file: string;
  name: string;
  seconds: number;
}

type Print = (result: RunResult, say: (line: string) => void) => void;

export const printJson: Print = (result, say) => say(JSON.stringify(result));

/** @param verbose prints every received message, not only differences */
export function printText(verbose: boolean): Print {
  return ({ file, name, seconds, differences, notes, messages, figures }, say) => {
    say(`${differences.length === 0 ? 'ok  ' : 'FAIL'} ${name} (${file}, ${seconds.toFixed(1)} s)`);
    for (const difference of differences) say(`  - ${difference}`);
    for (const note of notes) say(`  note: ${note}`);
    if (verbose) for (const message of messages) say(`    ${message}`);
    if (figures) say(`     ${describe(figures)}`);
  };
}

/** The last line of a run: whether all scenarios passed, and their figures in total. */
export function summaryOf(results: readonly RunResult[]): string {
  const failed = results.filter(({ differences }) => differences.length > 0).length;
  const result = failed === 0 ? `all ${results.length} passed` : `${failed} of ${results.length} failed`;
  const sum = (of: keyof Figures): number =>
    results.reduce((total, { figures }) => total + (figures?.[of] ?? 0), 0);
  return `${result}; ${describe({
    expected: sum('expected'),
    received: sum('received'),
    repeats: sum('repeats'),
    not_raised: sum('not_raised'),
    false_alarms: sum('false_alarms'),
    outcomes: sum('outcomes'),
  })}`;
}

function describe({ expected, received, repeats, not_raised, false_alarms, outcomes }: Figures): string {
  return (
    `messages: ${expected} expected, ${received} received and ${repeats} repeats dropped, ` +
    `${not_raised} not raised, ${false_alarms} false alarms; ${outcomes} doses`
  );
}
