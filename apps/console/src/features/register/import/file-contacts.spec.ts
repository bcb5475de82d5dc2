import { splitContacts } from './file-contacts.js';

it('leaves a file without contacts as it is', () => {
  const csv = '\uFEFFuser_id,medication\r\n"a","x ""1"""\r\n';
  expect(splitContacts(csv)).toEqual({ csv, contacts: [] });
});

it('takes the contacts out, and keeps the lines', () => {
  const csv = [
    'user_id;name;medication;time_zone;phone;carer_name;carer_email;step\r\n',
    'anna;"Anna; ""A"" Kowalska";"Met\nformin";UTC;030 1;Ida;ida@example.org;1\r\n',
    ';;;;;;;2\r\n',
    'anna;Other;Ibu;UTC;;;;\r\n',
    'bert;;=Aspirin;UTC;;;;\r\n',
    'zoe;Zoë;x;Europe/Berlin;;;;',
  ].join('');
  expect(splitContacts(csv)).toEqual({
    csv: 'user_id;medication;time_zone;step\r\nanna;"Met\nformin";UTC;1\r\n;;;2\r\nanna;Ibu;UTC;\r\nbert;=Aspirin;UTC;\r\nzoe;x;Europe/Berlin;',
    contacts: [
      {
        line: 2,
        user_id: 'anna',
        contact: {
          name: 'Anna; "A" Kowalska',
          phone: '030 1',
          time_zone: 'UTC',
          carers: [{ id: 'carer', name: 'Ida', email: 'ida@example.org', time_zone: 'UTC' }],
          escalation: [
            { after: '0m', to: 'user' },
            { after: '30m', to: 'carer' },
          ],
        },
      },
      { line: 7, user_id: 'zoe', contact: { name: 'Zoë', time_zone: 'Europe/Berlin' } },
    ],
  });
});

it('takes further carers, who are notified one after another', () => {
  const csv =
    'user_id,carer_name,carer_2_name,carer_2_email,carer_10_phone\nanna,,Ben,ben@example.org,030 1\n';
  expect(splitContacts(csv)).toEqual({
    csv: 'user_id\nanna\n',
    contacts: [
      {
        line: 2,
        user_id: 'anna',
        contact: {
          carers: [
            { id: 'carer', name: 'Ben', email: 'ben@example.org' },
            { id: 'carer-2', phone: '030 1' },
          ],
          escalation: [
            { after: '0m', to: 'user' },
            { after: '30m', to: 'carer' },
            { after: '60m', to: 'carer-2' },
          ],
        },
      },
    ],
  });
});
