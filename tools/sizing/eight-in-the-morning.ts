import type { SizingRequest } from './command-line.js';
import { COSTS, LARGE_FLEET, MOST_BUSY, SHARD_CORES } from './costs.js';
import { bottlesOf, MINUTE, shardsFor } from './fleet.js';
import { number, table, text } from './markdown.js';
import type { OplogMeasure } from './measure.js';
import { BREAKFAST, busyCores, needed, type PeakRates, peaks, type Process } from './peak.js';
import { type Storage, totalAfter } from './storage.js';
import { bytes, figure, perSecond } from './units.js';

const { share, takenWithin, late, lookedAtWithin } = BREAKFAST;

/** What the fleet needs when a part of it takes a dose at once. Markdown. */
export function eightInTheMorning(
  { fleet, shardBytes }: SizingRequest,
  storage: Storage,
  oplog: OplogMeasure | undefined,
): string {
  const rates = peaks(fleet, BREAKFAST);
  const [atEight, atNine] = [rates.taken, rates.late].map((peak) => busyCores(peak, COSTS, LARGE_FLEET)) as [
    Record<Process, number>,
    Record<Process, number>,
  ];
  const count = (process: Process, cores: number): number =>
    needed(Math.max(atEight[process], atNine[process]), cores, MOST_BUSY);
  const row = (name: string, process: Process, cores: number): string[] => [
    name,
    atEight[process].toFixed(1),
    atNine[process].toFixed(1),
    `${cores}`,
    `${count(process, cores)}`,
  ];
  const [byDisk, byCores] = [shardsFor(totalAfter(1, storage), shardBytes), count('mongod', SHARD_CORES)];
  return `## Eight in the morning

People take their pills at the same hours, and of that the average says nothing. Assumed: ${percent(share)} of all bottles have a dose at eight and are opened and closed within ${takenWithin / MINUTE} minutes. ${percent(late)} of these doses are not taken by nine: then ${figure(bottlesOf(fleet) * share * late)} are late at one moment, and all of them are to be looked at within ${lookedAtWithin / MINUTE} minutes; the alert and the message of each follow its bottle's next heartbeat, so they are spread over half an hour (DOSE-14 of [semantics.md](semantics.md)). Heartbeats go on as always, and at nine so do the actions of an average hour.

${costs(rates)}

Costs are processor time of busy processes, which write many reports at once: single requests, and one webhook for each message. Those of mongod are taken ${LARGE_FLEET} times, as they were measured with 20,000 bottles at most, and lines 12 and 32 of [performance.md](performance.md) say what a report costs among 3 million. Hubs that send batches cost device-api a fraction of it.

${table(
  [
    text('process'),
    number('cores busy at eight'),
    number('at nine'),
    number('cores of one'),
    number('needed'),
  ],
  [
    row('device-api', 'deviceApi', 1),
    row('notifier', 'notifier', 1),
    row('primary of a shard', 'mongod', SHARD_CORES),
  ],
)}

**Headroom:** none of them is to be busier than ${percent(MOST_BUSY)} of its time, so together they bear ${figure(1 / MOST_BUSY)} times the peak. Take one machine more of each than the table asks for, for the one that fails. \`DEVICE_API_WORKERS\` says how many processes of device-api a machine runs.

**Shards: ${Math.max(byDisk, byCores)}.** The disks ask for ${byDisk} in the first year, the processors at the peak for ${byCores} of ${SHARD_CORES} cores. Each secondary writes the same again.${oplogAtPeak(rates.taken, oplog)}

With less than that nothing is lost: what device-api cannot take it refuses with 503 and \`Retry-After\`, bottles send it again, and doses are judged by the times at which the bottles were closed. Half of it takes ${figure((2 * takenWithin * MOST_BUSY) / MINUTE)} minutes instead of ${takenWithin / MINUTE}, with no headroom.`;
}

function costs({ taken, late: hourLater }: Record<'taken' | 'late', PeakRates>): string {
  const columns = [
    text('operation'),
    number('at eight'),
    number('at nine'),
    ...['device-api', 'notifier', 'mongod'].map(number),
    text('measured in'),
  ];
  const rows = (Object.keys(COSTS) as (keyof PeakRates)[]).map((kind) => {
    const { what, deviceApi, notifier, mongod, source } = COSTS[kind];
    const each = [deviceApi, notifier, mongod].map((us) => (us === 0 ? '' : `${figure(us)} µs`));
    const [eight, nine] = [taken[kind], hourLater[kind]].map((rate) => (rate === 0 ? '' : perSecond(rate)));
    return [what, eight!, nine!, ...each, source];
  });
  return table(columns, rows);
}

const percent = (part: number): string => `${figure(part * 100)} %`;

function oplogAtPeak({ heartbeats, actions, judged }: PeakRates, oplog: OplogMeasure | undefined): string {
  if (!oplog) return '';
  const perSecond =
    heartbeats * (oplog.heartbeat + oplog.expiry) + actions * oplog.action + judged * oplog.dose;
  return ` Meanwhile all oplogs together grow by ${bytes(perSecond)} a second.`;
}
