import type { Random } from '../../simulator/random.js';
import { drawContact } from './contacts.js';
import type { GeneratedBottle } from './generated-bottle.js';
import { type ContactHistory, type ContactPlan, OPERATOR } from './oracle/contact-plan.js';
import { type ExpectedAlert, HOUR, MINUTE } from './oracle/facts.js';
import { isQuiet } from './oracle/notifications.js';
import type { WallClocks } from './oracle/wall-clock.js';

/** No contact is changed while an alert of its user changes, or a message waits. */
const ROOM = 40 * MINUTE;

/** Draws which contacts staff change or delete, if they can while an alert is open. */
export function changeContacts(
  random: Random,
  contacts: ReadonlyMap<string, ContactHistory>,
  bottles: readonly GeneratedBottle[],
  walls: WallClocks,
): void {
  for (const [user, history] of contacts) {
    const own = bottles.filter(({ plan }) => plan.user === user);
    const alerts = own.flatMap(({ truth }) => truth.alerts);
    const [first] = own;
    if (!first || first.plan.runsLow || !random.chance(0.3)) continue;
    const to = random.chance(0.3) ? OPERATOR : (drawContact(random, first.plan.zone) ?? OPERATOR);
    for (const { raisedAt } of alerts) {
      const at = Math.floor(raisedAt + random.between(ROOM, 3 * HOUR));
      if (!isCalm(at, alerts, [history.first, to], walls)) continue;
      history.change = { at, to };
      break;
    }
  }
}

/** Whether nothing changes, and nobody sleeps, around a moment. */
function isCalm(
  at: number,
  alerts: readonly ExpectedAlert[],
  contacts: readonly ContactPlan[],
  walls: WallClocks,
): boolean {
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
  const recipients = contacts.flatMap(({ user, carer }) => (carer ? [user, carer] : [user]));
  const isAwake = recipients.every(
    ({ quiet, zone }) =>
      !quiet || [at - ROOM, at, at + ROOM].every((moment) => !isQuiet(quiet, walls.in(zone).timeAt(moment))),
  );
  return isAwake && !changes.some(isNear);
}
