import type { Random } from '../../random.js';
import type { AlertNotifications } from './alert-notifications.js';
import type { ContactHistory } from './oracle/contact-plan.js';
import { DAY, HOUR, MINUTE, type ServiceFacts, type Span } from './oracle/facts.js';
import { refusedFor } from './oracle/refused-address.js';

/** The mail server refuses an address for good, and takes mails for it again. */
export interface RefusedAddress extends Span {
  user: string;
  address: string;
  /** When the first mail is refused. */
  at: number;
}

/** Nothing else happens to the person's alerts so near the moments at which it matters whether an address is refused. */
const ROOM = 4 * MINUTE;
/** These wait for no limit of messages. */
const AT_ONCE = ['missed_dose', 'extra_dose', 'dose_reminder'];

/** Draws which address of which user is refused from a message on, and has the messages go where they go then. */
export function refuseAddresses(
  random: Random,
  contacts: ReadonlyMap<string, ContactHistory>,
  allNotifications: readonly AlertNotifications[],
  { to: end, notifying }: ServiceFacts,
): RefusedAddress[] {
  const drawn: RefusedAddress[] = [];
  for (const [user, history] of contacts) {
    const own = allNotifications.filter((one) => one.user === user);
    const messages = own.flatMap((one) => one.messages);
    const isDrawn = random.chance(0.5);
    const found = messages.filter(
      ({ at, by, kind, email, endpoint }) =>
        email !== undefined &&
        endpoint === undefined &&
        at === by &&
        AT_ONCE.includes(kind) &&
        at < end - 2 * HOUR,
    );
    if (!isDrawn || found.length === 0) continue;
    const { at, email, who } = random.pick(found);
    const isAwake = notifying.some((span) => span.from + ROOM < at && at + ROOM < span.to);
    const changes = [
      ...history.changes.map((change) => change.at),
      ...own.flatMap(({ actions }) => actions.flatMap((one) => [one.at, one.until ?? one.at])),
    ];
    const isNear = (time: number, moment: number): boolean => Math.abs(time - moment) < ROOM;
    const isCalm =
      !changes.some((time) => isNear(time, at) || isNear(time, at + DAY)) &&
      !messages.some((one) => one.email === email && one.at < at && at - ROOM < one.at) &&
      !messages.some((one) => isNear(one.at, at + DAY) || isNear(one.by, at + DAY));
    // one that is entered again is the same address
    if (!isAwake || !isCalm) continue;
    const refused = refusedFor(history, who, email!, { from: at, to: at + DAY });
    for (const one of own) one.contact = refused;
    drawn.push({ user, address: email!, at, from: at - 2 * MINUTE, to: at + HOUR });
  }
  return drawn;
}
