import { compare, outOfOrder } from './expectations.js';

describe('the comparison', () => {
  const expected = new Set(['a raised', 'a resolved']);
  const received = {
    raised: ['a raised', new Set(['1'])],
    resolved: ['a resolved', new Set(['2'])],
  } as const;

  it('finds nothing when each was received under one id', () => {
    expect(compare(expected, new Map([received.raised, received.resolved]))).toEqual({
      expected: 2,
      delivered: 2,
      lost: [],
      duplicated: [],
      unexpected: [],
    });
  });

  it('finds an end that was received before its start', () => {
    expect(outOfOrder(new Map([received.raised, received.resolved]))).toEqual([]);
    expect(outOfOrder(new Map([received.resolved, received.raised]))).toEqual(['a resolved']);
    expect(outOfOrder(new Map([received.resolved]))).toEqual([]);
  });

  it('finds what is lost, duplicated or unexpected', () => {
    expect(compare(expected, new Map([received.raised]))).toMatchObject({
      delivered: 1,
      lost: ['a resolved'],
    });
    const twice = new Map([received.raised, ['a resolved', new Set(['2', '3'])] as const]);
    expect(compare(expected, twice)).toMatchObject({ delivered: 2, lost: [], duplicated: ['a resolved'] });
    expect(compare(expected, twice, new Map([['a resolved', 1]])).duplicated).toEqual(['a resolved']);
    expect(compare(expected, twice, new Map([['a resolved', 2]])).duplicated).toEqual([]);
    const more = new Map([received.raised, received.resolved, ['b raised', new Set(['4'])] as const]);
    expect(compare(expected, more).unexpected).toEqual(['b raised']);
    expect(compare(expected, more, new Map([['b raised', 1]])).unexpected).toEqual([]);
  });
});
