import type { Summary } from '../simulator.js';
import { progressLine } from './progress-line.js';

/** What is said at the end of a run. */
export function summaryText(summary: Summary): string {
  const { seconds, acknowledged, backlog, refusals, refused } = summary;
  return [
    `${seconds.toFixed(1)} s: ${progressLine(summary, acknowledged / Math.max(seconds, 0.001))}`,
    ...(backlog > 0
      ? [`${backlog} reports were not acknowledged before the end; a real bottle would go on.`]
      : []),
    ...(refused > 0 ? [`${refused} reports were refused for good, such as:`] : []),
    ...refusals.map(
      ({ bottle_id, report, result }) =>
        `  bottle ${bottle_id}: ${result.status} ${result.code ?? ''} ${result.detail ?? ''} ${JSON.stringify(report.body)}`,
    ),
  ].join('\n');
}
