import type { EscalationStep, EscalationTarget } from './escalation.js';
import { type Addressees, receiverFor } from './recipients.js';

const details = { time_zone: 'UTC' };
const addressees = (user: string[], carer?: string[], operator = ['webhook']): Addressees => ({
  user: { id: 'anna', person: { details, channels: user } },
  carer: carer && { details, channels: carer },
  operator,
});
const USER: EscalationStep[] = [{ after: '0m', to: 'user' }];
const BOTH: EscalationStep[] = [...USER, { after: '30m', to: 'carer' }];

describe('receiverFor', () => {
  it.each<[EscalationTarget, EscalationStep[], Addressees, string | undefined]>([
    ['user', USER, addressees(['email']), 'user'],
    ['user', USER, addressees([], ['email']), 'operator'],
    ['user', BOTH, addressees([], ['email']), 'carer'],
    ['user', BOTH, addressees([], []), 'operator'],
    ['carer', USER, addressees(['email'], ['email']), 'carer'],
    ['carer', USER, addressees(['email'], []), 'user'],
    ['carer', USER, addressees([], []), 'operator'],
    ['carer', USER, addressees([], [], []), undefined],
    ['user', USER, { operator: ['webhook'] }, 'operator'],
  ])('what is for the %s by the plan %j, with %j, goes to the %s', (to, plan, reached, receiver) =>
    expect(receiverFor(to, plan, reached)).toBe(receiver),
  );
});
