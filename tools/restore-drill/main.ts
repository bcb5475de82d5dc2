/* oxlint-disable no-console -- a command prints */
import { type DrillResult, faultsOf, restoreDrill } from './drill.js';

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

function print(result: DrillResult): void {
  const { reports, kept, registeredAfter, notifications, erased } = result;
  const of = ({ acknowledged, there }: { acknowledged: number; there: number }): string =>
    `${acknowledged} acknowledged, ${there} there, ${acknowledged - there} gone`;
  const lines: [string, string][] = [
    ['reports before the snapshot', of(reports.before)],
    ['reports while it was taken', of(reports.meanwhile)],
    ['reports after it', of(reports.after)],
    ['reports after the restore', of(reports.restored)],
    ['kept by bottles meanwhile', `${kept.made} made, ${kept.there} there`],
    [
      'registered after the snapshot',
      `${registeredAfter.bottles} bottles, ${registeredAfter.accepted} still accepted`,
    ],
    [
      'notified before the snapshot',
      `${notifications.before}, ${notifications.beforeAgain} again with the same id`,
    ],
    [
      'notified after it',
      `${notifications.after}, ${notifications.afterAgain} again with the same id, ` +
        `${notifications.afterAgainOtherwise} again with another id`,
    ],
    ['notified after the restore', String(notifications.fresh)],
    ['erased after the snapshot', `${erased.inBackup} documents in the backup, ${erased.left} left`],
    ['time', `${seconds(result.snapshotMs)} for the snapshot, ${seconds(result.restoreMs)} to restore`],
  ];
  for (const [name, value] of lines) console.log(`${name.padEnd(32)}${value}`);
}

const result = await restoreDrill();
print(result);
const faults = faultsOf(result);
for (const fault of faults) console.error(fault);
process.exit(faults.length === 0 ? 0 : 1);
