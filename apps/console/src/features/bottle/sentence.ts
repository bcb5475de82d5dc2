import type { Bottle, Status, StatusReason } from '../../api/types.js';
import { ago, dayAndTime, duration } from '../../time/format.js';

type Facts = Pick<Bottle, 'reasons' | 'last_heard_at' | 'last_action' | 'open_alerts' | 'registered_at'>;

/**
 * How a bottle is, in one sentence: `Open since 09:14 CET, 23 min; last heard 2 min ago.`
 *
 * @param present epoch milliseconds.
 * @param zone IANA name: in whose time.
 */
export function statusSentence(bottle: Facts, present: number, zone: string): string {
  const [first] = bottle.reasons;
  const main = first ? clause(first, bottle, present, zone) : 'How it is cannot be told';
  return `${main}${heard(first?.status, bottle, present)}.`;
}

/** What else is true of it, or was when it was last heard. */
export function besides({ reasons }: Facts): string[] {
  const silent = reasons[0]?.status === 'silent';
  return reasons.slice(1).flatMap(({ status }) => {
    if (status === 'open') return [silent ? 'It was open when it was last heard.' : 'It is open too.'];
    if (status === 'late')
      return [silent ? 'A dose was late when it was last heard.' : 'A dose is late too.'];
    return [];
  });
}

function clause({ status, since }: StatusReason, bottle: Facts, present: number, zone: string): string {
  switch (status) {
    case 'open':
      return `Open${sinceWhen(since, present, zone)}`;
    case 'silent':
      return `Silent${sinceWhen(since, present, zone)}`;
    case 'late':
      return lateness(bottle, present, zone);
    case 'unknown':
      return `Not heard of since it was registered, ${dayAndTime(Date.parse(bottle.registered_at), zone, present)}`;
    case 'ok':
      return bottle.last_action?.action === 'closed'
        ? `All is well: closed since ${dayAndTime(Date.parse(bottle.last_action.time), zone, present)}`
        : 'All is well';
  }
}

function lateness({ open_alerts }: Facts, present: number, zone: string): string {
  const slots = open_alerts
    .filter(({ kind }) => kind === 'missed_dose')
    .map(({ subject }) => Date.parse(subject))
    .sort((one, other) => one - other);
  const [first] = slots;
  if (first === undefined || Number.isNaN(first)) return 'A dose is late';
  const when = dayAndTime(first, zone, present);
  return slots.length === 1
    ? `The dose of ${when} is late by ${duration(present - first)}`
    : `${slots.length} doses are late, the first of ${when}`;
}

function sinceWhen(since: string | null, present: number, zone: string): string {
  if (since === null) return '';
  const at = Date.parse(since);
  return ` since ${dayAndTime(at, zone, present)}, ${duration(present - at)}`;
}

/** For a silent one that is said already. */
function heard(status: Status | undefined, { last_heard_at }: Facts, present: number): string {
  if (status === 'silent' || status === 'unknown' || last_heard_at === null) return '';
  return `; last heard ${ago(Date.parse(last_heard_at), present)}`;
}
