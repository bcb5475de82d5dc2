import { actionText, detailsText } from './audit-text.js';

it('shows which statement was recorded, and whose word it is', () => {
  const details = { scheduled_at: '2025-03-02T07:00:00.000Z', kind: 'not_taken', attested_by: 'carer' };
  const entry = { action: 'dose.attest', details } as unknown as Parameters<typeof actionText>[0];
  expect(actionText(entry)).toBe('Recorded a statement about a dose of');
  expect(detailsText(entry)).toMatch(/^dose of: 2 Mar 2025, .*, kind: not taken, reported by: Carer$/);
});

it.each([
  ['04:00', 'until: 04:00'],
  ['carer', 'sent to: carer'],
])('names %s by what it is', (to, text) => {
  const entry = { action: 'contact.test', details: { to } } as unknown as Parameters<typeof actionText>[0];
  expect(detailsText(entry)).toBe(text);
});
