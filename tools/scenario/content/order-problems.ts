import { carersIn, type ScenarioFacts } from '../facts/scenario-facts.js';
import { inOrder } from '../facts/service.js';
import { describeMessage, type ReceivedMessage } from '../truth/describe.js';
import { isOpenEvent } from './about.js';
import { readMailOf } from './content-problems.js';

/**
 * Messages of one alert that reached one recipient over one channel in the wrong order (MSG-4): a start or reminder after
 * an end, a reminder before the start, or an end before an earlier one. And alerts that are about two things.
 *
 * @param messages in the order of their first receipt
 */
export function orderProblems(messages: readonly ReceivedMessage[], facts: ScenarioFacts): string[] {
  const byAlert = new Map<string, ReceivedMessage[]>();
  for (const message of messages) {
    const { alert } = message.content;
    byAlert.set(alert, [...(byAlert.get(alert) ?? []), message]);
  }
  return [...byAlert.values()].flatMap((ofAlert) => [
    ...identityProblems(ofAlert, facts),
    ...[...new Set(ofAlert.map(({ channel, to }) => `${channel} ${to}`))].flatMap((address) => {
      const sent = ofAlert.filter(({ channel, to }) => `${channel} ${to}` === address);
      const isOne = sent[0]!.channel === 'email' || webhooksOf(sent[0]!, facts) <= 1;
      return sent
        .slice(1)
        .flatMap((message, index) => problemsAfter(sent.slice(0, index + 1), message, isOne));
    }),
  ]);
}

/** @param isOne whether all went to one recipient: a webhook does not say to whom it is */
function problemsAfter(
  before: readonly ReceivedMessage[],
  message: ReceivedMessage,
  isOne: boolean,
): string[] {
  const isLate = (earlier: ReceivedMessage): boolean =>
    (isOpenEvent(message.event) && !isOpenEvent(earlier.event)) ||
    (isOne && message.event === 'raised' && earlier.event === 'escalated') ||
    (isOne && queuedAt(message) < queuedAt(earlier));
  return before
    .filter(isLate)
    .map((earlier) => `wrong order: ${describeMessage(message)}, after ${describeMessage(earlier)}`);
}

/** When it was queued, as far as it says. */
function queuedAt({ content: { body } }: ReceivedMessage): string {
  return body?.timestamp ?? '';
}

/** How many recipients may get webhooks about a bottle; the operator is one. */
function webhooksOf({ bottle }: ReceivedMessage, facts: ScenarioFacts): number {
  const { scenario } = facts;
  const user = facts.story(bottle)?.spec.user_id;
  const bodies = [
    ...scenario.contacts.filter(({ user_id }) => user_id === user).map(({ body }) => body),
    ...inOrder(scenario.events).flatMap((event) =>
      event.type === 'contact' && event.contact.user_id === user ? [event.contact.body ?? {}] : [],
    ),
  ];
  const counts = bodies.map(
    (body) =>
      [body, ...carersIn(body)].filter((each) => 'webhook' in each && each['webhook'] === true).length,
  );
  return Math.max(1, ...counts) + (bodies.length > 1 ? 1 : 0);
}

/** An alert is about one bottle, of one kind, and raised once: all its messages name one time, a mail in seconds. */
function identityProblems(ofAlert: readonly ReceivedMessage[], facts: ScenarioFacts): string[] {
  const things = new Set(ofAlert.map(({ bottle, kind }) => `${kind} of bottle ${bottle}`));
  const bodies = ofAlert.flatMap(({ content }) => content.body ?? []);
  const subjects = new Set(bodies.map(({ data }) => `${data.subject} raised at ${data.raised_at}`));
  const raised = new Set(
    ofAlert
      .map((message) => message.content.body?.data.raised_at ?? readMailOf(message, facts)?.raised)
      .flatMap((time) => (time === undefined ? [] : [`what was raised at ${time.replace(/\.\d+Z$/, 'Z')}`])),
  );
  return [things, subjects, raised]
    .filter(({ size }) => size > 1)
    .map((several) => `one alert is about ${[...several].join(', and ')}`);
}
