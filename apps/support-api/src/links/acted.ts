import { ACTIVE_STATES, isCarer, isFirstAdmin, personIn } from '#domain';
import type { Alert, Contact, Delivery } from '#persistence';
import { nameOfActor } from '../alerts/actor.js';
import { lastStep } from '../alerts/alert-view.js';
import type { Reader } from './reader.js';

/**
 * Who did something at a moment, for a page that people of the contact read: a person by the name that the contact has,
 * another carer than that of today only as a carer; staff by their name.
 */
export function actorName(by: string, at: Date, contact: Contact | undefined, reader: Reader): string {
  if (isFirstAdmin(by)) return reader.say('the_staff');
  const name = nameOfActor(by, at, contact);
  if (name !== undefined) return name;
  return reader.say(isCarer({ recipient: by }) ? 'the_carer' : 'the_patient');
}

/** An alert, and who reads the page about it. */
interface Acted {
  alert: Alert;
  delivery: Pick<Delivery, 'recipient'>;
  reader: Reader;
  /** Absent for the operator. */
  to?: { contact: Contact };
}

/** That a dose will be taken. */
export interface DosePromise {
  by: string;
  at: Date;
  until: Date;
}

/** Who promised the dose last, until its time has come: also while somebody takes care of the alert. */
export function promiseIn({ state, snoozed_until, history }: Alert, now: Date): DosePromise | undefined {
  if (!ACTIVE_STATES.includes(state)) return undefined;
  const made = history.findLast(({ event }) => event === 'snoozed');
  // what staff snoozed is over once somebody acknowledges
  if (!made || (state === 'acknowledged' && personIn(made.by) === undefined)) return undefined;
  const until = made.until ?? snoozed_until;
  return until && until > now ? { by: made.by, at: made.at, until } : undefined;
}

/** What people did about the alert that still counts: who takes care of it, who promised the dose, who closed it. */
export function actedText({ alert, delivery, to, reader }: Acted, now: Date): string[] {
  const sentence = (
    what: 'acknowledged' | 'promised' | 'closed',
    by: string,
    at: Date,
    until?: Date,
  ): string => {
    const values = { at: reader.time(at), ...(until && { until: reader.time(until) }) };
    if (by === delivery.recipient) return reader.say(`you_${what}`, values);
    return reader.say(`who_${what}`, { ...values, who: actorName(by, at, to?.contact, reader) });
  };
  const { state, closing } = alert;
  if (closing) return [sentence('closed', closing.by, closing.at)];
  const step = state === 'acknowledged' ? lastStep(alert) : undefined;
  const promise = promiseIn(alert, now);
  return [
    ...(step ? [sentence('acknowledged', step.by, step.at)] : []),
    ...(promise ? [sentence('promised', promise.by, promise.at, promise.until)] : []),
  ];
}

/** Whether somebody else than the recipient has acknowledged the alert. */
export function isTakenByAnother({ alert, delivery }: Pick<Acted, 'alert' | 'delivery'>): boolean {
  return alert.state === 'acknowledged' && lastStep(alert)?.by !== delivery.recipient;
}
