import type { Fault } from '../fault.js';

const PHRASES = 'libs/domain/src/language/phrases.ts';
const PERSON_TEXT = 'libs/domain/src/messages/person-text.ts';
const MAIL = 'apps/notifier/src/delivery/channels/email/mail.ts';
const CHANNEL = 'apps/notifier/src/delivery/channels/email/email.channel.ts';
const SENDER = 'apps/notifier/src/delivery/sender.ts';

/** What people read in a mail, to whom it goes, and in which order. */
export const MAILS: readonly Fault[] = [
  {
    name: 'a mail has the title of another kind',
    file: 'libs/domain/src/messages/alert-texts.ts',
    find: 'const { title: ofKind, titles } = alertKindFacts<K>(kind);',
    replace: "const { title: ofKind, titles } = alertKindFacts(kind && 'bottle_silent');",
    caughtBy: ['mail-server-down'],
  },
  {
    name: 'a mail has the sentences of another kind',
    file: 'libs/domain/src/messages/alert-texts.ts',
    find: 'alertKindFacts<K>(content.kind).lines?.',
    replace: "alertKindFacts('battery_low').lines?.",
    caughtBy: ['missed-after-the-contact-was-deleted'],
  },
  {
    name: 'a mail gives times in UTC wherever its recipient is',
    file: PHRASES,
    find: '    timeZone,\n',
    replace: "    timeZone: timeZone && 'UTC',\n",
    caughtBy: ['mail-server-down'],
  },
  {
    name: 'a mail is in English whoever gets it',
    file: MAIL,
    find: 'phrasesIn(language, time_zone)',
    replace: "phrasesIn(language && 'en', time_zone)",
    caughtBy: ['mails-in-german'],
  },
  {
    name: 'a German mail has one sentence in English',
    file: PERSON_TEXT,
    find: "say('Noticed: {{time}}.', { time: at(data.raised_at) })",
    replace: '`Noticed: ${at(data.raised_at)}.`',
    caughtBy: [
      'mails-in-german',
      'libs/domain/src/messages/german.spec.ts: has every sentence of every message: none is left in English',
    ],
  },
  {
    name: 'the HTML of a German mail is declared to be English',
    file: MAIL,
    find: '    language,\n    subject,',
    replace: "    language: language && 'en',\n    subject,",
    caughtBy: ['mails-in-german'],
  },
  {
    name: 'a mail was noticed when its alert ended',
    file: PERSON_TEXT,
    find: 'at(data.raised_at)',
    replace: 'at(data.ended_at ?? data.subject)',
    caughtBy: ['missed-after-the-contact-was-deleted'],
  },
  {
    name: 'a mail does not say when its alert ended',
    file: PERSON_TEXT,
    find: "...(data.ended_at === undefined ? [] : [say('Ended: {{time}}.', { time: at(data.ended_at) })]),",
    replace: '',
    caughtBy: ['nobody-is-notified-at-once'],
  },
  {
    name: 'a mail has no link',
    file: PERSON_TEXT,
    find: '      ...linkLines(data, say),\n',
    replace: '',
    caughtBy: ['mail-server-down', 'missed-after-the-contact-was-deleted'],
  },
  {
    name: 'a mail offers to take a dose later that is over',
    file: PERSON_TEXT,
    find: 'if (notificationEventFacts(event).ends !== undefined) return',
    replace: "if (event === 'unconfirmed') return",
    caughtBy: ['one-backlog-corrects-several-doses'],
  },
  {
    name: 'two doses that cannot be confirmed have one link',
    file: PERSON_TEXT,
    find: '...statementLines(dose.statement_url, say),',
    replace: '...statementLines(doses[0]!.statement_url, say),',
    caughtBy: ['coverage-gap-leaves-doses-unconfirmed'],
  },
  {
    name: 'a mail does not say that a part was taken',
    file: 'libs/domain/src/alerts/kinds/missed-dose/facts.ts',
    find: '...(NAMES_PART.has(event) ? partTaken(evidence, phrases) : []),',
    replace: '',
    caughtBy: ['partial-notifies-everyone-in-the-plan'],
  },
  {
    name: 'a mail calls what was taken what was due',
    file: 'libs/domain/src/alerts/kinds/missed-dose/texts.ts',
    find: '{ taken: amountText(taken), pills: pills(scheduled) }',
    replace: '{ taken: amountText(scheduled), pills: pills(scheduled) }',
    caughtBy: ['partial-notifies-everyone-in-the-plan'],
  },
  {
    name: 'a mail gives no reason of extra pills',
    file: 'libs/domain/src/alerts/kinds/extra-dose/texts.ts',
    find: '...(why === undefined ? [] : [say(why)]),',
    replace: '',
    caughtBy: ['extra-dose-wakes-the-night'],
  },
  {
    name: 'the HTML of a mail lacks its last line',
    file: MAIL,
    find: 'lines: lines.map(lineOf)',
    replace: 'lines: lines.slice(0, -1).map(lineOf)',
    caughtBy: ['mail-server-down'],
  },
  {
    name: 'the subject of a mail is not its title',
    file: MAIL,
    find: '? parts[0]!.title',
    replace: "? 'A message about a pill bottle'",
    caughtBy: ['mail-server-down'],
  },
  {
    name: 'mails go to an address that its person has changed',
    file: CHANNEL,
    find: 'const to = contact && addressOver(this.name, contact);\n    if (contact === undefined',
    replace: `const known = ((this as { known?: Map<string, string> }).known ??= new Map<string, string>());
    const key = notifications[0].delivery.recipient;
    const to = known.get(key) ?? (contact && addressOver(this.name, contact));
    if (to !== undefined) known.set(key, to);
    if (contact === undefined`,
    caughtBy: ['owed-to-a-person', 'contact-changed-with-an-open-alert'],
  },
  {
    name: "what is for a user goes to the user in the carer's place",
    file: 'libs/domain/src/notifications/recipients.ts',
    find: 'return address && (personIn(address.recipient) ?? OPERATOR);',
    replace: "return address && 'user';",
    caughtBy: ['libs/domain/src/notifications/recipients.spec.ts'],
  },
  {
    name: 'a contact is reachable if one of several notifiers reaches it',
    file: 'apps/support-api/src/contacts/reachability.service.ts',
    find: 'if (receiver !== to)',
    replace: 'if (receiver !== to && notifiers.length === 1)',
    caughtBy: ['test/support-api/reachability.cases.ts'],
  },
  {
    name: 'the channels of a notifier that has stopped go on counting',
    file: 'libs/persistence/src/coverage/coverage.repository.ts',
    find: ', ended: { $ne: true } },',
    replace: ' },',
    caughtBy: ['test/support-api/reachability.cases.ts'],
  },
  {
    name: "the carer's mails go to the user",
    file: SENDER,
    find: 'const contact = personOf(delivery, addressees)?.details;',
    replace: `const to = { recipient: delivery.recipient.replace(/^carer:/, 'user:') };
    const contact = personOf(to, addressees)?.details;`,
    caughtBy: ['missed-does-not-end-the-plan', 'nobody-is-notified-at-once'],
  },
  {
    name: 'a start is sent as a reminder, and a reminder as a start',
    file: 'libs/domain/src/notifications/owed.ts',
    find: "? 'raised' : 'escalated';",
    replace: "? 'escalated' : 'raised';",
    caughtBy: ['escalates-until-acknowledged'],
  },
];
