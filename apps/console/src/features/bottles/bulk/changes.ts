import { DAY_MS } from '../../../time/durations.js';
import { IF_NONE, ifMatch, request, type Versioned } from '../../../api/request.js';
import type { Bottle, Contact, ContactDetails } from '../../../api/schema.js';
import { instantOf } from '../../../time/calendar.js';
import { now } from '../../../time/clock.js';
import type { DoseTimes } from '../../bottle/manage/MovedDoses.js';
import { contactPath } from '../../person/ContactLine.js';
import { t } from '../../../i18n/i18n.js';
import { type CarerChange, withCarer, withoutCarers } from './carer-changes.js';

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
export type Change = (seen: Seen, key: string) => Promise<Done>;

/** A bottle as it was when the dialog was opened. */
export type Seen = Versioned<Bottle> & {
  /** Of the bottle's user, for changes of contacts; null if there is none. */
  contact?: Versioned<Contact> | null;
};

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

/** @param dose_times whether its doses follow from the next one that fits, or stay at the times of the old zone */
export function moveTo(zone: string, dose_times: DoseTimes): Change {
  return async ({ bottle_id, time_zone, version }) => {
    if (time_zone === zone) return { text: t('Already in {{zone}}', { zone }), skipped: true };
    await request('PATCH', `/v1/bottles/${bottle_id}`, {
      body: { time_zone: zone, dose_times },
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

/** Gives the bottle's user this carer, in place of the first one or as a further one. A user with several bottles is changed once. */
export function giveCarer(carer: ContactDetails, isFurther: boolean): Change {
  return oncePerUser((seen) =>
    saveCarers(seen, withCarer(seen.contact ?? null, carer, isFurther), t('Is the carer already')),
  );
}

/** Removes carers of the bottle's user. @param who a name, an address or a number of theirs; empty: all carers */
export function removeCarers(who: string): Change {
  return oncePerUser((seen) =>
    saveCarers(seen, withoutCarers(seen.contact ?? null, who), t('Has no such carer')),
  );
}

async function saveCarers(
  { user_id, time_zone, contact = null }: Seen,
  change: CarerChange | undefined,
  nothing: string,
): Promise<Done> {
  if (!change) return { text: nothing, skipped: true };
  const { version, carer: _first, ...details }: Versioned<Contact> = contact ?? { time_zone };
  const { text, carers, escalation } = change;
  await request('PUT', contactPath(user_id), {
    body: { ...details, carers, escalation },
    headers: contact === null ? IF_NONE : ifMatch(version),
  });
  return { text };
}

/** A contact belongs to a user: the first of their bottles changes it, and the others share its result. */
function oncePerUser(change: Change): Change {
  const begun = new Map<string, Promise<Done>>();
  return async (seen, key) => {
    const first = begun.get(seen.user_id);
    if (first) {
      await first;
      return { text: t('Same person'), skipped: true };
    }
    const done = change(seen, key);
    begun.set(seen.user_id, done);
    return done;
  };
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
}
