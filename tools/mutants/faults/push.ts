import type { Fault } from '../fault.js';

const ADDRESSES = 'libs/persistence/src/contacts/addresses.ts';
const BROWSERS = 'libs/persistence/src/contacts/push-browsers.repository.ts';
const CHANNEL = 'apps/notifier/src/delivery/channels/push/push.channel.ts';
const ENCRYPT = 'apps/notifier/src/delivery/channels/push/encrypt.ts';
const ENCRYPT_SPEC = 'apps/notifier/src/delivery/channels/push/encrypt.spec.ts';
const CASES = 'test/flows/push.cases.ts';
const RECIPIENTS = 'apps/notifier/src/delivery/recipients.ts';
const STAFF = 'libs/persistence/src/staff/staff.repository.ts';

/** Messages in the browser. */
export const PUSH: readonly Fault[] = [
  {
    name: 'a browser outlasts the address by whose link it was added',
    file: ADDRESSES,
    find: 'return (details.push_browsers ?? []).filter(({ via }) => theirs.includes(via));',
    replace: 'return theirs.length > 0 ? (details.push_browsers ?? []) : [];',
    caughtBy: [CASES],
  },
  {
    name: 'a person adds as many browsers as they like',
    file: BROWSERS,
    find: 'if (others.length >= MOST_BROWSERS) return undefined;',
    replace: '',
    caughtBy: [CASES],
  },
  {
    name: 'a browser that is added again is there twice',
    file: BROWSERS,
    find: 'known.filter(({ endpoint }) => endpoint !== browser.endpoint)',
    replace: 'known',
    caughtBy: [CASES],
  },
  {
    name: 'a browser that its push service no longer knows is asked for ever',
    file: BROWSERS,
    find: 'return left.length > 0 ? { push_browsers: left } : undefined;',
    replace: 'return undefined;',
    caughtBy: [CASES],
  },
  {
    name: 'a push service may be in a private network',
    file: CHANNEL,
    find: 'if (this.config.PUSH_ALLOW_PRIVATE) return url;',
    replace: 'return url;',
    caughtBy: [CASES],
  },
  {
    name: 'a push service is asked again before the time that it named',
    file: 'libs/domain/src/notifications/backoff.ts',
    find: 'Math.max(backoff.getTime(), asked)',
    replace: 'backoff.getTime()',
    caughtBy: [CASES],
  },
  {
    name: 'a save of the contact forgets the browsers',
    file: 'apps/support-api/src/contacts/entered-contact.ts',
    find: 'if (body.push !== false) Object.assign(',
    replace: 'if (body.push) Object.assign(',
    caughtBy: [CASES],
  },
  {
    name: 'staff hear nothing of what moves to the operator',
    file: RECIPIENTS,
    find: 'const isNew = isOperator(to) && !isOperator(delivery);',
    replace: 'const isNew = false;',
    caughtBy: [CASES],
  },
  {
    name: 'staff are shown the alerts of watchdogs',
    file: RECIPIENTS,
    find: 'const staff = ofWatchdog ? [] : this.staff.recipients;',
    replace: 'const staff = this.staff.recipients;',
    caughtBy: [CASES],
  },
  {
    name: 'a browser shows the messages of everyone who ever signed in there',
    file: STAFF,
    find: "await this.staff.updateMany({ _id: { $ne: id }, 'push_browsers.endpoint': endpoint }, without);",
    replace: '',
    caughtBy: [CASES],
  },
  {
    name: 'the browsers of an account outlast its being disabled',
    file: STAFF,
    find: '...(isTakenOver && NO_BROWSERS),',
    replace: '',
    caughtBy: [CASES],
  },
  {
    name: 'what waits for a browser of staff is sent after its removal',
    file: 'libs/domain/src/notifications/may-be-sent.ts',
    find: 'if (isStaff(delivery) && !addressees.staff?.includes(delivery.recipient))',
    replace: 'if (false as boolean)',
    caughtBy: [CASES],
  },
  {
    name: 'a summary for one member of staff is one message with that for another',
    file: 'libs/domain/src/notifications/one-message.ts',
    find: 'return `${recipient} ${about}`;',
    replace: 'return about;',
    caughtBy: ['libs/domain/src/notifications/one-message.spec.ts'],
  },
  {
    name: 'the length of what a browser gets says what it is',
    file: ENCRYPT,
    find: 'Math.max(0, paddedBytes - plain.length)',
    replace: '0',
    caughtBy: [ENCRYPT_SPEC],
  },
  {
    name: 'a message for a browser does not end as RFC 8188 says',
    file: ENCRYPT,
    find: 'const LAST_RECORD = 2;',
    replace: 'const LAST_RECORD = 1;',
    caughtBy: [ENCRYPT_SPEC],
  },
];
