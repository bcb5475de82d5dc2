import type { SizingRequest } from './command-line.js';
import { eightInTheMorning } from './eight-in-the-morning.js';
import { bottlesOf, deadlineRates, labCheckRates, reportRates, shardsFor } from './fleet.js';
import { labComparison, labSlips } from './lab.js';
import { number, table, text } from './markdown.js';
import type { Measurement, OplogMeasure } from './measure.js';
import { after, indexBytes, oplogPerHour, type Storage, storageOf, totalAfter } from './storage.js';
import { bytes, figure, perSecond } from './units.js';

const YEARS = [1, 2, 5];

/** The lab's written answer, with our figures. Markdown. */
export function report(request: SizingRequest, measurement: Measurement): string {
  const storage = storageOf(request.fleet, measurement);
  return `${[
    opening(request, measurement),
    rates(request),
    eightInTheMorning(request, storage, measurement.oplog),
    documents(measurement),
    growthOf(storage, request),
    oplog(request, measurement.oplog),
    labComparison(measurement),
    labSlips(),
    limits(request, measurement),
  ].join('\n\n')}\n`;
}

function opening({ fleet, typed }: SizingRequest, { version, sample }: Measurement): string {
  const { users, bottlesPerUser, dosesPerDay } = fleet;
  const heartbeats = sample.heartbeatBottles * sample.heartbeatsPerBottle;
  const actions = 2 * sample.actionBottles * sample.dosesPerBottle;
  return `# Sizing

Made by \`npm run sizing${typed === '' ? '' : ` -- ${typed}`}\`. To change it, run the command again.

- The fleet: ${figure(users)} users, ${figure(bottlesPerUser)} bottles each, ${figure(dosesPerDay)} doses a day from each bottle. That is ${figure(bottlesOf(fleet))} bottles. Each sends a heartbeat every 30 minutes, and each dose is one opening and one closing.
- The sizes are measured and not guessed: on mongod ${version}, through the project's own repositories and with all its indexes. The sample is ${figure(heartbeats)} heartbeats of ${figure(sample.heartbeatBottles)} bottles (two weeks each), ${figure(actions)} actions and ${figure(sample.actionBottles * sample.dosesPerBottle)} dose outcomes of ${figure(sample.actionBottles)} bottles (100 days each), and ${figure(sample.bottles)} bottles with their states and all by which they are found. It is written in the order of arrival, all bottles mixed, and read after a checkpoint.
- GB and TB are decimal. All storage is one copy, compressed: the logs and outcomes by zstd, the rest by MongoDB's default. A replica set of three holds it three times.`;
}

function rates({ fleet }: SizingRequest): string {
  const { heartbeats, actions, doses } = reportRates(fleet);
  const checks = labCheckRates(fleet);
  const { rangeReads, doseChecks, reconcile } = deadlineRates(fleet);
  const perBottle = table(
    [text('operation'), text('computed as'), number('rate')],
    [
      ['heartbeat', 'bottles / 1800 s', perSecond(heartbeats)],
      ['opening or closing', 'bottles x doses x 2 / 86,400 s', perSecond(actions)],
      ['update of a state', 'one a report', perSecond(heartbeats + actions)],
      ['heartbeat deleted after two weeks', 'as many as come', perSecond(heartbeats)],
      ['dose judged and its outcome written', 'bottles x doses / 86,400 s', perSecond(doses)],
    ],
  );
  const compared = table(
    [text('check'), number('the lab: a query a bottle'), text('Pillwatch: by deadlines')],
    [
      [
        'no heartbeat for an hour',
        perSecond(checks.silent),
        `${perSecond(rangeReads.silent)}, and one query for each bottle gone silent`,
      ],
      [
        'a dose is late',
        perSecond(checks.doses),
        `${perSecond(rangeReads.doses)}, and ${perSecond(doseChecks)} reads of doses just taken`,
      ],
      [
        'a bottle is left open',
        perSecond(checks.open),
        `${perSecond(rangeReads.open)}, and one query for each bottle left open`,
      ],
      [
        'together',
        perSecond(checks.all),
        `${perSecond(rangeReads.silent + rangeReads.doses + rangeReads.open)}, ${perSecond(doseChecks)} reads, and the overdue`,
      ],
      ['hourly reconcile', '', `${perSecond(reconcile)} bottles compared, if hourly`],
    ],
  );
  return `## Rates

${perBottle}

The lab asks for every bottle: once an hour for heartbeats and for doses, every ten minutes for open bottles. Pillwatch stores with each report the next moment at which something would be wrong. A check reads the range of an index that lies in the past (two reads a run and notifier) and finds only bottles that are overdue.

${compared}`;
}

function documents({ collections }: Measurement): string {
  const rows = collections.flatMap((collection) => [
    [
      `\`${collection.name}\``,
      bytes(collection.bson),
      bytes(collection.stored),
      bytes(indexBytes(collection)),
    ],
  ]);
  const each = collections.flatMap(({ name, indexes }) =>
    indexes.map((index) => [`\`${name}\``, `\`${index.name}\``, shown(index.stored)]),
  );
  return `## Bytes of a document, measured

${table([text('collection'), number('BSON'), number('data on disk'), number('all indexes')], rows)}

${table([text('collection'), text('index'), number('bytes a document')], each)}

Indexes are a good part of the whole. For the two logs that is the price of covered queries: the lab's three queries read no document, because each index repeats \`user_id\` and \`medication\`. Partial indexes hold only the bottles that they are about, so in a healthy fleet most of those of \`bottle_states\` are all but empty. \`by_receipt\` is there for the charts, which follow the log in the order of receipt.`;
}

const shown = (perDocument: number): string =>
  perDocument < 10 ? perDocument.toFixed(1) : figure(perDocument);

function growthOf(storage: Storage, { shardBytes }: SizingRequest): string {
  const whole = (data: number, indexes: number): string => bytes(data + indexes);
  const growing = storage.growing.map((collection) => {
    const { name, data, indexes, kept } = collection;
    return [
      `\`${name}\``,
      whole(data.hour, indexes.hour),
      whole(data.week, indexes.week),
      kept === undefined ? whole(data.year, indexes.year) : `${bytes(after(1, collection))} (two weeks)`,
      bytes(after(1, { ...collection, indexes: { hour: 0, week: 0, year: 0 } })),
    ];
  });
  const standing = storage.standing.map(({ name, data, indexes }) => [
    `\`${name}\``,
    '',
    '',
    whole(data, indexes),
    bytes(data),
  ]);
  const shards = YEARS.map((years) => {
    const total = totalAfter(years, storage);
    return [`${years}`, bytes(total), `${shardsFor(total, shardBytes)}`];
  });
  return `## Storage, indexes included

${table(
  [text('collection'), number('an hour'), number('a week'), number('after a year'), number('of which data')],
  [...growing, ...standing],
)}

Heartbeats are deleted after two weeks, so they stop growing there. Actions and outcomes are kept for ever. Alerts, deliveries (90 days) and the coverage spans are small in comparison and depend on the number of alerts. The charts of single bottles (\`ts_vitals\`) have a document for each bottle and day, kept for two to three months, with four sums for each hour and measurement.

${table([number('years'), number('one copy of everything'), number(`shards of ${bytes(shardBytes)}`)], shards)}

The number of shards is for the disk alone, filled to the brim. See \`docs/sharding.md\` for what is divided and by which key.`;
}

function oplog({ fleet }: SizingRequest, measured: OplogMeasure | undefined): string {
  if (!measured) return '## Oplog\n\nNot measured: this server does not let its oplog be read.';
  const hour = oplogPerHour(fleet, measured);
  const causes: [string, keyof OplogMeasure][] = [
    ['heartbeat, and the update of its state', 'heartbeat'],
    ['heartbeat deleted after two weeks', 'expiry'],
    ['opening or closing, and the updates of its state', 'action'],
    ['dose judged: claim, outcome, release', 'dose'],
  ];
  const total = Object.values(hour).reduce((sum, part) => sum + part, 0);
  return `## Oplog

${table(
  [text('cause'), number('bytes each'), number('an hour')],
  [
    ...causes.map(([what, cause]) => [what, figure(measured[cause]), bytes(hour[cause])]),
    ['together', '', bytes(total)],
  ],
)}

Measured from the entries themselves, before compression. For a secondary to be away for a day, the oplogs of all shards together need ${bytes(total * 24)}; each shard has its share.`;
}

function limits({ fleet }: SizingRequest, { sample }: Measurement): string {
  return `## What this does not say

- ${figure(sample.bottles)} bottles are not ${figure(bottlesOf(fleet))}. Bytes a document hold for a larger fleet as far as the documents look alike; deeper index trees add a little, and so does space that deleted heartbeats leave free.
- A heartbeat of the sample carries \`battery_percent\` and \`rssi_dbm\`, as the simulator's do. Weight and pills would be 20 to 27 bytes of BSON more, each.
- The peak is computed from costs on two cores and not measured at that size. A mongod with eight cores may wait for its disk or for itself before it has used them; more than four notifiers were never tried together. Processes that have little to do spend two to three times as much on a report, as fewer share a write ([a whole morning](performance.md#a-whole-morning)). A fleet that comes back after an outage reports all at once, too.
- The reconcile compares every state with the logs: the lab's three queries, each made once for a page of 200 bottles. To compare ${figure(bottlesOf(fleet))} bottles in an hour it must compare ${perSecond(deadlineRates(fleet).reconcile)}; each notifier takes its share of the fleet, \`RECONCILE_RATE\` bottles a second. A run that is still in progress is continued, so it may take longer. It is a safety net; no alert waits for it.`;
}
