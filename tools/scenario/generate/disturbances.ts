import type { Random } from '../../random.js';
import type { ServicePlan } from './service-plan.js';
import type { EndpointPlan } from './oracle/endpoints.js';
import { DAY, HOUR, MINUTE, SECOND, type Span } from './oracle/facts.js';
import type { AlertNotifications } from './alert-notifications.js';

/** A kill takes effect within this time; another process takes over the orphaned claims within the rest. */
export const KILL_WITHIN = 10 * MINUTE;
const KILL_HEALS = 7 * MINUTE;
/** After a receiver works again, what it refused is sent within this time: it is out of order for so short a time that no message has come to its waits of half an hour. */
const FAILURE_HEALS = 15 * MINUTE;

/** A notifier dies at one of its commands to the database. */
export interface Kill {
  at: number;
  afterCommands: number;
}

/** A notifier that stops in the middle of its work, and goes on much later; the other one does its work meanwhile. */
export interface Freeze extends Span {
  afterCommands: number;
}

/** A receiver that does not do as it should for a while. */
export interface ChannelFault extends Span {
  channel: 'webhook' | 'email';
  /** Of a webhook: the endpoint, if it is not that of the settings. */
  endpoint?: string;
  behaviour: 'fails' | 'refuses' | 'times-out-after-accepting' | 'hangs';
}

/** Disturbances that delay messages and must change nothing else. */
export interface Disturbances {
  kills: Kill[];
  freezes: Freeze[];
  faults: ChannelFault[];
}

/**
 * Draws kills in the middle of work and failing receivers, at moments at which the expectations allow a delay: no
 * alert changes twice before what was delayed is made up for.
 *
 * @param reserved times without disturbances
 */
export function disturb(
  random: Random,
  during: Span,
  service: ServicePlan,
  allNotifications: readonly AlertNotifications[],
  endpoints: readonly EndpointPlan[],
  reserved: readonly Span[],
): Disturbances {
  const days = (during.to - during.from) / DAY;
  const taken: Span[] = [
    ...reserved,
    ...[...service.blind, ...service.both].map(({ from, to }) => ({
      from: from - 20 * MINUTE,
      to: to + MINUTE,
    })),
  ];
  const mayBe = (span: Span): boolean =>
    allNotifications.every((notifications) => notifications.changesWithin(span) <= 1);
  /**
   * What a receiver refuses is sent to where its contact has moved meanwhile: once at most, and not once it works again, as
   * the next attempt is not certain.
   */
  const mayBeRefused = (span: Span): boolean =>
    allNotifications.every(
      (notifications) =>
        notifications.changesWithin(span, 'contact') <= 1 &&
        notifications.contactChangesWithin(span) <= 1 &&
        notifications.contactChangesWithin(span, span.to - FAILURE_HEALS) === 0,
    );
  /** What waits for an endpoint does not move to where the others have sent it. */
  const mayBeRefusedByOne = (span: Span): boolean =>
    mayBe(span) && allNotifications.every((notifications) => notifications.contactChangesWithin(span) === 0);
  const messages = allNotifications.flatMap((notifications) => notifications.messages);
  const anywhere = (): number => random.between(during.from + HOUR, during.to - HOUR);
  const beforeMessage = (): number =>
    messages.length > 0 ? random.pick(messages).at - random.between(1, 40) * SECOND : anywhere();
  const find = (length: number, isFree: (span: Span) => boolean, draw = anywhere): number | undefined => {
    for (let attempt = 0; attempt < 300; attempt += 1) {
      const from = Math.floor(draw() / SECOND) * SECOND + 441;
      const span = { from, to: from + length };
      if (from < during.from + HOUR || span.to > during.to) continue;
      if (taken.some((other) => other.from < span.to && span.from < other.to) || !isFree(span)) continue;
      taken.push(span);
      return from;
    }
    return undefined;
  };
  const each = <T>(
    count: number,
    length: () => number,
    make: (at: number, length: number) => T,
    isFree = mayBe,
    draw = anywhere,
  ): T[] =>
    Array.from({ length: Math.ceil(count) }, () => {
      const drawn = length();
      const at = find(drawn, isFree, draw);
      return at === undefined ? [] : [make(at, drawn)];
    }).flat();
  const kills = each(
    days,
    () => KILL_WITHIN + KILL_HEALS,
    (at) => ({ at, afterCommands: random.integer(1, 60) }),
  );
  const faults = [
    ...each(
      days,
      () => random.integer(1, 4) * MINUTE + FAILURE_HEALS,
      (at, length): ChannelFault => ({
        from: at,
        to: at + length - FAILURE_HEALS,
        channel: random.pick(['webhook', 'email']),
        behaviour: random.pick(['fails', 'refuses']),
      }),
      mayBeRefused,
      beforeMessage,
    ),
    ...each(
      days / 4,
      // longer, and after three early attempts that may have arrived it would wait for its backoff (MSG-18)
      () => random.integer(10, 30) * MINUTE + FAILURE_HEALS,
      (at, length): ChannelFault => ({
        from: at,
        to: at + length - FAILURE_HEALS,
        channel: random.pick(['webhook', 'email']),
        behaviour: 'times-out-after-accepting',
      }),
    ),
    ...each(
      endpoints.length === 0 ? 0 : days / 3,
      () => random.integer(1, 4) * MINUTE + FAILURE_HEALS,
      (at, length): ChannelFault => ({
        from: at,
        to: at + length - FAILURE_HEALS,
        channel: 'webhook',
        endpoint: random.pick(endpoints).name,
        behaviour: random.pick(['fails', 'refuses']),
      }),
      mayBeRefusedByOne,
      beforeMessage,
    ),
    // each attempt takes ten real seconds
    ...each(
      days / 6,
      () => 4 * MINUTE + FAILURE_HEALS,
      (at, length): ChannelFault => ({
        from: at,
        to: at + length - FAILURE_HEALS,
        channel: random.pick(['webhook', 'email']),
        behaviour: 'hangs',
      }),
    ),
  ];
  const freezes = each(
    days,
    () => KILL_WITHIN + KILL_HEALS,
    (at): Freeze => ({
      from: at,
      to: at + Math.floor(random.between(1, KILL_WITHIN / MINUTE) * MINUTE),
      afterCommands: random.integer(1, 18),
    }),
  );
  return { kills, freezes, faults };
}

/** When a receiver refuses everything, so that nothing arrives. */
export function refusedSpans({ faults }: Disturbances): ChannelFault[] {
  return faults.filter(({ behaviour }) => behaviour === 'fails' || behaviour === 'refuses');
}

/** When messages may be late. */
export function disturbedSpans({ kills, freezes, faults }: Disturbances): Span[] {
  return [
    ...[...kills.map(({ at }) => at), ...freezes.map(({ from }) => from)].map((from) => ({
      from: from - MINUTE,
      to: from + KILL_WITHIN + KILL_HEALS,
    })),
    ...faults.map(({ from, to }) => ({ from, to: to + FAILURE_HEALS })),
  ];
}

/** How late a message may be that is due at this moment. */
export function delayAt(
  at: number,
  { channel, endpoint }: { channel: string; endpoint?: string | undefined },
  { kills, freezes, faults }: Disturbances,
): number {
  const losses = [...kills.map((kill) => kill.at), ...freezes.map(({ from }) => from)];
  if (losses.some((from) => from - MINUTE <= at && at <= from + KILL_WITHIN + KILL_HEALS)) return KILL_HEALS;
  // what follows a message that was taken without an answer may wait until that is answered
  const fault = faults.find(
    (each) =>
      each.channel === channel &&
      each.endpoint === endpoint &&
      each.from <= at &&
      at < each.to + FAILURE_HEALS,
  );
  return Math.max(MINUTE + 5 * SECOND, fault ? fault.to - at + FAILURE_HEALS : 0);
}
