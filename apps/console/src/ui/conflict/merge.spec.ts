import { compare, withTheirs } from './merge.js';

const BASE = {
  name: 'Anna',
  phone: '1',
  carer: { name: 'Ida', phone: '2' },
  escalation: [{ after: '0m', to: 'user' }],
};

it('finds what both have changed, and what only the other has', () => {
  const mine = { ...BASE, name: 'Ann', phone: '7', carer: { ...BASE.carer, phone: '3' } };
  const theirs = { ...BASE, name: 'Anne', carer: { name: 'Ilse', phone: '3' }, escalation: [] };
  expect(compare(BASE, mine, theirs)).toEqual({
    conflicts: [{ path: 'name', mine: 'Ann', theirs: 'Anne' }],
    theirs: [
      { path: 'carer.name', value: 'Ilse' },
      { path: 'escalation', value: [] },
    ],
  });
});

it('finds what one has removed and the other changed', () => {
  const { carer: _, ...mine } = BASE;
  const theirs = { ...BASE, carer: { name: 'Ida', phone: '9' } };
  expect(compare(BASE, mine, theirs)).toEqual({
    conflicts: [{ path: 'carer.phone', mine: undefined, theirs: '9' }],
    theirs: [],
  });
});

it('finds nothing where something else was changed', () =>
  expect(compare(BASE, { ...BASE, name: 'Ann' }, BASE)).toEqual({ conflicts: [], theirs: [] }));

it('takes fields of the other, also removed ones, and keeps the rest', () => {
  const mine = { ...BASE, name: 'Ann', phone: '7' };
  const theirs = { name: 'Anne', carer: { name: 'Ilse', phone: '2' }, escalation: [] };
  expect(withTheirs(mine, theirs, ['phone', 'carer.name', 'escalation'])).toEqual({
    name: 'Ann',
    carer: { name: 'Ilse', phone: '2' },
    escalation: [],
  });
});
