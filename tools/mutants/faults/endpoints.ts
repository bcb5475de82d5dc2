import type { Fault } from '../fault.js';

const RULES = 'libs/domain/src/notifications/endpoints.ts';
const SENT = 'libs/domain/src/notifications/may-be-sent.ts';
const SPEC = 'libs/domain/src/notifications/endpoints.spec.ts';
const CASES = 'test/flows/webhook-endpoints.cases.ts';
const FOLDER = 'apps/notifier/src/delivery/channels/webhook';

/** The receivers of webhooks. */
export const ENDPOINTS: readonly Fault[] = [
  {
    name: 'an endpoint gets kinds that it does not want',
    file: RULES,
    find: 'kinds === undefined || kind === undefined || kinds.includes(kind)',
    replace: 'kinds === undefined || kind === undefined || kinds.length > 0',
    caughtBy: [SPEC],
  },
  {
    name: 'what no endpoint takes is lost',
    file: RULES,
    find: '{ operator: [...channels, OUTPUT], people: [] }',
    replace: '{ operator: channels, people: [] }',
    caughtBy: [SPEC],
  },
  {
    name: 'what waits for a paused endpoint is not printed',
    file: 'libs/persistence/src/deliveries/outbox.repository.ts',
    find: "'copies' in result &&",
    replace: "result.kind === 'moved' &&",
    caughtBy: [`${CASES}: that are paused leave what waits there, and what moves there, to the output, too`],
  },
  {
    name: 'what waits for a paused endpoint is printed though another takes it',
    file: RULES,
    find: 'isOperator(delivery) && !isTaken &&',
    replace: 'isOperator(delivery) &&',
    caughtBy: [SPEC],
  },
  {
    name: 'what no endpoint wants for its event is lost',
    file: RULES,
    find: '...new Map(left.map((one) => [one._id, one])).values()]',
    replace: '...new Map(left.map((one) => [one._id, one])).values()].slice(0, wanted.length)',
    caughtBy: [SPEC],
  },
  {
    name: 'an endpoint is disabled without a notice',
    file: RULES,
    find: 'failed >= DISABLED_AFTER_MS && noticed >= NOTICE_MS',
    replace: 'failed >= DISABLED_AFTER_MS && noticed >= 0',
    caughtBy: [SPEC],
  },
  {
    name: 'an endpoint is disabled after 4 days',
    file: RULES,
    find: 'export const DISABLED_AFTER_MS = 5 * DAY_MS;',
    replace: 'export const DISABLED_AFTER_MS = 4 * DAY_MS;',
    caughtBy: [SPEC],
  },
  {
    name: 'what moves to the operator reaches the first endpoint only',
    file: RULES,
    find: 'copies: movedCopies(delivery, others, now)',
    replace: 'copies: movedCopies(delivery, others.slice(1), now)',
    caughtBy: [SPEC],
  },
  {
    name: 'a paused endpoint is sent messages',
    file: 'apps/notifier/src/delivery/sender.ts',
    find: 'if (hold) return this',
    replace: 'if (hold && now.getTime() < 0) return this',
    caughtBy: [`${CASES}: get, while they are paused, nothing, and what is still true afterwards`],
  },
  {
    name: 'the secret that is replaced stops at once',
    file: `${FOLDER}/endpoints.ts`,
    find: '...(old ? [old.text] : [])',
    replace: '...(old && newest.text === old.text ? [old.text] : [])',
    caughtBy: [`${CASES}: sign with both secrets while one replaces the other`],
  },
  {
    name: 'an endpoint whose secret cannot be read is sent unsigned messages',
    file: `${FOLDER}/endpoints.ts`,
    find: 'if (!newest) return { stored, endpoint, signers: undefined };',
    replace: 'if (!newest) return { stored, endpoint, signers: [] };',
    caughtBy: [`${CASES}: keep their secrets encrypted, and go on when LINK_SECRET is replaced`],
  },
  {
    name: 'an endpoint that wants no starts gets no new facts',
    file: RULES,
    find: 'return isByProgram ? addresses',
    replace: 'return isByProgram && earlier.length < 0 ? addresses',
    caughtBy: ['endpoint-that-wants-no-starts'],
  },
  {
    name: 'a correction that one endpoint does not want is sent to the others as another message',
    file: RULES,
    find: '(areEnds || one.step === other.step)',
    replace: 'one.step === other.step',
    caughtBy: ['corrected-beside-an-endpoint-that-wants-starts'],
  },
  {
    name: 'the end of what moved to the webhook goes to one endpoint only',
    file: RULES,
    find: 'moved_from: [...moved_from, { recipient, channel }],',
    replace: 'moved_from,',
    caughtBy: ['ends-move-to-all-endpoints'],
  },
  {
    name: 'what waits at one endpoint moves to all of its next recipient',
    file: 'libs/domain/src/notifications/endpoints.ts',
    find: 'const isThere = isEndpointChannel(channel) &&',
    replace: 'const isThere = !isEndpointChannel(channel) &&',
    caughtBy: ['start-that-waits-at-one-endpoint-moves-there'],
  },
  {
    name: 'what another endpoint was sent counts as sent to this one',
    file: SENT,
    find: 'isEndpointChannel(delivery.channel) && channel !== delivery.channel',
    replace: 'false && channel !== delivery.channel',
    caughtBy: ['libs/domain/src/notifications/may-be-sent.spec.ts'],
  },
  {
    name: 'an end does not move to the other endpoints when that which was sent what it ends is deleted',
    file: SENT,
    find: 'endpointAddresses(one, addressees).some(isSameAddress(one))',
    replace: 'true',
    caughtBy: ['libs/domain/src/notifications/may-be-sent.spec.ts'],
  },
  {
    name: 'an end goes to an endpoint that was not sent its start, because staff were',
    file: SENT,
    find: '(one) => isStaff(one) || endpointAddresses',
    replace: '(one) => endpointAddresses',
    caughtBy: [
      'libs/domain/src/notifications/may-be-sent.spec.ts: an end whose start moved to staff is not sent to an endpoint beside them',
    ],
  },
  {
    name: 'a correction that moves to the endpoints is one at the first alone, and at the others also a new part',
    file: 'libs/domain/src/notifications/owed.ts',
    find: '(moved && isAtEndpoint(moved) && areOfOne(to, moved))',
    replace: 'false',
    caughtBy: ['correction-that-moves-to-all-endpoints'],
  },
  {
    name: 'an end that moves goes also to an endpoint that was sent nothing, beside those that were sent what it ends',
    file: SENT,
    find: 'arrived.length === 0 || isNotifiedAtOthers(delivery, moment)',
    replace: 'arrived.length === 0',
    caughtBy: ['libs/domain/src/notifications/may-be-sent.spec.ts'],
  },
];
