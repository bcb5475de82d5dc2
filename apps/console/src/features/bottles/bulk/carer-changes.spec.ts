import { withCarer, withoutCarers } from './carer-changes.js';

const ANNA = { id: 'carer', name: 'Anna', email: 'anna@example.org' };
const BEN = { id: 'carer-2', name: 'Ben', sms: '+491', groups: ['family'] };
const TWO = {
  time_zone: 'UTC',
  carers: [ANNA, BEN],
  escalation: [
    { after: '0m', to: 'user' },
    { after: '10m', to: 'carer' },
    { after: '1h', to: 'group:family' },
  ],
};
const NORA = { name: 'Nora', email: 'nora@example.org' };

it('a carer replaces the first one, and the others stay', () => {
  expect(withCarer(TWO, NORA, false)).toMatchObject({
    text: 'Anna and Ben → Nora and Ben',
    carers: [{ ...NORA, id: 'carer', time_zone: 'UTC' }, BEN],
    escalation: TWO.escalation,
  });
});

it('a further carer has a step of their own', () => {
  expect(withCarer(TWO, NORA, true)).toMatchObject({
    carers: [ANNA, BEN, { ...NORA, id: 'carer-3' }],
    escalation: [...TWO.escalation, { after: '30m', to: 'carer-3' }],
  });
  expect(withCarer(null, NORA, true)).toMatchObject({
    text: 'no carer → Nora',
    carers: [{ id: 'carer' }],
    escalation: [{ to: 'user' }, { after: '30m', to: 'carer' }],
  });
  expect(withCarer(TWO, { name: 'Ben', sms: '+491' }, true)).toBeUndefined();
});

it.each([
  ['a name', ' ben', { carers: [ANNA], escalation: TWO.escalation.slice(0, 2) }],
  ['an address', 'ANNA@example.org', { carers: [BEN], escalation: [TWO.escalation[0], TWO.escalation[2]] }],
  ['nothing: all', '', { carers: [], escalation: [TWO.escalation[0]] }],
])('carers are removed by %s, with the steps that name nobody else', (_by, who, expected) => {
  expect(withoutCarers(TWO, who)).toMatchObject(expected);
});

it('nobody is removed by a name that no carer has', () => {
  expect(withoutCarers(TWO, 'Nora')).toBeUndefined();
  expect(withoutCarers(null, '')).toBeUndefined();
});
