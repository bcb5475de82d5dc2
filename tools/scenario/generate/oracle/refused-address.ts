import { contactAt, type ContactHistory, type ContactPlan } from './contact-plan.js';
import type { Span } from './facts.js';

/**
 * A contact as messages find it while an address is refused: it has none there (ADDR-1, ADDR-2), for a day, or until
 * it is another address (ADDR-3).
 *
 * @param who whose it is
 */
export function refusedFor(
  history: ContactHistory,
  who: string,
  address: string,
  { from, to: until }: Span,
): ContactHistory {
  const has = ({ user, carers }: ContactPlan): boolean =>
    [user, ...carers].some((person) => person.who === who && person.email === address);
  // it is refused no more when it is another one, or its contact is deleted
  const left = history.changes.find(({ at, to }) => from < at && at < until && !has(to));
  const to = left?.at ?? until;
  const without = (plan: ContactPlan): ContactPlan => {
    const refuse = (person: ContactPlan['user']): ContactPlan['user'] =>
      person.who === who && person.email === address
        ? { ...person, channels: person.channels.filter((channel) => channel !== 'email') }
        : person;
    return { ...plan, user: refuse(plan.user), carers: plan.carers.map(refuse) };
  };
  const within = history.changes.filter(({ at }) => from < at && at < to);
  return {
    first: history.first,
    changes: [
      ...history.changes.filter(({ at }) => at <= from),
      { at: from, to: without(contactAt(history, from)) },
      ...within.map((change) => ({ at: change.at, to: without(change.to) })),
      { at: to, to: contactAt(history, to) },
      ...history.changes.filter(({ at }) => to <= at),
    ],
  };
}
