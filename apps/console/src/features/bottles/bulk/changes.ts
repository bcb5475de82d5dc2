import { ifMatch, request, type Versioned } from '../../../api/request.js';
import type { Bottle } from '../../../api/types.js';
import { instantOf } from '../../../time/calendar.js';
import { now } from '../../../time/clock.js';
import { t } from '../../../i18n/i18n.js';

/** The result of a change; `skipped` if there was nothing to change. */
export interface Done {
  text: string;
  skipped?: true;
}

/**
 * Changes one bottle by the same request as its own page does, on condition that it is still as it was seen.
 *
 * @param key the same for each attempt at this bottle, so that a lost response causes no second change
 */
type Change = (seen: Versioned<Bottle>, key: string) => Promise<Done>;

/** @param lastDay such as `2026-03-02`, by each patient's own calendar */
export function pauseUntil(lastDay: string): Change {
  return async ({ bottle_id, time_zone, version }, key) => {
    const to = new Date(instantOf(`${dayAfter(lastDay)}T00:00`, time_zone)).toISOString();
    await request('POST', `/v1/bottles/${bottle_id}/pauses`, {
      body: { to },
      headers: { ...ifMatch(version), 'idempotency-key': key },
    });
    return { text: t('Paused until the end of {{day}}, {{zone}}', { day: lastDay, zone: time_zone }) };
  };
}

export const endPause: Change = async ({ bottle_id, pauses, version }) => {
  const current = pauses.find(({ from, to }) => Date.parse(from) <= now() && Date.parse(to) > now());
  if (!current) return { text: t('Not paused'), skipped: true };
  await request('DELETE', `/v1/bottles/${bottle_id}/pauses`, {
    query: { from: current.from },
    headers: ifMatch(version),
  });
  return { text: t('Pause ended') };
};

export function moveTo(zone: string): Change {
  return async ({ bottle_id, time_zone, version }) => {
    if (time_zone === zone) return { text: t('Already in {{zone}}', { zone }), skipped: true };
    await request('PATCH', `/v1/bottles/${bottle_id}`, {
      body: { time_zone: zone },
      headers: ifMatch(version),
    });
    return { text: `${time_zone} → ${zone}` };
  };
}

/** A gateway is one more that may report for the bottle, so there is no version to be kept. */
export function assignTo({ id, name }: { id: string; name: string }): Change {
  return async ({ bottle_id }) => {
    await request('POST', `/v1/gateways/${id}/assign`, { body: { bottle_ids: [bottle_id] } });
    return { text: t('Assigned to {{name}}', { name }) };
  };
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}
