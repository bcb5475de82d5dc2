import { growth, HEARTBEAT_INTERVAL, LAB_DOCUMENT, LAB_FLEET, perWeek, reportRates } from './fleet.js';
import { number, table, text } from './markdown.js';
import type { Measurement } from './measure.js';
import { storageOf } from './storage.js';
import { bytes, figure, perSecond } from './units.js';

/** Where the lab's own figures differ from what its factors give, and from what was measured. Its fleet, not ours. */
export function labComparison(measurement: Measurement): string {
  const { heartbeats, actions } = reportRates(LAB_FLEET);
  const [heartbeatGrowth, actionGrowth] = [growth(heartbeats, LAB_DOCUMENT), growth(actions, LAB_DOCUMENT)];
  const storage = storageOf(LAB_FLEET, measurement);
  const measured = (name: string, span: 'hour' | 'week' | 'year'): string => {
    const { data, indexes } = storage.growing.find((collection) => collection.name === name)!;
    return `${bytes(data[span])} + ${bytes(indexes[span])}`;
  };
  const rows = [
    ['heartbeats', '17K/s', perSecond(heartbeats), '', 'the same'],
    [
      'all writes of bottles',
      '500K/s',
      perSecond(heartbeats + actions),
      '',
      'contradicts its own 17K + 1.4K',
    ],
    [
      'heartbeats of a bottle in a week',
      '1000',
      figure(perWeek(HEARTBEAT_INTERVAL)),
      '',
      'one every 30 minutes is 48 a day',
    ],
    [
      'heartbeats, a week',
      '3 TB, and 30 TB under "Sharding"',
      bytes(heartbeatGrowth.week),
      measured('bottle_heartbeats', 'week'),
      'follows from the 1000; the 30 TB is a slip on top',
    ],
    [
      'heartbeats, an hour',
      '18 GB',
      bytes(heartbeatGrowth.hour),
      measured('bottle_heartbeats', 'hour'),
      'follows from the 1000',
    ],
    [
      'actions, a week',
      '6 GB',
      bytes(actionGrowth.week),
      measured('bottle_actions', 'week'),
      '30M x 2 x 2 x 7 x 100 B; a single day is 12 GB',
    ],
    [
      'actions, an hour',
      '36 MB',
      bytes(actionGrowth.hour),
      measured('bottle_actions', 'hour'),
      'follows from the 6 GB',
    ],
    [
      'actions, a year',
      '"a few terabytes"',
      bytes(actionGrowth.year),
      measured('bottle_actions', 'year'),
      'right, without the indexes',
    ],
  ];
  return `## Where the lab's figures differ

For the lab's fleet of 30 million bottles. "By its factors" takes the lab's 100 bytes a document; "measured" is data + indexes on disk.

${table([text('what'), text('the lab says'), number('by its factors'), number('measured'), text('why')], rows)}`;
}

/** Slips that are not about sizes, for whoever compares. */
export function labSlips(): string {
  return `Elsewhere in the lab:

- One note says that heartbeats are deleted after a week. Its index says 1,209,600 seconds, which is two weeks; that is what Pillwatch does.
- \`createIndex\` takes its options as one object. The lab gives the TTL index two, and the name in the second is lost.
- \`.sort().limit(1).count()\` ignores the limit in old shells. Pillwatch asks for one covered result instead.
- "Heartbeat inserts don't benefit from an index" is true of the inserts. The index is for the check that reads them.
- "No real need to shard" the actions leaves their indexes out of the account: see the year above.`;
}
