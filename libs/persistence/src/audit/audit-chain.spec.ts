import { Types } from 'mongoose';
import { CHAIN_START, ChainCheck, chained, type StoredEntry, type UnchainedEntry } from './audit-chain.js';

const entry = (action: string): UnchainedEntry => ({
  _id: new Types.ObjectId(),
  at: new Date('2026-03-01T12:00:00Z'),
  category: 'change',
  who: { kind: 'staff', id: 'x', name: 'Carol', address: '192.0.2.1' },
  action,
  subject: { kind: 'bottle', id: 'y' },
  about: ['bottle:y'],
  details: { until: new Date('2026-03-02T00:00:00Z'), left: 3 },
});

describe('the chain of the audit', () => {
  const chain = (): StoredEntry[] => chained(CHAIN_START, ['one', 'two', 'three', 'four'].map(entry));
  const check = (entries: StoredEntry[], head = entries.at(-1)!): string[] => {
    const following = new ChainCheck();
    return [
      ...entries.flatMap((one) => following.next(one)),
      ...following.end({ seq: head.seq!, hash: head.hash! }),
    ];
  };

  it('is intact as it was made, also in several groups', () => {
    expect(check(chain())).toEqual([]);
    const first = chained(CHAIN_START, [entry('one')]);
    expect(check([...first, ...chained(first[0]!, [entry('two'), entry('three')])])).toEqual([]);
  });

  it.each([
    ['action', { action: 'other' }],
    ['actor', { who: { kind: 'staff', id: 'z', name: 'Carol' } as const }],
    ['address', { who: { kind: 'staff', id: 'x', name: 'Carol', address: '192.0.2.2' } as const }],
    ['time', { at: new Date('2026-03-01T12:00:01Z') }],
    ['type of the time', { at: '2026-03-01T12:00:00.000Z' as unknown as Date }],
    ['subject', { subject: { kind: 'bottle', id: 'z' } as const }],
    ['about', { about: ['bottle:y', 'bottle:z'] }],
    ['details', { details: {} }],
    ['category', { category: 'read' as const }],
  ])('names an entry whose %s was changed', (_, change) => {
    const entries = chain();
    entries[1] = { ...entries[1]!, ...change };
    expect(check(entries)).toEqual([expect.stringMatching(/^entry 2, .* was changed$/)]);
  });

  it('names where an entry was replaced, hash and all', () => {
    const entries = chain();
    entries[1] = chained(entries[0] as never, [{ ...entries[1]!, action: 'other' }])[0]!;
    expect(check(entries)).toEqual([expect.stringMatching(/^entry 3, .* does not follow from entry 2/)]);
  });

  it('names an entry that was removed, in the middle and at the end', () => {
    const entries = chain();
    expect(check(entries.toSpliced(1, 2))).toEqual(['entries 2 to 3 were removed']);
    expect(check(entries.slice(0, 3), entries[3])).toEqual(['entry 4 was removed']);
  });

  it('names fields that were added', () => {
    const entries = chain();
    entries[1] = { ...entries[1]!, approved_by: 'Mallory' } as StoredEntry;
    expect(check(entries)).toEqual([
      expect.stringMatching(/^entry 2, .* was changed: approved_by was added$/),
    ]);
  });

  it('names a head that was removed, set back or replaced', () => {
    const entries = chain();
    const end = (head?: { seq: number; hash: string }) => {
      const following = new ChainCheck();
      for (const one of entries) following.next(one);
      return following.end(head);
    };
    expect(end()).toEqual([expect.stringContaining('head of the chain was removed')]);
    expect(end({ seq: 2, hash: entries[1]!.hash! })).toEqual([
      'the head of the chain was set back from entry 4 to 2',
    ]);
    expect(end({ seq: 4, hash: 'another' })).toEqual([expect.stringContaining('entry 4 was replaced')]);
    expect(new ChainCheck().end(undefined)).toEqual([]);
  });

  it('names an entry that was inserted, with a place or without', () => {
    const entries = chain();
    const inserted = entry('inserted');
    expect(check([inserted, ...entries])).toEqual([
      `${inserted._id.toHexString()} (inserted by Carol, 2026-03-01T12:00:00.000Z) was inserted: it is not part of the chain`,
    ]);
    const twice = { ...chained(entries[0] as never, [inserted])[0]! };
    expect(check(entries.toSpliced(2, 0, twice))[0]).toMatch(/^entry 2, .* was inserted: entry 2 exists/);
  });
});
