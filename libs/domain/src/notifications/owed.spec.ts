import type { Alert } from '../alerts/alert.js';
import type { Closing } from '../alerts/closing.js';
import { sampleAlert } from '../alerts/testing.js';
import type { Delivery } from './delivery.js';
import { type AlertOwingEnd, owedEnds, owedSteps, planEscalation, withoutDuplicates } from './owed.js';
import type { Addressees } from './recipients.js';
import { ALERT, at, BOTTLE, delivery, NOW } from './testing.js';

const OPERATOR_ONLY: Addressees = { operator: ['webhook'] };
const OPERATOR = { recipient: 'operator' };
const anna = { details: { time_zone: 'UTC' }, channels: ['webhook', 'email'] };
const ANNA: Addressees = { user: { id: 'anna', person: anna }, operator: ['webhook'] };

const open = (more: Partial<Omit<Alert, 'kind' | 'evidence'>>): Alert =>
  sampleAlert('missed_dose', {
    _id: ALERT,
    bottle_id: BOTTLE,
    raised_at: NOW,
    escalation: [{ after: '0m', to: 'user' }],
    ...more,
  });

function owing(end_owed: AlertOwingEnd['end_owed'], evidence: object = {}): AlertOwingEnd {
  const { open: _open, ...ended } = sampleAlert('missed_dose', {
    _id: ALERT,
    bottle_id: BOTTLE,
    state: 'resolved',
    escalation: [{ after: '0m', to: 'user' }],
    evidence,
  });
  return { ...ended, end_owed };
}

describe('the plan of an alert that is raised', () => {
  const STEPS = [
    { after: '30m', to: 'carer' as const },
    { after: '0m', to: 'user' as const, kinds: ['missed_dose'] },
  ];

  it('has the steps of its kind by their time, and is left to its notifier for five seconds', () => {
    const plan = planEscalation(STEPS, { kind: 'missed_dose' }, NOW);
    expect(plan.escalation.map(({ after }) => after)).toEqual(['0m', '30m']);
    expect(plan.next_step_at).toEqual(at(5));
    const ofSilence = planEscalation(STEPS, { kind: 'bottle_silent' }, NOW);
    expect(ofSilence).toEqual({ escalation: [STEPS[0]], next_step_at: at(30 * 60) });
  });

  it('of a dose that a coverage gap hides is that of a missed dose', () => {
    expect(planEscalation(STEPS, { kind: 'coverage_gap' }, NOW).escalation).toHaveLength(2);
  });

  it.each([[undefined], [[]]])('is to notify the user at once when they have set %j', (policy) => {
    expect(planEscalation(policy, { kind: 'bottle_open' }, NOW).escalation).toEqual([
      { after: '0m', to: 'user' },
    ]);
  });

  it.each([
    [undefined, true],
    [{ owed: 'missed' as const }, true],
    [{ owed: 'summary' as const }, false],
    [{}, false],
  ])('that is over by %j sends its steps: %j', (end, sends) => {
    expect('next_step_at' in planEscalation(STEPS, { kind: 'missed_dose', end }, NOW)).toBe(sends);
  });
});

describe('the steps that are due', () => {
  const steps = (alert: Alert, addressees = ANNA): string[] =>
    owedSteps(alert, addressees, NOW).notifications.map(
      ({ step, recipient, channel }) => `${step} ${recipient} ${channel}`,
    );

  it('go to each address of the person, and to the operator without one', () => {
    expect(steps(open({}))).toEqual(['raised:0:0 user:anna webhook', 'raised:0:0 user:anna email']);
    expect(steps(open({}), OPERATOR_ONLY)).toEqual(['raised:0:0 operator webhook']);
  });

  it('say that the dose was missed once it was', () => {
    const { open: _open, ...missed } = open({ state: 'resolved', raised_at: at(-60), stepped_until: at(-1) });
    const escalation = [
      { after: '0m', to: 'user' as const, repeat: '1m' },
      { after: '1m', to: 'user' as const },
    ];
    expect(steps({ ...missed, escalation }, OPERATOR_ONLY)).toEqual(['missed operator webhook']);
  });

  it('are none during a snooze; after it, the last one is repeated', () => {
    const snoozed = open({ raised_at: at(-60), stepped_until: at(-1) });
    expect(steps({ ...snoozed, snoozed_until: at(1) }, OPERATOR_ONLY)).toEqual([]);
    expect(steps({ ...snoozed, snoozed_until: NOW }, OPERATOR_ONLY)).toEqual([
      `escalated:0:0:${NOW.getTime()} operator webhook`,
    ]);
  });

  it('that were due while no notifier ran for half a year are one reminder, found at once', () => {
    const raised_at = at(-180 * 24 * 60 * 60);
    const escalation = [
      { after: '0m', to: 'user' as const, repeat: '1m' },
      { after: '5m', to: 'carer' as const, repeat: '1m' },
    ];
    const stepped_until = new Date(raised_at.getTime() + 1);
    const { notifications } = owedSteps(open({ raised_at, stepped_until, escalation }), OPERATOR_ONLY, NOW);
    expect(withoutDuplicates(notifications, [], NOW).map(({ step }) => step)).toEqual(['escalated:0:1']);
  });

  it.each([
    [30_000, ['escalated']],
    [29_999, []],
  ])('%d ms after the last notification was sent are %j', (after, events) => {
    const alert = open({
      raised_at: at(-60),
      stepped_until: at(-0.001),
      escalation: [{ after: '0m', to: 'user', repeat: '1m' }],
    });
    const attempts = [{ at: new Date(NOW.getTime() - after), ok: true }];
    const sent = delivery('raised', { ...OPERATOR, status: 'delivered', attempts });
    const { notifications } = owedSteps(alert, OPERATOR_ONLY, NOW);
    expect(withoutDuplicates(notifications, [sent], NOW).map(({ event }) => event)).toEqual(events);
  });

  it('a daily message is queued although another was sent just now, or is being sent', () => {
    const daily = delivery('escalated', { ...OPERATOR, step: 'daily:1' });
    const queued = (more: Partial<Delivery>): Delivery[] =>
      withoutDuplicates([daily], [delivery('raised', { ...OPERATOR, ...more })], NOW);
    expect(queued({ status: 'delivered', attempts: [{ at: NOW, ok: true }] })).toEqual([daily]);
    expect(queued({ claim: { token: 'other', until: at(20) } })).toEqual([daily]);
    expect(queued({})).toEqual([]);
  });
});

describe('the end of an alert', () => {
  const ends = (alert: AlertOwingEnd, earlier: Delivery[], now = NOW) =>
    owedEnds(alert, earlier, OPERATOR_ONLY, now);

  it('comes after what was queued while its notifier hung', () => {
    const created_at = at(5);
    const [end] = ends(owing('resolved'), [delivery('raised', { ...OPERATOR, created_at })]);
    expect(end).toMatchObject({ event: 'resolved', next_attempt_at: NOW });
    expect(end!.created_at.getTime()).toBeGreaterThan(created_at.getTime());
  });

  const closing: Closing = { by: 'Kim', at: NOW, reason: 'duplicate', notified: true };

  it('reaches who was notified, and everyone in the plan if it is a new fact', () => {
    const carer = delivery('raised', { recipient: 'carer:anna' });
    const addressesOf = (alert: AlertOwingEnd): string[] =>
      owedEnds(alert, [carer], ANNA, NOW).map(({ recipient, channel }) => `${recipient} ${channel}`);
    expect(addressesOf(owing('resolved'))).toEqual(['carer:anna webhook']);
    expect(addressesOf(owing('partial'))).toEqual([
      'carer:anna webhook',
      'user:anna webhook',
      'user:anna email',
    ]);
    expect(addressesOf({ ...owing('partial'), closing })).toEqual(['carer:anna webhook']);
  });

  it('corrects for whoever may have got what it corrects, and is new for anyone else', () => {
    const earlier = (more: Partial<Delivery>): Delivery[] => [delivery('missed', { ...OPERATOR, ...more })];
    const corrected = owing('corrected', { pills_taken: 1 });
    const steps = (more: Partial<Delivery>) => ends(corrected, earlier(more)).map(({ step }) => step);
    expect(steps({ status: 'delivered' })).toEqual(['corrected:1']);
    expect(steps({ claim: { token: 'a', until: at(1) } })).toEqual(['corrected:1']);
    expect(steps({ claim: { token: 'a', until: NOW } })).toEqual(['partial']);
  });

  it.each([
    ['08:00:30.000', '08:01:00.000'],
    ['08:00:30.001', '08:02:00.000'],
  ])('a summary that is queued at %s is sent at %s, a full minute', (queuedAt, sentAt) => {
    const [end] = ends(owing('summary'), [delivery('raised', OPERATOR)], new Date(`2026-03-02T${queuedAt}Z`));
    expect(end!.next_attempt_at).toEqual(new Date(`2026-03-02T${sentAt}Z`));
  });
});
