import type { NotifiedStep } from '../../../api/schema.js';
import { lateDoseText } from './plan-text.js';

const DOSE = { scheduled_at: '2026-03-02T07:00:00Z' };
const PRESENT = Date.parse('2026-03-02T06:00:00Z');
const ANNA: NotifiedStep = {
  after: '0m',
  remind: null,
  repeat: null,
  kinds: [],
  to: 'user',
  named: 'Anna',
  goes_to: 'user',
  name: 'Anna',
  addresses: [{ channel: 'sms', address: '+4915100000000' }],
  reason: null,
  at: '2026-03-02T08:00:00Z',
};
const JONAS: NotifiedStep = {
  ...ANNA,
  after: '30m',
  to: 'carer',
  named: 'Jonas',
  goes_to: 'operator',
  name: null,
  addresses: [{ channel: 'webhook', address: null }],
  reason: 'email_unverified',
  at: '2026-03-02T08:30:00Z',
};

describe('who is notified of a dose that is late', () => {
  const text = (...steps: NotifiedStep[]): string => lateDoseText(DOSE, steps, 'Europe/Berlin', PRESENT);

  it('is stated with the times of the clocks, in their order', () => {
    expect(text(JONAS, ANNA)).toBe(
      'If the dose of 08:00 CET is late: at 09:00 Anna by SMS; at 09:30 Jonas (e-mail address not verified: goes to the operator by webhook).',
    );
  });

  it('names the day of what waits for the end of quiet hours', () => {
    expect(text({ ...ANNA, at: '2026-03-03T06:00:00Z' })).toBe(
      'If the dose of 08:00 CET is late: on Tue 3 Mar at 07:00 Anna by SMS.',
    );
  });

  it('leaves out the steps for other alerts', () => {
    expect(text({ ...JONAS, at: null })).toBe('If the dose of 08:00 CET is late, no step is for it.');
  });
});
