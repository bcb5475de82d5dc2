import type { Random } from '../../random.js';
import { drawContact } from './contacts.js';
import type { GeneratedBottle } from './generated-bottle.js';
import { type ContactHistory, type ContactPlan, OPERATOR } from './oracle/contact-plan.js';
import { type ExpectedAlert, HOUR, MINUTE } from './oracle/facts.js';

/** No contact is changed in the moment in which an alert of its user changes: either could come first. */
const ROOM = 2 * MINUTE;

/** Draws which contacts staff change or delete, if they can while an alert is open. */
export function changeContacts(
  random: Random,
  contacts: ReadonlyMap<string, ContactHistory>,
  bottles: readonly GeneratedBottle[],
): void {
  for (const [user, history] of contacts) {
    const own = bottles.filter(({ plan }) => plan.user === user);
    const alerts = own.flatMap(({ truth }) => truth.alerts);
    const [first] = own;
    if (!first || first.plan.runsLow || !random.chance(0.5)) continue;
    const to = random.chance(0.3) ? OPERATOR : (drawContact(random, first.plan.zone) ?? OPERATOR);
    for (const { raisedAt } of alerts) {
      const at = Math.floor(raisedAt + random.between(ROOM, 3 * HOUR));
      if (!isCalm(at, alerts, [history.first, to])) continue;
      history.change = { at, to };
      break;
    }
  }
}

/** Whether nothing changes around a moment; messages may wait. */
function isCalm(at: number, alerts: readonly ExpectedAlert[], contacts: readonly ContactPlan[]): boolean {
  const isNear = (moment: number): boolean => Math.abs(moment - at) < ROOM;
  const changes = alerts.flatMap((alert) => [
    alert.raisedAt,
    alert.raisedBy,
    ...alert.ends.map((end) => end.at),
    ...contacts.flatMap(({ steps }) =>
      steps.flatMap(({ after, repeat }) => {
        const due = alert.raisedAt + after;
        return repeat === undefined ? due : due + Math.max(0, Math.round((at - due) / repeat)) * repeat;
      }),
    ),
  ]);
  return !changes.some(isNear);
}
