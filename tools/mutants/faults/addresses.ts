import type { Fault } from '../fault.js';

const SENDER = 'apps/notifier/src/delivery/sender.ts';
const ADDRESSES = 'libs/persistence/src/contacts/addresses.ts';
const HEALTH = 'libs/persistence/src/contacts/address-health.repository.ts';
const RECEIPTS = 'libs/domain/src/notifications/receipts.ts';
const HEALTH_CASES = 'test/flows/address-health.cases.ts';
const SMS_CASES = 'test/flows/sms.cases.ts';
const SMS_SPEC = 'libs/domain/src/messages/sms.spec.ts';

/** How addresses fare, and SMS. */
export const ADDRESSES_AND_SMS: readonly Fault[] = [
  {
    name: 'nobody else hears when an address refuses a message',
    file: SENDER,
    find: 'if (error.refusal && !isOperator(first.delivery)) {',
    replace: 'if (error.refusal && isOperator(first.delivery)) {',
    caughtBy: [HEALTH_CASES],
  },
  {
    name: 'messages go on to a refused address',
    file: ADDRESSES,
    find: 'return isRefused || isPaused(channel, details);',
    replace: 'return isPaused(channel, details);',
    caughtBy: [HEALTH_CASES],
  },
  {
    name: 'a refused address is given up for ever',
    file: ADDRESSES,
    find: 'now.getTime() - refusal.last_at.getTime() < REFUSED_FOR_MS',
    replace: 'now >= refusal.last_at',
    caughtBy: [HEALTH_CASES],
  },
  {
    name: 'messages go on to a paused number',
    file: ADDRESSES,
    find: 'return isRefused || isPaused(channel, details);',
    replace: 'return isRefused;',
    caughtBy: [SMS_CASES],
  },
  {
    name: 'a save of the contact forgets that an address was refused',
    file: 'apps/support-api/src/contacts/entered-contact.ts',
    find: 'return { ...details, ...healthOf(details, before) };',
    replace: 'return details;',
    caughtBy: [HEALTH_CASES],
  },
  {
    name: 'another address is refused like the one before',
    file: 'apps/support-api/src/contacts/entered-contact.ts',
    find: 'CONTACT_CHANNELS.filter((channel) => details[channel] === before?.[channel])',
    replace: 'CONTACT_CHANNELS',
    caughtBy: [HEALTH_CASES],
  },
  {
    name: 'the operator is notified of the same refusal each day',
    file: HEALTH,
    find: 'await this.update(recipient, place, again, { $set: update });',
    replace: 'await this.update(recipient, place, again, { $set: { ...update, refusals_due_at: due } });',
    caughtBy: [HEALTH_CASES],
  },
  {
    name: 'the list shows where a message would go now',
    file: 'apps/support-api/src/deliveries/messages.service.ts',
    find: "if (last || status !== 'pending') return last?.address ?? null;",
    replace: '',
    caughtBy: [HEALTH_CASES],
  },
  {
    name: 'a receipt that says that a number takes none changes nothing',
    file: RECEIPTS,
    find: ': afterRefusal(delivery, failed, now);',
    replace: ': undefined;',
    caughtBy: [SMS_CASES],
  },
  {
    name: 'a receipt of an earlier attempt is taken for one of the last',
    file: RECEIPTS,
    find: 'receipts.filter(({ attempt_at }) => attempt_at.getTime() === attemptAt)',
    replace: '[...receipts]',
    caughtBy: ['libs/domain/src/notifications/receipts.spec.ts'],
  },
  {
    name: 'what was delivered without an answer is sent twice',
    file: RECEIPTS,
    find: "if (delivery.status !== 'pending' || last.ok) return undefined;",
    replace: 'return undefined;',
    caughtBy: [SMS_CASES],
  },
  {
    name: 'each person has a limit of SMS, and not each number',
    file: 'apps/notifier/src/delivery/throttle.ts',
    find: 'if (!channel.limitsAddresses) return delivery.recipient;',
    replace: "if (channel.name !== '') return delivery.recipient;",
    caughtBy: [SMS_CASES],
  },
  {
    name: 'replies are taken from everybody',
    file: 'apps/support-api/src/sms/sms.service.ts',
    find: 'return SMS_INCOMING_KEY !== undefined && isSame(password, SMS_INCOMING_KEY);',
    replace: "return password !== '' || authorization === undefined;",
    caughtBy: [SMS_CASES],
  },
  {
    name: 'an escape is parted from its character',
    file: 'libs/domain/src/messages/sms.ts',
    find: 'if (size > left) [segments, left] = [segments + 1, each];',
    replace: 'if (left <= 0) [segments, left] = [segments + 1, each + left];',
    caughtBy: [SMS_SPEC],
  },
  {
    name: 'an SMS loses its link before its details',
    file: 'libs/domain/src/messages/sms-text.ts',
    find: 'const details = others.filter((line) => !hasLink(line));',
    replace: 'const details = others;',
    caughtBy: [SMS_SPEC],
  },
  {
    name: 'a text that contains the word stops the messages',
    file: 'libs/domain/src/messages/sms.ts',
    find: 'COMMANDS[name].includes(command)',
    replace: 'COMMANDS[name].some((one) => command.includes(one))',
    caughtBy: [SMS_SPEC],
  },
  {
    name: 'an SMS names the medication',
    file: 'apps/notifier/src/delivery/channels/sms/sms.channel.ts',
    find: '{ namesMedication, takesReplies }',
    replace: '{ namesMedication: true, takesReplies }',
    caughtBy: [SMS_CASES],
  },
  {
    name: 'what a phone has is sent again after a late receipt',
    file: RECEIPTS,
    find: "ofAttempt.find(({ state }) => state === 'delivered') ??",
    replace: '',
    caughtBy: ['libs/domain/src/notifications/receipts.spec.ts'],
  },
  {
    name: 'a number is refused no more when a gateway accepts a test message',
    file: 'apps/notifier/src/delivery/test-messages.ts',
    find: 'if (!awaitsReceipt) await',
    replace: 'await',
    caughtBy: [SMS_CASES],
  },
  {
    name: 'the link that stops messages answers for a dose, for 60 days',
    file: 'apps/support-api/src/links/followed-links.ts',
    find: 'if (onlyStops) return invalid(reader);',
    replace: '',
    caughtBy: ['test/flows/messages.cases.ts'],
  },
  {
    name: 'a number that was paused by STOP is asked by another contact that gets it',
    file: 'apps/support-api/src/contacts/contacts.service.ts',
    find: 'if (since) details.paused =',
    replace: 'if (!since) details.paused =',
    caughtBy: [
      'test/flows/sms.cases.ts: stop for every contact that has the number, also for one that gets it later, until START',
    ],
  },
  {
    name: 'whoever saves a contact undoes a STOP that came meanwhile',
    file: 'libs/persistence/src/contacts/contacts.repository.ts',
    find: '{ _id: _id as never, ...hasVersion([version]) },',
    replace: '{ _id: _id as never },',
    caughtBy: ['test/flows/sms.cases.ts: stop also while staff save the contact'],
  },
  {
    name: 'a test message goes to a number that was paused meanwhile',
    file: 'apps/notifier/src/delivery/test-messages.ts',
    find: 'if (isPaused(name, details)) return',
    replace: 'if (false) return',
    caughtBy: ['test/flows/sms.cases.ts: are no test message after STOP, though it was asked for before'],
  },
  {
    name: 'a receipt that cannot be read holds up the others',
    file: 'apps/notifier/src/delivery/receipts.ts',
    find: 'await this.receipts.quarantine(delivery, String(error), this.clock.now());',
    replace: 'throw error;',
    caughtBy: ['test/flows/sms.cases.ts: whose receipt cannot be read hold up no other'],
  },
  {
    name: 'a digit by SMS answers the newest of two doses',
    file: 'apps/support-api/src/sms/sms-answers.ts',
    find: 'if (others.length > 0) return',
    replace: 'if (others.length > 9) return',
    caughtBy: [
      'test/flows/sms.cases.ts: about two doses are answered by links only: a digit does not say which one',
    ],
  },
  {
    name: 'a digit by SMS that comes again answers the next dose',
    file: 'apps/support-api/src/sms/sms-answers.ts',
    find: 'if (before) return',
    replace: 'if (false) return',
    caughtBy: [
      'test/flows/sms.cases.ts: about two doses are answered by links only: a digit does not say which one',
    ],
  },
  {
    name: 'a digit by SMS is taken of a number that the recipient had before',
    file: 'apps/support-api/src/links/followed-links.ts',
    find: '(address) => address === number',
    replace: '() => true',
    caughtBy: ['test/flows/sms.cases.ts: of a number that is no longer the recipient’s take no digits'],
  },
  {
    name: 'a digit by SMS changes what somebody else has stated of the dose',
    file: 'apps/support-api/src/sms/sms-answers.ts',
    find: 'const isOver = isSettled(newest.alert) || stated',
    replace: 'const isOver = stated',
    caughtBy: [
      'test/flows/sms.cases.ts: about a dose of which somebody else has stated what became of it wait for no digit',
    ],
  },
  {
    name: 'what waits after a failure is not looked at when its contact is corrected',
    file: 'apps/support-api/src/contacts/contacts.service.ts',
    find: 'await this.people.refresh([userId]);\n      await this.waiting.sendAgain(userId);',
    replace: 'await this.people.refresh([userId]);',
    caughtBy: ['contact-corrected-during-an-outage'],
  },
  {
    name: 'what waits after a failure is not looked at when its contact is deleted',
    file: 'apps/support-api/src/contacts/contacts.service.ts',
    find: 'await this.people.refresh([userId]);\n    await this.waiting.sendAgain(userId);',
    replace: 'await this.people.refresh([userId]);',
    caughtBy: ['contact-corrected-during-an-outage'],
  },
  {
    name: 'a start is cancelled because the same is still to be sent to another person',
    file: 'libs/domain/src/notifications/may-be-sent.ts',
    find: 'if (there.some(mayHaveArrived)) return known;',
    replace: 'if (there.length > 0) return known;',
    caughtBy: ['contact-corrected-during-an-outage'],
  },
  {
    name: 'whom staff notified of the closing at another address is sent that the alert is resolved',
    file: 'libs/domain/src/notifications/may-be-sent.ts',
    find: 'if (moved_from.length === 0) return false;',
    replace: 'if (moved_from.length >= 0) return false;',
    caughtBy: ['closed-by-staff-at-an-address-that-was-deleted'],
  },
];
