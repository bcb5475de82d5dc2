import type { Random } from '../../simulator/random.js';
import type { BottlePlan } from './bottle-plan.js';
import type { Happening } from './life.js';
import { DAY, HOUR, MINUTE, SECOND, type Stretch } from './oracle/facts.js';

/** One request that a bottle makes. */
export interface Sending {
  at: number;
  form: 'action' | 'batch';
  items: Happening[];
  /** How often the same request is made at once. */
  repeat: number;
  /** A heartbeat that says how much the battery holds, in percent. */
  battery?: number;
}

/** What a bottle sends in the course of a scenario, whether anybody hears it or not. */
export interface Traffic {
  sendings: Sending[];
  /** Heartbeats as often as the bottle sends them, both ends included. */
  heartbeats: Stretch[];
}

/** How a bottle comes back: with a heartbeat or its backlog first, or with the backlog hours later. */
interface Outage extends Stretch {
  /** When the backlog is sent. */
  flushAt: number;
  /** Whether what happens until then is sent at once all the same. */
  newestFirst: boolean;
  /** Heartbeats go on: only the reports are stuck. */
  heard: boolean;
}

/** Draws what becomes of what happened on its way to us. */
export function send(
  random: Random,
  { hardware }: BottlePlan,
  life: readonly Happening[],
  during: Stretch,
): Traffic {
  if (hardware.neverSpeaks) return { sendings: [], heartbeats: [] };
  const begins = during.from + Math.round(random.between(1, 28) * MINUTE);
  const outages = drawOutages(random, hardware, during, begins);
  const sent = new Map<Outage, Happening[]>();
  const sendings: Sending[] = [];
  for (const happening of life) {
    if (happening.at >= hardware.diesAt || isLost(random, happening)) continue;
    const outage = outages.find((each) => isHeldBack(each, happening.at));
    if (outage) sent.set(outage, [...(sent.get(outage) ?? []), happening]);
    else sendings.push(...sendLive(random, Math.max(happening.at, begins), happening, outages));
  }
  for (const [{ flushAt }, items] of sent) {
    sendings.push(...sendBacklog(random, flushAt, items));
  }
  const end = Math.min(during.to, hardware.diesAt);
  const lastWord = Math.round(hardware.diesAt - random.between(1, 20) * MINUTE);
  if (begins < lastWord && !outages.some(({ from, to }) => from <= lastWord && lastWord < to))
    sendings.push({ at: lastWord, form: 'batch', items: [], repeat: 1, battery: random.integer(0, 3) });
  return {
    sendings: sendings.filter(({ at }) => at < end).sort((one, other) => one.at - other.at),
    heartbeats: heartbeatsBetween(random, begins, outages, end),
  };
}

function drawOutages(
  random: Random,
  { offlineEvery }: BottlePlan['hardware'],
  { to }: Stretch,
  begins: number,
): Outage[] {
  const outages: Outage[] = [];
  let from = begins + random.next() * 2 * offlineEvery * DAY;
  while (from < to) {
    const length = random.pick([
      random.between(10, 70) * MINUTE,
      random.between(1, 6) * HOUR,
      random.between(1, 6) * HOUR,
      random.between(6, 30) * HOUR,
      random.between(1, 3) * DAY,
    ]);
    const back = Math.round(from + length);
    const isLate = random.chance(0.2);
    const flushAt = isLate ? back + random.between(0.2, 8) * HOUR : back + random.between(0, 90) * SECOND;
    outages.push({
      from: Math.round(from),
      to: back,
      flushAt: Math.round(flushAt),
      newestFirst: random.chance(0.5),
      heard: isLate && random.chance(0.4),
    });
    from = flushAt + 3 * HOUR + random.next() * 2 * offlineEvery * DAY;
  }
  return outages;
}

function isHeldBack({ from, to, flushAt, newestFirst }: Outage, at: number): boolean {
  // what is on its way as the line breaks is kept too
  return from - 5 * SECOND <= at && at < (newestFirst ? to : flushAt);
}

/** A closing that the bottle forgets is never known. */
function isLost(random: Random, { action }: Happening): boolean {
  return action === 'closed' && random.chance(0.003);
}

/** At once; now and then a closing takes its time, or a report comes several times, or once more much later. */
function sendLive(random: Random, at: number, happening: Happening, outages: readonly Outage[]): Sending[] {
  const isOnline = (then: number): boolean =>
    !outages.some((outage) => outage.from <= then && then <= outage.flushAt);
  const slowly = at + random.between(2, 200) * MINUTE;
  const isSlow = happening.action === 'closed' && random.chance(0.02) && isOnline(slowly);
  const sentAt = Math.round(isSlow ? slowly : at + random.between(0.2, 4) * SECOND);
  const repeat = random.chance(0.05) ? random.integer(2, 3) : 1;
  const form = random.chance(0.8) ? 'action' : 'batch';
  const live: Sending = { at: sentAt, form, items: [happening], repeat };
  const again = Math.round(sentAt + random.between(1, 600) * MINUTE);
  return random.chance(0.03) && isOnline(again) ? [live, { ...live, at: again, repeat: 1 }] : [live];
}

/** In order or not, in one request or two. */
function sendBacklog(random: Random, flushAt: number, items: Happening[]): Sending[] {
  const sent = random.chance(0.3) ? items.toReversed() : items;
  const repeat = random.chance(0.2) ? 2 : 1;
  const batch = (at: number, part: Happening[]): Sending[] =>
    part.length === 0 ? [] : [{ at: Math.round(at), form: 'batch', items: part, repeat }];
  if (random.chance(0.7)) return batch(flushAt, sent);
  const middle = random.integer(0, sent.length);
  return [
    ...batch(flushAt, sent.slice(middle)),
    ...batch(flushAt + random.between(1, 20) * SECOND, sent.slice(0, middle)),
  ];
}

function heartbeatsBetween(
  random: Random,
  begins: number,
  outages: readonly Outage[],
  end: number,
): Stretch[] {
  const stretches: Stretch[] = [];
  let from = begins;
  for (const outage of outages.filter(({ heard }) => !heard)) {
    if (from < outage.from) stretches.push({ from, to: outage.from - 1 });
    // sometimes the backlog comes before the first heartbeat
    from = outage.to + Math.round(random.between(0, random.chance(0.3) ? 100 : 1) * SECOND);
  }
  return [...stretches, { from, to: end - 1 }].filter(
    (stretch) => stretch.from <= Math.min(stretch.to, end - 1),
  );
}
