import { randomUUID } from 'node:crypto';

/** A notifier's claim on a unit of work: a bottle for one check, a notification, a partition of the fleet. */
export interface Claim {
  token: string;
  /** The end of the lease. */
  until: Date;
}

export function newClaim(now: Date, leaseMs: number): Claim {
  return { token: randomUUID(), until: new Date(now.getTime() + leaseMs) };
}

/** Branches for `$or` that match a document without a claim in `field`, or with one whose lease has ended. */
export function unclaimed(field: string, now: Date): object[] {
  return [{ [field]: { $exists: false } }, { [`${field}.until`]: { $lte: now } }];
}
