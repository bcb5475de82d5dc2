import type { Bottle, Status, StatusReason } from '../../api/types.js';
import { ago, dayAndTime, duration } from '../../time/format.js';

type Facts = Pick<Bottle, 'reasons' | 'last_heard_at' | 'last_action' | 'open_alerts' | 'registered_at'>;

/**
 * A bottle's status in one sentence: `Open since 09:14 CET, 23 min; last seen 2 min ago.`
 *
 * @param present epoch milliseconds.
 * @param zone IANA name: the zone of the times.
 */
export function statusSentence(bottle: Facts, present: number, zone: string): string {
  const [first] = bottle.reasons;
  const main = first ? clause(first, bottle, present, zone) : 'Status unknown';
  return `${main}${lastSeen(first?.status, bottle, present)}.`;
}

/** Its other conditions: present ones, or those when it was last seen. */
export function otherConditions({ reasons }: Facts): string[] {
  const silent = reasons[0]?.status === 'silent';
  return reasons.slice(1).flatMap(({ status }) => {
    if (status === 'open') return [silent ? 'It was open when last seen.' : 'It is also open.'];
    if (status === 'late') return [silent ? 'A dose was late when last seen.' : 'A dose is also late.'];
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
      return `Never connected since registration, ${dayAndTime(Date.parse(bottle.registered_at), zone, present)}`;
    case 'ok':
      return bottle.last_action?.action === 'closed'
        ? `No problems; closed since ${dayAndTime(Date.parse(bottle.last_action.time), zone, present)}`
        : 'No problems';
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
    ? `Dose due ${when} is ${duration(present - first)} late`
    : `${slots.length} doses are late, the first due ${when}`;
}

function sinceWhen(since: string | null, present: number, zone: string): string {
  if (since === null) return '';
  const at = Date.parse(since);
  return ` since ${dayAndTime(at, zone, present)}, ${duration(present - at)}`;
}

/** Redundant for a silent bottle. */
function lastSeen(status: Status | undefined, { last_heard_at }: Facts, present: number): string {
  if (status === 'silent' || status === 'unknown' || last_heard_at === null) return '';
  return `; last seen ${ago(Date.parse(last_heard_at), present)}`;
}
