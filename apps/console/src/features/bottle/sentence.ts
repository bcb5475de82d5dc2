import type { Bottle, Device } from '../../api/schema.js';
import { ago, dayAndTime, duration } from '../../time/format.js';
import { t } from '../../i18n/i18n.js';

type Facts = Pick<Bottle, 'device' | 'reasons' | 'last_heard_at' | 'last_action' | 'registered_at'>;

/**
 * The state of the device in one sentence, which says nothing of doses: `Open since 09:14 CET, 23 min; last seen 2 min ago.`
 *
 * @param present epoch milliseconds.
 * @param zone IANA name: the zone of the times.
 */
export function deviceSentence(bottle: Facts, present: number, zone: string): string {
  const { device } = bottle;
  const state = clause(device, bottle, present, zone);
  const seen = lastSeen(device, bottle, present);
  return seen === undefined ? `${state}.` : t('{{state}}; last seen {{ago}}.', { state, ago: seen });
}

/** What else held when a silent device was last seen. */
export function whenLastSeen({ device, reasons }: Facts): string | undefined {
  const wasOpen = device.status === 'silent' && reasons.some(({ status }) => status === 'open');
  return wasOpen ? t('It was open when last seen.') : undefined;
}

function clause(
  { status, since }: Device,
  { last_action, registered_at }: Facts,
  present: number,
  zone: string,
): string {
  const time = (at: string): string => dayAndTime(Date.parse(at), zone, present);
  const timeAndSpan = (at: string): { time: string; span: string } => ({
    time: time(at),
    span: duration(present - Date.parse(at)),
  });
  switch (status) {
    case 'open':
      return since === null ? t('Open') : t('Open since {{time}}, {{span}}', timeAndSpan(since));
    case 'silent':
      return since === null ? t('Silent') : t('Silent since {{time}}, {{span}}', timeAndSpan(since));
    case 'unknown':
      return t('Never connected since registration, {{time}}', { time: time(registered_at) });
    case 'ok':
      return last_action?.action === 'closed'
        ? t('Closed since {{time}}', { time: time(last_action.time) })
        : t('Not opened yet');
  }
}

/** Redundant for a silent device. */
function lastSeen({ status }: Device, { last_heard_at }: Facts, present: number): string | undefined {
  if (status === 'silent' || status === 'unknown' || last_heard_at === null) return undefined;
  return ago(Date.parse(last_heard_at), present);
}
