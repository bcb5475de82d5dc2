import type { Contact } from '#persistence';
import { changedFields } from './changed-fields.js';

const AT = new Date('2026-03-02T08:00:00Z');
const contact: Contact = {
  _id: 'u-1',
  name: 'Will Weber',
  phone: '+49 30 1',
  email: 'will@example.org',
  email_verified_at: AT,
  time_zone: 'Europe/Berlin',
  quiet_hours: { from: '22:00', to: '07:00' },
  carer: {
    name: 'Anna',
    email: 'anna@example.org',
    email_verified_at: null,
    time_zone: 'UTC',
    carer_since: AT,
  },
  escalation: [{ after: '0m', to: 'user' }],
  changed_at: AT,
};
const later = new Date('2026-03-03T08:00:00Z');

describe('the fields of a contact that were changed', () => {
  it.each<[what: string, after: Partial<Contact>, fields: string[]]>([
    ['nothing', { changed_at: later, email_verified_at: later }, []],
    ['one field', { phone: '+49 30 2' }, ['phone']],
    ['a removed field', { phone: undefined }, ['phone']],
    ['a new address is one change', { email: 'w@example.org', email_verified_at: null }, ['email']],
    ['the same address, not verified any more', { email_verified_at: null }, ['email_verified']],
    ['within an object', { quiet_hours: { from: '22:00', to: '08:00' } }, ['quiet_hours']],
    ['a step', { escalation: [{ after: '5m', to: 'user' }] }, ['escalation']],
    ["the carer's phone", { carer: { ...contact.carer!, phone: '1', carer_since: later } }, ['carer.phone']],
    ['no carer any more', { carer: undefined }, ['carer']],
  ])('%s', (_, after, fields) => {
    expect(changedFields(contact, { ...contact, ...after })).toEqual(fields);
  });
});
