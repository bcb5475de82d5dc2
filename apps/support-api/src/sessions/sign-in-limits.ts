import { SignInAttemptsRepository } from '#persistence';
import { Clock, hashToken, Problem } from '#platform';
import { Injectable } from '@nestjs/common';

const WINDOW = 15 * 60_000;
/** Attempts in a window for one account, from wherever they come. */
const MOST_OF_ACCOUNT = 10;
/** Attempts in a window from one address: an office may share one. */
const MOST_OF_ADDRESS = 100;

const accountKey = (email: string): string => `account:${hashToken(email)}`;
const addressKey = (address: string): string => `address:${address}`;

/**
 * Stops guessing. Attempts are counted in the database, so that any number of processes count together, and
 * for accounts that do not exist as well, so that a lock-out says nothing about which do.
 */
@Injectable()
export class SignInLimits {
  constructor(
    private readonly attempts: SignInAttemptsRepository,
    private readonly clock: Clock,
  ) {}

  /** Counts an attempt that is about to be made. @throws Problem 429 `locked_out` */
  async admit(email: string, address: string): Promise<void> {
    const now = this.clock.now();
    const [ofAccount, ofAddress] = await Promise.all([
      this.attempts.count(accountKey(email), now, WINDOW),
      this.attempts.count(addressKey(address), now, WINDOW),
    ]);
    const ends = [
      ...(ofAccount.count > MOST_OF_ACCOUNT ? [ofAccount.resets_at.getTime()] : []),
      ...(ofAddress.count > MOST_OF_ADDRESS ? [ofAddress.resets_at.getTime()] : []),
    ];
    if (ends.length === 0) return;
    const seconds = Math.ceil((Math.max(...ends) - now.getTime()) / 1000);
    throw new Problem(429, 'locked_out', 'Too many attempts. Wait, then try again.', undefined, seconds);
  }

  /** It was no guess: the account's count begins anew. */
  async succeeded(email: string, address: string): Promise<void> {
    await Promise.all([
      this.attempts.forget(accountKey(email)),
      this.attempts.uncount(addressKey(address)),
      this.attempts.deleteOver(this.clock.now()),
    ]);
  }

  /** An admin has given the account a new password. */
  async unlock(email: string): Promise<void> {
    await this.attempts.forget(accountKey(email));
  }
}
