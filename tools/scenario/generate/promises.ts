import type { Random } from '../../random.js';
import type { AlertNotifications } from './alert-notifications.js';
import { HOUR, MINUTE, SECOND, type Span } from './oracle/facts.js';
import type { ExpectedNotification } from './oracle/expected-notification.js';
import { canSleep } from './staff.js';

/** Somebody says by the link of a mail that they will take a dose later. */
export interface DosePromise {
  bottle: string;
  user: string;
  /** The address of the mail. */
  to: string;
  dose: number;
  at: number;
  until: number;
  /** No disturbance is in it: the mail has come, and the alert sleeps. */
  span: Span;
}

/** Nothing else is sent to the address about the bottle so near the mail and the answer. */
const ROOM = 3 * MINUTE;
const QUARTER = 15 * MINUTE;
const ATTEMPTS = 10;
/** So long from now the page offers times, at the next full quarter. */
const LATER = [15 * MINUTE, 45 * MINUTE];

/** Draws who promises a late dose of which they got a mail: the alert sleeps until then. Of alerts about which nobody does anything else. */
export function drawPromises(
  random: Random,
  allNotifications: readonly AlertNotifications[],
  end: number,
): DosePromise[] {
  const promises: DosePromise[] = [];
  const known = new Map<string, Mail[]>();
  for (const one of allNotifications) {
    const { alert, user, contact, actions } = one;
    const { bottle, kind, flapping, facts } = alert;
    if (kind !== 'missed_dose' || user === undefined || flapping || !random.chance(0.8)) continue;
    const mails = known.get(bottle) ?? mailsAbout(bottle, allNotifications);
    known.set(bottle, mails);
    const asking = mails.flatMap(({ about, message }) => {
      const { email, event, at, by } = message;
      const isAsking = about === one && (event === 'raised' || event === 'escalated');
      return isAsking && email !== undefined && at === by ? [message] : [];
    });
    if (actions.length > 0 || asking.length === 0 || facts?.dose === undefined) continue;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const mail = random.pick(asking);
      const at = Math.floor((mail.at + random.between(4, 40) * MINUTE) / SECOND) * SECOND + 353;
      const until = Math.ceil((at + random.pick(LATER)) / QUARTER) * QUARTER;
      const span = { from: mail.at - ROOM, to: until + ROOM };
      const isLast = !mails.some(
        ({ message: other }) =>
          other !== mail && other.who === mail.who && span.from < other.by && other.at < at + ROOM,
      );
      const isSame = !contact.changes.some((change) => span.from < change.at && change.at < at + ROOM);
      const isInTime = until <= (facts.missedAt ?? Infinity);
      if (!isLast || !isSame || !isInTime || until > end - HOUR || !canSleep(one, at, until, ROOM)) continue;
      one.actions.push({ action: 'snooze', at, until });
      known.delete(bottle);
      promises.push({ bottle, user, to: mail.email!, dose: facts.dose, at, until, span });
      break;
    }
  }
  return promises;
}

interface Mail {
  about: AlertNotifications;
  message: ExpectedNotification;
}

function mailsAbout(bottle: string, allNotifications: readonly AlertNotifications[]): Mail[] {
  const own = allNotifications.filter((other) => other.alert.bottle === bottle);
  return own.flatMap((about) => about.mails.map((message) => ({ about, message })));
}
