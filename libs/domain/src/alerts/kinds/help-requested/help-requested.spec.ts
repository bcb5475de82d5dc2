import { owedSteps, planEscalation } from '../../../notifications/owed.js';
import { addressesOf, type Addressees } from '../../../notifications/recipients.js';
import { sampleAlert } from '../../testing.js';
import { helpRequested, helpWithdrawableUntil, withoutAsker } from './help-requested.js';

const NOW = new Date('2026-03-02T09:30:00Z');
const SLOT = new Date('2026-03-02T08:00:00Z');
const bottle = { _id: { toHexString: () => 'b1' }, user_id: 'anna', medication: 'Cordrazine' };
const person = { details: { time_zone: 'UTC' }, channels: ['email'] };
const PLAN: Addressees = {
  user: { id: 'anna', person },
  carers: new Map([
    ['carer', person],
    ['jonas', person],
  ]),
  operator: ['webhook'],
};

/** To whom a call goes at once, by this policy. */
function called(asked_by: string, policy: Parameters<typeof planEscalation>[0]): string[] {
  const found = helpRequested(bottle, SLOT, asked_by, NOW);
  const { escalation } = planEscalation(policy, found, NOW);
  const { evidence } = found;
  const alert = sampleAlert('help_requested', { evidence, escalation, raised_at: NOW });
  const { notifications } = owedSteps(alert, withoutAsker(alert, PLAN), NOW);
  return [...new Set(notifications.map(({ recipient }) => recipient))];
}

describe('a call for help', () => {
  const POLICY = [
    { after: '0m', to: 'user' },
    { after: '30m', to: 'carer', repeat: '15m' },
    { after: '4h', to: 'jonas', kinds: ['missed_dose'] },
    { after: '0m', to: 'jonas', kinds: ['battery_low'] },
    { remind: '0m', to: 'user' },
  ];

  it.each([
    ['the user', 'user', ['carer:anna', 'carer.jonas:anna']],
    ['a carer', 'jonas', ['user:anna', 'carer:anna']],
    ['a carer who has left', 'fiona', ['user:anna', 'carer:anna', 'carer.jonas:anna']],
  ])('of %s goes to all others of the plan of a missed dose at once', (_who, asked_by, to) => {
    expect(called(asked_by, POLICY).toSorted()).toEqual(to.toSorted());
  });

  it.each([
    ['has nobody else', undefined],
    ['has nobody for a missed dose', [{ after: '0m', to: 'jonas', kinds: ['battery_low'] }]],
    ['has nothing but reminders', [{ remind: '0m', to: 'user' }]],
  ])('of the user goes to the operator if the plan %s', (_why, policy) => {
    expect(called('user', policy)).toEqual(['operator']);
  });

  it('repeats as its steps do, until somebody acknowledges', () => {
    const { escalation } = planEscalation(POLICY, helpRequested(bottle, SLOT, 'user', NOW), NOW);
    expect(escalation.map(({ after, repeat }) => [after, repeat])).toEqual([
      ['0m', undefined],
      ['0m', '15m'],
      ['0m', undefined],
    ]);
  });

  it('is about one dose, and can be withdrawn for an hour while it lasts', () => {
    expect(helpRequested(bottle, SLOT, 'user', NOW)).toMatchObject({ subject: SLOT.toISOString() });
    const alert = sampleAlert('help_requested', { raised_at: NOW });
    expect(helpWithdrawableUntil(alert)).toEqual(new Date('2026-03-02T10:30:00Z'));
    const { open: _open, ...ended } = alert;
    expect(helpWithdrawableUntil(ended)).toBeUndefined();
  });

  it('leaves other alerts to whoever has asked for help', () => {
    const late = sampleAlert('missed_dose', {});
    expect(addressesOf('user', [], withoutAsker(late, PLAN))).toHaveLength(1);
  });
});
