import type { Random } from '../../random.js';
import type { BottlePlan } from './bottle-plan.js';
import type { LidEvent } from './lid-events.js';
import { DAY, HOUR, MINUTE, SECOND, type Span } from './oracle/facts.js';

/** One request that a bottle makes. */
export interface Sending {
  at: number;
  form: 'action' | 'batch';
  items: LidEvent[];
  /** How often the same request is made at once. */
  repeat: number;
  /** A heartbeat that reports the battery, in percent. */
  battery?: number;
  /** A heartbeat with values that its sensors cannot mean. */
  sentinels?: Record<string, number>;
}

/** What a bottle sends during a scenario, received or not. */
export interface Traffic {
  sendings: Sending[];
  /** Heartbeats as often as the bottle sends them, both ends included. */
  heartbeats: Span[];
}

/** A time without connection, and how the bottle returns: heartbeat first, backlog first, or backlog hours later. */
interface Outage extends Span {
  /** When the backlog is sent. */
  flushAt: number;
  /** Whether what happens until then is sent at once all the same. */
  newestFirst: boolean;
  /** Heartbeats go on: only the reports are stuck. */
  heartbeatsGoOn: boolean;
}

/** Draws how a bottle's lid events are sent. */
export function send(
  random: Random,
  { hardware }: BottlePlan,
  lidEvents: readonly LidEvent[],
  during: Span,
): Traffic {
  if (hardware.neverReports) return { sendings: [], heartbeats: [] };
  const begins = during.from + Math.round(random.between(1, 28) * (hardware.startsLate ? 100 : 1) * MINUTE);
  const outages = drawOutages(random, hardware, during, begins);
  const sent = new Map<Outage, LidEvent[]>();
  const sendings: Sending[] = [];
  for (const lidEvent of lidEvents) {
    if (lidEvent.at >= hardware.diesAt || isLost(random, lidEvent)) continue;
    const outage = outages.find((each) => isHeldBack(each, lidEvent.at));
    if (outage) sent.set(outage, [...(sent.get(outage) ?? []), lidEvent]);
    else sendings.push(...sendLive(random, Math.max(lidEvent.at, begins), lidEvent, outages));
  }
  for (const [{ flushAt }, items] of sent) {
    sendings.push(...sendBacklog(random, flushAt, items));
  }
  const end = Math.min(during.to, hardware.diesAt);
  const lastReport = Math.round(hardware.diesAt - random.between(1, 20) * MINUTE);
  if (begins < lastReport && !outages.some(({ from, to }) => from <= lastReport && lastReport < to))
    sendings.push({ at: lastReport, form: 'batch', items: [], repeat: 1, battery: random.integer(0, 3) });
  if (hardware.hasSentinels) sendings.push(...sentinels(random, outages, { from: begins, to: during.to }));
  return {
    sendings: sendings.filter(({ at }) => at < end).sort((one, other) => one.at - other.at),
    heartbeats: heartbeatsBetween(random, begins, outages, end),
  };
}

/** What firmware reports for "not measured": a battery of 255 %, a weight below nothing. */
function sentinels(random: Random, outages: readonly Outage[], { from, to }: Span): Sending[] {
  const sendings: Sending[] = [];
  for (let at = from; at < to; at += random.between(0.1, 0.6) * DAY) {
    if (outages.some((outage) => outage.from <= at && at <= outage.flushAt)) continue;
    const values = random.pick<Record<string, number>>([
      { battery_percent: 255 },
      { battery_percent: 200, rssi_dbm: 127 },
      { mass_of_contents: -0.2 },
    ]);
    sendings.push({ at: Math.round(at), form: 'batch', items: [], repeat: 1, sentinels: values });
  }
  return sendings;
}

function drawOutages(
  random: Random,
  { offlineEvery, badWifi }: BottlePlan['hardware'],
  { to }: Span,
  begins: number,
): Outage[] {
  const outages: Outage[] = [];
  let from = begins + random.next() * 2 * offlineEvery * DAY;
  let again = 0;
  while (from < to) {
    if (badWifi && again === 0 && random.chance(0.5)) again = random.integer(3, 8);
    const length = random.pick(
      again > 0
        ? [random.between(64, 80) * MINUTE]
        : [
            random.between(10, 70) * MINUTE,
            random.between(1, 6) * HOUR,
            random.between(1, 6) * HOUR,
            random.between(6, 30) * HOUR,
            random.between(1, 3) * DAY,
          ],
    );
    const back = Math.round(from + length);
    const isLate = again === 0 && random.chance(0.2);
    const flushAt = isLate ? back + random.between(0.2, 8) * HOUR : back + random.between(0, 90) * SECOND;
    outages.push({
      from: Math.round(from),
      to: back,
      flushAt: Math.round(flushAt),
      newestFirst: random.chance(0.5),
      heartbeatsGoOn: isLate && random.chance(0.4),
    });
    again = Math.max(0, again - 1);
    from =
      flushAt +
      (again > 0
        ? random.between(3, random.chance(0.2) ? 150 : 25) * MINUTE
        : 3 * HOUR + random.next() * 2 * offlineEvery * DAY);
  }
  return outages;
}

function isHeldBack({ from, to, flushAt, newestFirst }: Outage, at: number): boolean {
  // a report in flight when the connection breaks is stored too
  return from - 5 * SECOND <= at && at < (newestFirst ? to : flushAt);
}

/** A closing that the bottle forgets is never known. */
function isLost(random: Random, { action }: LidEvent): boolean {
  return action === 'closed' && random.chance(0.003);
}

/** Sent at once; sometimes a closing is delayed, or a report is repeated, at once or much later. */
function sendLive(random: Random, at: number, lidEvent: LidEvent, outages: readonly Outage[]): Sending[] {
  const isOnline = (then: number): boolean =>
    !outages.some((outage) => outage.from <= then && then <= outage.flushAt);
  const slowly = at + random.between(2, 200) * MINUTE;
  const isSlow = lidEvent.action === 'closed' && random.chance(0.02) && isOnline(slowly);
  const sentAt = Math.round(isSlow ? slowly : at + random.between(0.2, 4) * SECOND);
  const repeat = random.chance(0.05) ? random.integer(2, 3) : 1;
  const form = random.chance(0.8) ? 'action' : 'batch';
  const request: Sending = { at: sentAt, form, items: [lidEvent], repeat };
  const again = Math.round(sentAt + random.between(1, 600) * MINUTE);
  return random.chance(0.03) && isOnline(again) ? [request, { ...request, at: again, repeat: 1 }] : [request];
}

/** In order or not, in one request or two. */
function sendBacklog(random: Random, flushAt: number, items: LidEvent[]): Sending[] {
  const sent = random.chance(0.3) ? items.toReversed() : items;
  const repeat = random.chance(0.2) ? 2 : 1;
  const batch = (at: number, part: LidEvent[]): Sending[] =>
    part.length === 0 ? [] : [{ at: Math.round(at), form: 'batch', items: part, repeat }];
  if (random.chance(0.7)) return batch(flushAt, sent);
  const middle = random.integer(0, sent.length);
  return [
    ...batch(flushAt, sent.slice(middle)),
    ...batch(flushAt + random.between(1, 20) * SECOND, sent.slice(0, middle)),
  ];
}

function heartbeatsBetween(random: Random, begins: number, outages: readonly Outage[], end: number): Span[] {
  const spans: Span[] = [];
  let from = begins;
  for (const outage of outages.filter(({ heartbeatsGoOn }) => !heartbeatsGoOn)) {
    if (from < outage.from) spans.push({ from, to: outage.from - 1 });
    // sometimes the backlog comes before the first heartbeat
    from = outage.to + Math.round(random.between(0, random.chance(0.3) ? 100 : 1) * SECOND);
  }
  return [...spans, { from, to: end - 1 }]
    .map((span) => ({ ...span, to: Math.min(span.to, end - 1) }))
    .filter((span) => span.from <= span.to);
}
