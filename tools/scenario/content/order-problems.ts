import type { ScenarioFacts } from '../facts/scenario-facts.js';
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
    ...[...new Set(ofAlert.map(addressOf))].flatMap((address) => {
      const sent = ofAlert.filter((message) => addressOf(message) === address);
      return sent.slice(1).flatMap((message, index) => problemsAfter(sent.slice(0, index + 1), message));
    }),
  ]);
}

/** To whom it went over which channel, and where. */
function addressOf({ channel, to, content: { body } }: ReceivedMessage): string {
  const { role, carer_id = role } = body?.data.recipient ?? {};
  return `${channel} ${to} ${carer_id}`;
}

function problemsAfter(before: readonly ReceivedMessage[], message: ReceivedMessage): string[] {
  const isLate = (earlier: ReceivedMessage): boolean =>
    (isOpenEvent(message.event) && !isOpenEvent(earlier.event)) ||
    (message.event === 'raised' && earlier.event === 'escalated') ||
    (!isMoved(message) && queuedAt(message) < queuedAt(earlier));
  return before
    .filter(isLate)
    .map((earlier) => `wrong order: ${describeMessage(message)}, after ${describeMessage(earlier)}`);
}

/** What waited for somebody and went to the operator afterwards says when it was queued for them. */
function isMoved({ event, content: { body } }: ReceivedMessage): boolean {
  return event === 'escalated' && body?.data.recipient.role === 'operator';
}

/** When it was queued, as far as it says. */
function queuedAt({ content: { body } }: ReceivedMessage): string {
  return body?.timestamp ?? '';
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
