import { endingOf, endingText } from './endings.js';

const closing = {
  by: 'Carol Smith',
  at: '2026-03-02T09:30:00Z',
  reason: 'device_fault',
  note: null,
  notified: true,
} as const;

it('never shows a missed dose in green', () => {
  expect(endingOf({ state: 'resolved', ended_as: 'missed' })).toMatchObject({
    label: 'Missed',
    tone: 'late',
  });
  for (const ended_as of [
    'partial',
    'unknown',
    'taken_late',
    'opened_again',
    'closed_by_staff',
    'retracted',
    'what_is_new',
  ])
    expect(endingOf({ state: 'resolved', ended_as })?.tone).not.toBe('ok');
});

it('says how an alert ended and who closed it and why', () => {
  expect(endingText({ state: 'resolved', ended_as: 'lid_closed', closing: null })).toBe('Lid closed');
  expect(endingText({ state: 'resolved', ended_as: 'opened_again', closing: null })).toBe('Opened again');
  expect(endingText({ state: 'closed', ended_as: 'closed_by_staff', closing })).toBe(
    'Closed by Carol Smith: device fault',
  );
  expect(endingText({ state: 'resolved', ended_as: 'missed', closing })).toBe(
    'Missed · closed by Carol Smith: device fault',
  );
  const other = { ...closing, reason: 'other', note: 'the lid is broken' } as const;
  expect(endingText({ state: 'closed', ended_as: 'closed_by_staff', closing: other })).toBe(
    'Closed by Carol Smith: the lid is broken',
  );
  expect(endingText({ state: 'open', ended_as: null, closing: null })).toBeUndefined();
});
