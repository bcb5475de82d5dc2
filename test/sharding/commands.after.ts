import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHARD_KEYS } from '../../apps/admin/src/shard/shard-keys.js';
import { BROADCASTS } from './broadcasts.js';

/** A command as test/support/record-commands.mjs writes it down. */
interface Shape {
  collection: string;
  command: string;
  /** The first stage of an aggregation that does not begin with `$match`. */
  stage?: string;
  /** A write that changes one document at most: it needs the whole key, and not a part of it. */
  one: boolean;
  fields: string[];
  pinned: string[];
}

const shapes = recorded();

/** The commands that every service sent during the end-to-end tests, each shape once. */
function recorded(): Shape[] {
  const folder = process.env['PILLWATCH_TEST_COMMANDS'];
  if (folder === undefined) throw new Error('npm test records the commands that this reads; run that');
  const lines = readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean),
  );
  return [...new Set(lines)].map((line) => JSON.parse(line) as Shape);
}

function namesItsShard({ collection, one, pinned }: Shape): boolean {
  const key = Object.keys(SHARD_KEYS.find((each) => each.collection === collection)!.key);
  return one ? key.every((field) => pinned.includes(field)) : pinned.includes(key[0]!);
}

const describing = ({ command, stage, fields }: Shape): string =>
  `${command}${stage ? ` ${stage}` : ''} {${fields.join(', ')}}`;

describe.each(SHARD_KEYS)('$collection, sharded by $key', ({ collection }) => {
  const sent = shapes.filter((shape) => shape.collection === collection);
  const meant = BROADCASTS.filter((broadcast) => broadcast.collection === collection);

  it('was used', () => expect(sent.length).toBeGreaterThan(2));

  it('is asked by its shard key, or is on the list of meant broadcasts', () => {
    const known = meant.map(({ command }) => command);
    const broadcast = sent.filter((shape) => !namesItsShard(shape)).map(describing);
    expect(broadcast.filter((command) => !known.includes(command))).toEqual([]);
  });

  it('has no broadcast on the list that nothing sends', () => {
    const all = sent.map(describing);
    expect(meant.map(({ command }) => command).filter((command) => !all.includes(command))).toEqual([]);
  });
});
