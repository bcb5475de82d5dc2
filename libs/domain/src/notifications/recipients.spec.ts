import type { EscalationStep } from './escalation.js';
import { OPERATOR, type Person, personIn, recipientOf, recipientsOf, userIn } from './persons.js';
import { type Addressees, addressesOf, receiverFor, replacementOf, replacementsOf } from './recipients.js';

const details = { time_zone: 'UTC' };
const addressees = (
  user: string[],
  carers: Record<string, string[]> = {},
  operator = ['webhook'],
): Addressees => ({
  user: { id: 'anna', person: { details, channels: user } },
  carers: new Map(Object.entries(carers).map(([id, channels]) => [id, { details, channels }])),
  operator,
});
const CARER = { carer: ['email'] };
const USER: EscalationStep[] = [{ after: '0m', to: 'user' }];
const BOTH: EscalationStep[] = [...USER, { after: '30m', to: 'carer' }];
const ALL: EscalationStep[] = [...BOTH, { after: '40m', to: 'jonas' }, { after: '50m', to: 'kay' }];

describe('receiverFor', () => {
  it.each<[Person, EscalationStep[], Addressees, string | undefined]>([
    ['user', USER, addressees(['email']), 'user'],
    ['user', USER, addressees([], CARER), 'operator'],
    ['user', BOTH, addressees([], CARER), 'carer'],
    ['user', BOTH, addressees([], { carer: [] }), 'operator'],
    ['carer', USER, addressees(['email'], CARER), 'carer'],
    ['carer', USER, addressees(['email'], { carer: [] }), 'user'],
    ['carer', USER, addressees([], { carer: [] }), 'operator'],
    ['carer', USER, addressees([], {}, []), undefined],
    ['user', USER, { operator: ['webhook'] }, 'operator'],
    // several carers: the next in the plan, then those before, and the user last
    ['carer', ALL, addressees(['email'], { carer: [], jonas: ['sms'], kay: ['sms'] }), 'jonas'],
    ['kay', ALL, addressees(['email'], { carer: ['sms'], jonas: ['sms'], kay: [] }), 'carer'],
    ['jonas', ALL, addressees(['email'], { carer: [], jonas: [], kay: [] }), 'user'],
    ['jonas', ALL, addressees(['email'], { kay: ['sms'] }), 'kay'],
    ['user', ALL, addressees([], { carer: [], jonas: ['sms'] }), 'jonas'],
    ['constructor', USER, addressees(['email']), 'user'],
  ])('what is for the %s by the plan %j, with %j, goes to the %s', (to, plan, reached, receiver) =>
    expect(receiverFor(to, plan, reached)).toBe(receiver),
  );
});

describe('what is owed to a person', () => {
  const to = (recipient: string, ...channels: string[]) =>
    channels.map((channel) => ({ recipient, channel }));
  const [email] = to('carer:anna', 'email');

  it('stays where the person is reached', () =>
    expect(replacementsOf(email!, BOTH, addressees(['sms'], CARER))).toEqual([]));

  it('goes to one other address of theirs', () =>
    expect(replacementsOf(email!, BOTH, addressees(['sms'], { carer: ['webhook', 'sms'] }))).toEqual(
      to('carer:anna', 'webhook'),
    ));

  it('goes to all addresses of the next person', () =>
    expect(replacementsOf(email!, BOTH, addressees(['webhook', 'email', 'sms']))).toEqual(
      to('user:anna', 'webhook', 'email', 'sms'),
    ));

  it('goes to the operator as one', () =>
    expect(replacementsOf(email!, BOTH, addressees([], {}, ['webhook', 'webhook:a']))).toEqual(
      to('operator', 'webhook'),
    ));
});

describe('a recipient', () => {
  const IDS = ['anna', 'a:b', 'carer:x', 'a.b', 'a/b', 'ü (1) $', 'x.jonas:y'];

  it.each([
    ['user', 'user:anna'],
    ['carer', 'carer:anna'],
    ['jonas', 'carer.jonas:anna'],
  ])('who is the person %s is %s', (person, recipient) =>
    expect(recipientOf(person, 'anna')).toBe(recipient),
  );

  it.each(IDS)('of the user %s names the person and the user, and nobody else', (id) => {
    for (const person of ['user', 'carer', 'jonas']) {
      const recipient = recipientOf(person, id);
      expect([personIn(recipient), userIn(recipient)]).toEqual([person, id]);
      expect(IDS.filter((other) => recipientsOf(other).test(recipient))).toEqual([id]);
    }
  });

  it('who is the operator is no person', () =>
    expect([personIn('operator'), userIn('operator')]).toEqual([undefined, undefined]));
});

describe('staff whose browsers show messages', () => {
  const staff = ['staff:a1', 'staff:a2'];
  const shown = staff.map((recipient) => ({ recipient, channel: 'push' }));
  const operator = { recipient: OPERATOR, channel: 'webhook' };

  it('get what the operator gets, beside and after them', () => {
    expect(addressesOf('user', USER, { ...addressees([]), staff })).toEqual([operator, ...shown]);
    expect(receiverFor('user', USER, { ...addressees([]), staff })).toBe(OPERATOR);
  });

  it('get nothing that a person gets', () =>
    expect(addressesOf('user', USER, { ...addressees(['email']), staff })).toEqual([
      { recipient: 'user:anna', channel: 'email' },
    ]));

  it('are replaced by nobody, and replace nobody', () => {
    expect(replacementOf(shown[0]!, USER, addressees([]))).toBeUndefined();
    const email = { recipient: 'user:anna', channel: 'email' };
    expect(replacementOf(email, USER, { ...addressees([]), staff })).toEqual(operator);
  });
});
