import type { ActionBody, Scenario, ScenarioEvent } from '../file/format.js';
import { DAY, type KnownAction, type Span } from '../generate/oracle/facts.js';
import { happenedAt } from './device-time.js';
import { inOrder } from './service.js';

/** What a bottle reported, as it arrived. Epoch milliseconds. */
export interface Reported {
  /** When any report was received, in order. */
  contacts: number[];
  /** In the order in which they became known, each once. */
  actions: (KnownAction & { grams?: number })[];
  /** Battery levels, in the order of their receipt. */
  batteries: { at: number; percent: number }[];
  /** What heartbeats counted, in the order of their receipt. */
  counts: { at: number; pills: number }[];
}

type Report = Extract<ScenarioEvent, { type: 'report' | 'heartbeats' }>;
interface Item {
  type?: string;
  battery_percent?: number;
  number_of_pills?: number;
}

/** Everything that device-api gets from a bottle: while it is down heartbeats are lost and reports are kept. */
export function reportedBy(
  key: string,
  { events, end }: Pick<Scenario, 'events' | 'end'>,
  accepting: readonly Span[],
): Reported {
  const reported: Reported = { contacts: [], actions: [], batteries: [], counts: [] };
  /** When the events of one name happened: a day apart they are two. */
  const known = new Map<string, number[]>();
  const own = inOrder(events).filter(
    (event): event is Report => 'bottle' in event && event.bottle === key && event.at <= end,
  );
  const isRetired = retiredAt(key, events);
  for (const event of own) {
    if (event.type === 'report' && isRetired(event.at.getTime())) continue;
    if (event.type === 'heartbeats') {
      const until = Math.min(event.until.getTime(), end.getTime());
      for (let at = event.at.getTime(); at <= until; at += event.every) {
        if (!accepting.some(({ from, to }) => from <= at && at < to) || isRetired(at)) continue;
        reported.contacts.push(at);
        const percent = event.vitals?.['battery_percent'];
        if (percent !== undefined) reported.batteries.push({ at, percent });
        const pills = event.vitals?.['number_of_pills'];
        if (pills !== undefined) reported.counts.push({ at, pills });
      }
    } else {
      const sent = event.at.getTime();
      const at = Math.max(sent, accepting.find(({ to }) => sent < to)?.from ?? Infinity);
      const { body } = event.report;
      const sentAt = body.sent_at && new Date(Date.parse(body.sent_at) + at - sent).toISOString();
      reported.contacts.push(at);
      const items = event.report.path === '/v1/actions' ? [event.report.body] : event.report.body.items;
      for (const item of items) {
        const { type, battery_percent: percent, number_of_pills: pills } = item as Item;
        if (percent !== undefined) reported.batteries.push({ at, percent });
        if (type === 'heartbeat' && pills !== undefined) reported.counts.push({ at, pills });
        if (type !== 'heartbeat') learn(item as ActionBody, sentAt, at);
      }
    }
  }
  const byTime = (one: number, other: number): number => one - other;
  reported.contacts.sort(byTime);
  reported.actions.sort((one, other) => byTime(one.known, other.known));
  reported.batteries.sort((one, other) => byTime(one.at, other.at));
  reported.counts.sort((one, other) => byTime(one.at, other.at));
  return reported;

  function learn(body: ActionBody, sentAt: string | undefined, at: number): void {
    const time = happenedAt(body.time, sentAt, at);
    const { action, pills_taken, number_of_pills = 0, mass_of_contents } = body;
    const taken = pills_taken === NOT_A_COUNT ? undefined : pills_taken;
    const identity = body.event_id ?? JSON.stringify([action, body.time, taken, number_of_pills]);
    const before = known.get(identity) ?? [];
    if (time === undefined || before.some((other) => Math.abs(other - time) < DAY)) return;
    known.set(identity, [...before, time]);
    reported.actions.push({
      action,
      time,
      known: at,
      pillsTaken: taken ?? 0,
      ...(action === 'closed' && taken === undefined && { isWithoutRemoval: true as const }),
      pillsLeft: number_of_pills,
      weighsLess: 0,
      ...(mass_of_contents !== undefined && { grams: mass_of_contents }),
    });
  }
}

/** What a closing reports that does not know how many pills were taken. */
const NOT_A_COUNT = 255;

/** Whether nothing is taken of a bottle at a moment: its token stops within a minute, of which nothing is known. */
function retiredAt(key: string, events: Scenario['events']): (at: number) => boolean {
  const changes = inOrder(events).flatMap((event) =>
    event.type === 'staff' && event.action.bottle === key && LIFE_STATES.includes(event.action.action)
      ? [{ at: event.at.getTime(), isRetired: event.action.action === 'retire' }]
      : [],
  );
  return (at) => changes.findLast((change) => change.at <= at)?.isRetired ?? false;
}

const LIFE_STATES: readonly string[] = ['retire', 'store', 'assign'];
