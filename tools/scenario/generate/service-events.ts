import { KILL_WITHIN } from './disturbances.js';
import type { Fleet } from './fleet.js';
import { MINUTE } from './oracle/facts.js';
import { physicalKey } from './second-life.js';

type Json = Record<string, unknown>;

const iso = (at: number): string => new Date(at).toISOString();

/** How both parts of the service stop and start. */
const STOPS = { database: ['stop-database'], all: ['stop-device-api', 'kill-notifier', 'kill-notifier'] };
const STARTS = { database: ['start-database'], all: ['start-device-api', 'two-notifiers'] };

/** What staff do about some bottles, and what goes wrong with the service, as events of a scenario. */
export function fleetEvents(
  { during, service, staff, disturbances, refusedAddresses, promises }: Fleet,
  bottles: ReadonlySet<string>,
): Json[] {
  const system = (at: number, change: string, more: Json = {}): Json => ({
    at: iso(at),
    system: change,
    ...more,
  });
  return [
    system(during.from, 'two-notifiers'),
    ...service.deaf.flatMap(({ from, to, frozen }) => [
      system(from, frozen ? 'freeze-device-api' : 'stop-device-api'),
      system(to, frozen ? 'thaw-device-api' : 'start-device-api'),
    ]),
    ...service.blind.flatMap(({ from, to, frozen }) => [
      system(from, frozen ? 'freeze-notifier' : 'kill-notifier'),
      system(from, frozen ? 'freeze-notifier' : 'kill-notifier'),
      system(to, frozen ? 'thaw-notifiers' : 'two-notifiers'),
    ]),
    ...service.both.flatMap(({ from, to, part }) => [
      ...STOPS[part].map((change) => system(from, change)),
      ...STARTS[part].map((change) => system(to, change)),
    ]),
    ...disturbances.kills.flatMap(({ at, afterCommands }) => [
      system(at, 'kill-notifier', { after_commands: afterCommands }),
      // whichever is older then: the one that was to die, or its survivor
      system(at + KILL_WITHIN, 'kill-notifier'),
      system(at + KILL_WITHIN, 'two-notifiers'),
    ]),
    ...disturbances.freezes.flatMap(({ from, to, afterCommands }) => [
      system(from, 'freeze-notifier', { after_commands: afterCommands }),
      system(to, 'thaw-notifiers'),
    ]),
    ...disturbances.faults.flatMap(({ from, to, channel, endpoint, behaviour }) =>
      (
        [
          [from, behaviour],
          [to, 'works'],
        ] as const
      ).map(([at, now]) => ({
        at: iso(at),
        ...(endpoint === undefined ? { channel: { [channel]: now } } : { endpoint: { [endpoint]: now } }),
      })),
    ),
    ...refusedAddresses.flatMap(({ address, from, to }) => [
      { at: iso(from), address: { [address]: 'none' } },
      { at: iso(to), address: { [address]: 'mails' } },
    ]),
    ...promises
      .filter(({ bottle }) => bottles.has(bottle))
      .map(({ bottle, to, dose, at, until }) => ({
        at: iso(at),
        bottle: physicalKey(bottle),
        press: { to, button: `later-${until / MINUTE}`, scheduled_at: iso(dose) },
      })),
    ...staff
      .filter(({ bottle }) => bottles.has(bottle))
      .map(({ at, action, bottle, kind, notify = true, until }) => ({
        at: iso(at),
        staff: {
          [action]: {
            bottle: physicalKey(bottle),
            kind,
            ...(action === 'close' && { reason: 'settled_by_phone', notify }),
            ...(until !== undefined && { until: iso(until) }),
          },
        },
      })),
  ];
}
