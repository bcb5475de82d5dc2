import { MINUTE_MS } from '../../../time/durations.js';
import type { StatedDose } from '../../../attestations/removed-for-later.js';
import { planEscalation } from '../../../notifications/owed.js';
import { sampleAlert } from '../../testing.js';
import {
  findReminders,
  findRemindersOver,
  firstReminder,
  nextReminderAt,
  whetherInContact,
} from './dose-reminder.js';

const at = (time: string): Date => new Date(`2026-03-02T${time}:00Z`);
const BOTTLE = { _id: { toHexString: () => 'b1' }, user_id: 'anna', medication: 'Cordrazine' };

const dose = (more: Partial<StatedDose> = {}): StatedDose => ({
  slot: {
    scheduled_at: at('08:00'),
    early_from: at('06:00'),
    late_at: at('09:00'),
    missed_at: at('12:00'),
    pills: 1,
  },
  phase: 'pending',
  pills_taken: 0,
  matched: [],
  awaiting_contact: false,
  ...more,
});

describe('the first reminder of a policy', () => {
  it.each([
    [[{ after: '0m' }], undefined],
    [[{ remind: '20m' }, { remind: '-10m' }, { after: '0m' }], -10 * MINUTE_MS],
    [[{ remind: '-0m' }], -0],
    [[{ remind: '1h' }], 60 * MINUTE_MS],
  ])('of %j is %s', (steps, first) => {
    expect(firstReminder(steps.map((step) => ({ ...step, to: 'user' as const })))).toBe(first);
  });

  it('is none without a policy', () => expect(firstReminder(undefined)).toBeUndefined());
});

describe('a dose', () => {
  const found = (now: string, doses = [dose()], first = -10 * MINUTE_MS): number =>
    findReminders(BOTTLE, doses, [], first, at(now)).length;

  it('is reminded of from the first reminder on, included', () => {
    expect([found('07:49'), found('07:50'), found('08:59')]).toEqual([0, 1, 1]);
  });

  it.each(['late', 'awaiting_contact', 'judged'] as const)('is not when it is %s', (phase) => {
    expect(found('08:30', [dose({ phase })])).toBe(0);
  });

  it('is not again while its reminder is open', () => {
    const open = sampleAlert('dose_reminder', { subject: '2026-03-02T08:00:00.000Z' });
    expect(findReminders(BOTTLE, [dose()], [open], 0, at('08:30'))).toEqual([]);
  });

  it('is looked at again at the first reminder of the next one', () => {
    const next = (now: string) => nextReminderAt([at('08:00'), at('20:00')], -10 * MINUTE_MS, at(now));
    expect([next('07:49'), next('07:50'), next('19:50')]).toEqual([at('07:50'), at('19:50'), undefined]);
  });
});

describe('a reminder is over', () => {
  const open = sampleAlert('dose_reminder', { subject: '2026-03-02T08:00:00.000Z' });
  const overBy = (doses: StatedDose[], user_id = 'anna') =>
    findRemindersOver({ ...BOTTLE, user_id }, [open], doses, new Map(), at('08:30')).map(({ end }) => end);

  it.each<[string, StatedDose[], string]>([
    ['taken', [dose({ phase: 'judged', outcome: 'taken_early' })], 'taken'],
    ['late', [dose({ phase: 'late' })], 'late'],
    ['late, and nobody can know', [dose({ phase: 'awaiting_contact' })], 'late'],
    ['not monitored', [dose({ phase: 'judged', outcome: 'not_monitored' })], 'not_due'],
    ['not due any more', [], 'not_due'],
  ])('when the dose is %s, and nobody is notified', (_, doses, over) => {
    const [end] = overBy(doses);
    expect(end).toMatchObject({ state: 'resolved', evidence: { over } });
    expect(end).not.toHaveProperty('owed');
  });

  it('not while the dose can be taken in time', () => expect(overBy([dose()])).toEqual([]));

  it('when the bottle has another user', () => expect(overBy([dose()], 'bob')).toHaveLength(1));
});

it('says since when a bottle of the plan has not reported, and nothing while all report', () => {
  const alert = sampleAlert('dose_reminder');
  const shown = (state: object) => whetherInContact(alert, state).evidence;
  expect(shown({ last_heard_at: at('07:55') })).toBe(alert.evidence);
  expect(shown({ quiet: 'silent', last_heard_at: at('06:00') })).toMatchObject({
    offline_since: at('06:00'),
  });
  expect(shown({ quiet: 'never_heard' })).toMatchObject({ never_reported: true });
  const member = { quiet: 'silent', last_heard_at: at('05:00') };
  expect(shown({ members: [member] })).toMatchObject({ offline_since: at('05:00') });
});

it('the steps of a reminder count from the time of the dose, and those of other alerts are none of it', () => {
  const policy = [
    { after: '30m', to: 'carer' },
    { remind: '20m', to: 'user' },
    { remind: '-10m', to: 'user' },
  ] as const;
  const found = sampleAlert('dose_reminder');
  const planned = planEscalation(policy, found, at('07:45'));
  expect(planned.escalation.map(({ remind }) => remind)).toEqual(['-10m', '20m']);
  expect(planned.next_step_at).toEqual(at('07:50'));
  expect(planEscalation(policy, { kind: 'bottle_open' }, at('07:45')).escalation).toEqual([policy[0]]);
  // a policy of reminders only
  expect(planEscalation(policy.slice(1), { kind: 'bottle_open' }, at('07:45')).escalation).toEqual([
    { after: '0m', to: 'user' },
  ]);
});
