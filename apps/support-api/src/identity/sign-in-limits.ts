import { SignInAttemptsRepository } from '#persistence';
import { Clock, hashToken, Problem } from '#platform';
import { Injectable } from '@nestjs/common';

const WINDOW = 15 * 60_000;
/** Attempts per window for one account, from any address. */
const MAX_PER_ACCOUNT = 10;
/** Attempts per window from one address, which an office may share. */
const MAX_PER_ADDRESS = 100;

const accountKey = (email: string): string => `account:${hashToken(email)}`;
const addressKey = (address: string): string => `address:${address}`;

/**
 * Limits password guessing. Attempts are counted in the database, so that all processes share the count. Attempts for
 * unknown accounts count, too, so that a lock-out does not reveal which accounts exist.
 */
@Injectable()
export class SignInLimits {
  constructor(
    private readonly attempts: SignInAttemptsRepository,
    private readonly clock: Clock,
  ) {}

  /** Counts an attempt before it is made. @throws Problem 429 `locked_out` */
  async admit(email: string, address: string): Promise<void> {
    const now = this.clock.now();
    const [ofAccount, ofAddress] = await Promise.all([
      this.attempts.count(accountKey(email), now, WINDOW),
      this.attempts.count(addressKey(address), now, WINDOW),
    ]);
    const ends = [
      ...(ofAccount.count > MAX_PER_ACCOUNT ? [ofAccount.resets_at.getTime()] : []),
      ...(ofAddress.count > MAX_PER_ADDRESS ? [ofAddress.resets_at.getTime()] : []),
    ];
    if (ends.length === 0) return;
    const seconds = Math.ceil((Math.max(...ends) - now.getTime()) / 1000);
    throw new Problem(429, 'locked_out', 'Too many attempts. Try again later.', undefined, seconds);
  }

  /** After a correct password: resets the count of the account. */
  async succeeded(email: string, address: string): Promise<void> {
    await Promise.all([
      this.attempts.forget(accountKey(email)),
      this.attempts.uncount(addressKey(address)),
      this.attempts.deleteOver(this.clock.now()),
    ]);
  }

  /** After an admin has set a new password for the account. */
  async unlock(email: string): Promise<void> {
    await this.attempts.forget(accountKey(email));
  }
}
