import type { Random } from '../../random.js';
import { carerId, drawCarer, drawContact, drawListener, withoutReminders, withSteps } from './contacts.js';
import type { GeneratedBottle } from './generated-bottle.js';
import {
  CHANNELS,
  type ContactHistory,
  type ContactPlan,
  OPERATOR,
  type Recipient,
} from './oracle/contact-plan.js';
import { type ExpectedAlert, HOUR, MINUTE, SECOND, type ServiceFacts, type Span } from './oracle/facts.js';

/** A change within a second of no tick: whatever happens at one, it is before or after it. */
const BETWEEN_TICKS = 617;
/** How long after something about an alert the contact changes, as people do who have just got a message. */
const SOON = [20 * SECOND, 10 * MINUTE, 3 * HOUR, 20 * HOUR];

/** Draws how staff change contacts, at any moment: while a message waits, while a receiver fails, twice within a minute. */
export function changeContacts(
  random: Random,
  contacts: ReadonlyMap<string, ContactHistory>,
  bottles: readonly GeneratedBottle[],
  during: Pick<ServiceFacts, 'from' | 'to'>,
): void {
  for (const [user, history] of contacts) {
    const own = bottles.filter(({ plan }) => plan.user === user);
    const [first] = own;
    if (!first || first.plan.runsLow || random.chance(0.2) || own.some(({ answers }) => answers)) continue;
    const alerts = own.flatMap(({ truth }) => truth.alerts);
    const moments = alerts.flatMap(({ raisedAt, ends }) => [raisedAt, ...ends.map(({ at }) => at)]);
    const days = (during.to - during.from) / (24 * HOUR);
    const times = Array.from({ length: random.integer(1, Math.ceil(2 + days)) }, () => {
      const at =
        moments.length > 0 && random.chance(0.8)
          ? random.pick(moments) + random.next() * random.pick(SOON)
          : random.between(during.from, during.to);
      return Math.floor(at / SECOND) * SECOND + BETWEEN_TICKS;
    });
    let plan = history.first;
    for (const at of [...new Set(times)].sort((one, other) => one - other)) {
      if (at <= during.from || at >= during.to || vagueSpans(alerts).some((span) => isWithin(span, at)))
        continue;
      const next = changed(random, plan, user, first.plan.zone, at);
      if (next === plan) continue;
      plan = next;
      history.changes.push({ at, to: plan });
    }
  }
}

function isWithin({ from, to }: Span, at: number): boolean {
  return from < at && at < to;
}

/** When it is left open at which minute something is sent. */
function vagueSpans(alerts: readonly ExpectedAlert[]): Span[] {
  return alerts.flatMap(({ raisedAt, raisedBy, ends }) => [
    ...(raisedBy > raisedAt ? [{ from: raisedAt - MINUTE, to: raisedBy + MINUTE }] : []),
    ...ends.flatMap(({ at, silences, gap }) =>
      silences || gap ? [{ from: at - MINUTE, to: Math.max(at, gap?.settledAt ?? at) + 4 * MINUTE }] : [],
    ),
  ]);
}

/** One change: of an address or its verification, a channel, quiet hours, the carers, the policy, or everything. */
function changed(random: Random, plan: ContactPlan, user: string, zone: string, at: number): ContactPlan {
  if (plan === OPERATOR) {
    const drawn = drawContact(random, user, zone);
    return drawn ? withoutReminders(drawn) : plan;
  }
  const draw = random.next();
  const address = (who: string): string => `${who}-${at}-${user}@example.test`;
  // whoever is reminded stays so: of which doses is certain
  if (draw < 0.14) return plan.reminders ? plan : OPERATOR;
  if (draw < 0.44) return { ...plan, user: otherAddress(random, plan.user, address('new')) };
  if (draw < 0.54) return { ...plan, user: drawListener(random, 'user', plan.user.zone, address('user')) };
  if (draw < 0.62) return withSteps(random, plan);
  const { carers } = plan;
  if (carers.length === 0 || (draw < 0.7 && carers.length < 3))
    return withSteps(random, {
      ...plan,
      carers: [...carers, drawCarer(random, user, carerId(carers.length))],
    });
  // whoever leaves goes together with the steps that name them
  if (draw < 0.76) return withSteps(random, { ...plan, carers: carers.slice(0, -1) });
  const one = random.pick(carers);
  const other =
    draw < 0.86 ? drawCarer(random, user, one.who) : otherAddress(random, one, address(`new-${one.who}`));
  const { steps, ...people } = { ...plan, carers: carers.map((each) => (each === one ? other : each)) };
  const isFamily = people.carers.some(({ groups }) => groups !== undefined);
  return isFamily || steps.every(({ to }) => !to.startsWith('group:'))
    ? { ...people, steps }
    : withSteps(random, people);
}

/** Another address of mail, verified or not; or the verification of the one that is not. */
function otherAddress(random: Random, person: Recipient, address: string): Recipient {
  const others = person.channels.filter((channel) => channel !== 'email');
  const withMail = CHANNELS.filter((channel) => channel === 'email' || others.includes(channel));
  if (person.email !== undefined && !person.channels.includes('email'))
    return { ...person, channels: withMail };
  const isVerified = random.chance(0.5);
  return { ...person, channels: isVerified ? withMail : others, email: address };
}
