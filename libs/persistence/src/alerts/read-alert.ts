import { type Alert as DomainAlert, type AlertKind, damageOf, type DoseEndEvidence } from '#domain';
import type { mongo } from 'mongoose';
import type { Alert, AlertRecord } from './alert.schema.js';

/** The stored evidence of the alerts that are damaged. */
const damaged = new WeakMap<DomainAlert, unknown>();

/**
 * A stored alert as the domain knows it. The evidence of one that is damaged cannot be read: whoever reads it gets an
 * error, and has the alert quarantined or passes over it, while the others of its page go on.
 */
export function toAlert<K extends AlertKind = AlertKind>(record: AlertRecord): Alert<K> {
  const alert = record as Alert<K>;
  const damage = damageOf(record.kind, record.evidence);
  if (damage === undefined) return alert;
  damaged.set(alert as DomainAlert, record.evidence);
  return Object.defineProperty(alert, 'evidence', {
    // a copy of the alert is without it, and no error by itself
    enumerable: false,
    get: () => {
      throw new TypeError(`alert ${record._id.toHexString()}: ${damage}`);
    },
  });
}

/** Of one alert; null if there is none. */
export async function readOne(found: PromiseLike<AlertRecord | null>): Promise<Alert | null> {
  const record = await found;
  return record && toAlert(record);
}

export async function readAll<K extends AlertKind = AlertKind>(
  found: PromiseLike<AlertRecord[]>,
): Promise<Alert<K>[]> {
  return (await found).map((record) => toAlert<K>(record));
}

/** Whether the evidence of an alert cannot be read. */
export function isDamaged(alert: DomainAlert): boolean {
  return damaged.has(alert);
}

/** The evidence as it is stored, damaged or not. */
export function storedEvidence(alert: DomainAlert): unknown {
  return damaged.has(alert) ? damaged.get(alert) : alert.evidence;
}

/** Matches an alert that ended as this one did: a later end may be by the same event. */
export function asEnded(alert: DomainAlert): mongo.Filter<mongo.Document> {
  const { outcome, pills_taken, reported } = (storedEvidence(alert) ?? {}) as Partial<DoseEndEvidence>;
  return {
    'evidence.outcome': outcome ?? null,
    'evidence.pills_taken': pills_taken ?? null,
    'evidence.reported.entry': reported?.entry ?? null,
  };
}
