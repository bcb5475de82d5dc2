import { balance } from './accounts.js';

describe('the accounts', () => {
  const owed = new Set(['a raised', 'a resolved']);
  const heard = { raised: ['a raised', new Set(['1'])], resolved: ['a resolved', new Set(['2'])] } as const;

  it('balance when each was heard under one id', () => {
    expect(balance(owed, new Map([heard.raised, heard.resolved]))).toEqual({
      owed: 2,
      delivered: 2,
      lost: [],
      doubled: [],
      notOwed: [],
    });
  });

  it('notice what is lost, doubled or not owed', () => {
    expect(balance(owed, new Map([heard.raised]))).toMatchObject({ delivered: 1, lost: ['a resolved'] });
    const twice = new Map([heard.raised, ['a resolved', new Set(['2', '3'])] as const]);
    expect(balance(owed, twice)).toMatchObject({ delivered: 2, lost: [], doubled: ['a resolved'] });
    const more = new Map([heard.raised, heard.resolved, ['b raised', new Set(['4'])] as const]);
    expect(balance(owed, more).notOwed).toEqual(['b raised']);
    expect(balance(owed, more, new Set(['b raised'])).notOwed).toEqual([]);
  });
});
