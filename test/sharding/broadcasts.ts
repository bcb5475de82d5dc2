import { DEADLINE_FIELDS } from '#domain';

/** A command that goes to every shard, and why it may. */
export interface Broadcast {
  collection: string;
  /** The command and the fields of its filter, as test/sharding/commands.after.ts writes them. */
  command: string;
  reason: string;
}

const CHECK = 'a check asks each shard for its overdue: a range of a partial index, a few times a minute';
const LIST = "the staff's list by status, owner or medication: a page of an index on each shard";
const COUNT = 'a figure of the fleet, read from an index or from the metadata of each shard';

/** Everything else on a sharded collection names the shard that it is for. */
export const BROADCASTS: Broadcast[] = [
  ...[
    ...DEADLINE_FIELDS.map((deadline) => `find {$or, ${deadline}}`),
    'find {$expr, $or, silent, silent_at}',
    'find {$nor, $or, silent_claim.until}',
    'find {$or, open_alerted, open_unchanged}',
    'find {$nor, $or, open_claim.until}',
    'find {$or, dose_waiting, unheard}',
    'find {next_dose_at}',
    'find {life, silent_at}',
    'find {user_id}',
  ].map((command) => ({ collection: 'bottle_states', command, reason: CHECK })),
  ...[
    'find {_id}',
    'find {_id, user_id}',
    'find {_id, quiet}',
    'find {_id, last_heard_at, quiet}',
    'find {_id, next_dose_at}',
    'find {_id, battery_percent}',
    'find {_id, late, medication, quiet}',
    'find {_id, late, medication, open, quiet}',
    'find {_id, life}',
    'find {_id, life, user_id}',
    ...['', ', medication'].flatMap((medication) =>
      ['', ', open'].flatMap((open) =>
        ['', ', user_id'].map((user) => `find {_id, late, life${medication}${open}, quiet${user}}`),
      ),
    ),
  ].map((command) => ({
    collection: 'bottle_states',
    command,
    reason: LIST,
  })),
  ...[
    'aggregate {life}',
    'aggregate {life, open}',
    'aggregate {life, silent_at}',
    'aggregate {_id, silent_at}',
    'aggregate {quiet}',
    'aggregate {late, quiet}',
    'aggregate {late, open, quiet}',
    'count {}',
  ].map((command) => ({
    collection: 'bottle_states',
    command,
    reason: COUNT,
  })),
  ...['find {open_overdue_at}', 'find {dose_due_at}', 'find {silent_at}'].map((command) => ({
    collection: 'bottle_states',
    command,
    reason:
      "the notifiers' lag, and a check's next deadline, once a run: the first entry of an index on each shard",
  })),
  ...['update {never_heard}', 'update {silent, silent_at}'].map((command) => ({
    collection: 'bottle_states',
    command,
    reason: 'the migration of an older database: once',
  })),
  ...[
    'bottle_heartbeats aggregate {time}',
    'bottle_heartbeats aggregate {bottle_id, time}',
    'bottle_heartbeats find {time}',
    'bottle_actions find {received_at}',
  ].map((one) => ({
    collection: one.split(' ')[0]!,
    command: one.slice(one.indexOf(' ') + 1),
    reason: 'the charts follow the log: what was received in a minute, by an index, from each shard, once',
  })),
  ...['aggregate {scheduled_at}', 'aggregate {bottle_id, scheduled_at}'].map((command) => ({
    collection: 'dose_outcomes',
    command,
    reason: COUNT,
  })),
  ...['bottle_heartbeats', 'bottle_states', 'bottle_actions', 'dose_outcomes'].map((collection) => ({
    collection,
    command: 'aggregate $collStats {}',
    reason: '`npm run sizing` measures what it has stored in a database of its own',
  })),
  ...['bottle_heartbeats', 'bottle_states', 'bottle_actions', 'dose_outcomes'].map((collection) => ({
    collection,
    command: 'find {}',
    reason: '`npm run admin -- erasure verify` reads everything, once',
  })),
  {
    collection: 'bottle_states',
    command: 'find {medication}',
    reason:
      'whether a bottle still has a medication, once for each that is erased or changed: one key of an index on each shard',
  },
];
