import type { Bottle, Device } from '../../api/types.js';
import { ago, dayAndTime, duration } from '../../time/format.js';

type Facts = Pick<Bottle, 'device' | 'reasons' | 'last_heard_at' | 'last_action' | 'registered_at'>;

/**
 * The state of the device in one sentence, which says nothing of doses: `Open since 09:14 CET, 23 min; last seen 2 min ago.`
 *
 * @param present epoch milliseconds.
 * @param zone IANA name: the zone of the times.
 */
export function deviceSentence(bottle: Facts, present: number, zone: string): string {
  const { device } = bottle;
  return `${clause(device, bottle, present, zone)}${lastSeen(device, bottle, present)}.`;
}

/** What else held when a silent device was last seen. */
export function whenLastSeen({ device, reasons }: Facts): string | undefined {
  const wasOpen = device.status === 'silent' && reasons.some(({ status }) => status === 'open');
  return wasOpen ? 'It was open when last seen.' : undefined;
}

function clause(
  { status, since }: Device,
  { last_action, registered_at }: Facts,
  present: number,
  zone: string,
): string {
  switch (status) {
    case 'open':
      return `Open${sinceWhen(since, present, zone)}`;
    case 'silent':
      return `Silent${sinceWhen(since, present, zone)}`;
    case 'unknown':
      return `Never connected since registration, ${dayAndTime(Date.parse(registered_at), zone, present)}`;
    case 'ok':
      return last_action?.action === 'closed'
        ? `Closed since ${dayAndTime(Date.parse(last_action.time), zone, present)}`
        : 'Not opened yet';
  }
}

function sinceWhen(since: string | null, present: number, zone: string): string {
  if (since === null) return '';
  const at = Date.parse(since);
  return ` since ${dayAndTime(at, zone, present)}, ${duration(present - at)}`;
}

/** Redundant for a silent device. */
function lastSeen({ status }: Device, { last_heard_at }: Facts, present: number): string {
  if (status === 'silent' || status === 'unknown' || last_heard_at === null) return '';
  return `; last seen ${ago(Date.parse(last_heard_at), present)}`;
}
