import type { Contact } from '../../../api/schema.js';
import { addressProblemTexts } from './address-problems.js';

it('names those whose addresses take no messages, and nobody else', () => {
  const refused = { state: 'refused' } as const;
  const contact: Contact = {
    name: 'Lena Vogt',
    email: 'lena@example.org',
    email_health: { state: 'verified' },
    carers: [
      { id: 'carer', name: 'Max', relation: 'son', email_health: refused, sms_health: { state: 'paused' } },
    ],
  };
  expect(addressProblemTexts(contact)).toEqual(['Max (son) takes no messages: e-mail, SMS']);
  expect(addressProblemTexts({ email_health: refused })).toEqual(['The user takes no messages: e-mail']);
});
