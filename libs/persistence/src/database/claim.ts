import { randomUUID } from 'node:crypto';

/** A notifier's hold on a piece of work: a bottle for one check, a message, a stretch of the fleet. */
export interface Claim {
  token: string;
  /** It ends by itself then. */
  until: Date;
}

/** A new hold, that no other has the token of. */
export function newClaim(now: Date, leaseMs: number): Claim {
  return { token: randomUUID(), until: new Date(now.getTime() + leaseMs) };
}

/** The branches of `$or` that match where nobody holds `field`, or whoever did has lost the lease. */
export function unclaimed(field: string, now: Date): object[] {
  return [{ [field]: { $exists: false } }, { [`${field}.until`]: { $lte: now } }];
}
