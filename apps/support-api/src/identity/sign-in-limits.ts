import { DAY_MS } from '#domain';
import { type SignInAttempts, SignInAttemptsRepository, StaffRepository } from '#persistence';
import { Clock, hashToken, networkOf, Problem } from '#platform';
import { Injectable } from '@nestjs/common';

const WINDOW = 15 * 60_000;
/** Attempts per window for one account from one address. */
const MAX_PER_PAIR = 10;
/** Attempts per window from one address, which an office may share. */
const MAX_PER_ADDRESS = 100;
/** The window of an account's attempts from all addresses: long, so that slow guessing from many adds up. */
const ACCOUNT_WINDOW = DAY_MS;
/** Attempts per window for one account from all addresses before the next ones have to wait. */
const FREE_PER_ACCOUNT = 50;
const MAX_WAIT = 60_000;

/** Who tries to sign in, from where. */
interface Attempt {
  email: string;
  /** The network of the client's address, see {@link networkOf}. */
  network: string;
}

const accountKey = ({ email }: Pick<Attempt, 'email'>): string => `email:${hashToken(email)}`;
const pairKey = (attempt: Attempt): string => `${accountKey(attempt)}@${attempt.network}`;
const addressKey = ({ network }: Attempt): string => `address:${network}`;

/**
 * Limits password guessing, by account and address together, so that nobody can lock a person out from elsewhere.
 * Guesses at one account from many addresses are slowed down, except at addresses from which the person has signed
 * in. Attempts are counted in the database, so that all processes share the count. Attempts for unknown accounts
 * count, too, so that a limit does not reveal which accounts exist.
 */
@Injectable()
export class SignInLimits {
  constructor(
    private readonly attempts: SignInAttemptsRepository,
    private readonly accounts: StaffRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts an attempt before it is made. While it is refused, nothing is written.
   *
   * @throws Problem 429 `locked_out`
   */
  async admit(email: string, address: string): Promise<void> {
    const attempt = { email, network: networkOf(address) };
    const now = this.clock.now();
    const [byAddress, byPair, byAccount] = [addressKey(attempt), pairKey(attempt), accountKey(attempt)];
    const found = await this.attempts.findAll([byAddress, byPair, byAccount], now);
    refuseAbove(found.get(byAddress), MAX_PER_ADDRESS - 1, now);
    refuseAbove(found.get(byPair), MAX_PER_PAIR - 1, now);
    const slowed = await this.slowed(attempt, found.get(byAccount), now);
    // others may be counted at the same time; in this order, because an address that is limited leaves no e-mail
    refuseAbove(await this.attempts.count(byAddress, now, WINDOW), MAX_PER_ADDRESS, now);
    refuseAbove(await this.attempts.count(byPair, now, WINDOW), MAX_PER_PAIR, now);
    const counted = await this.attempts.count(byAccount, now, ACCOUNT_WINDOW, slowed?.count);
    if (!counted) throw lockedOut(MAX_WAIT);
  }

  /**
   * @returns the account's attempts if this one is allowed only as the next after them; undefined if any is
   * @throws Problem 429 if the next one has to wait
   */
  private async slowed(
    { email, network }: Attempt,
    ofAccount: SignInAttempts | undefined,
    now: Date,
  ): Promise<SignInAttempts | undefined> {
    if (!ofAccount || ofAccount.count < FREE_PER_ACCOUNT) return undefined;
    if (await this.accounts.hasSignedInFrom(email, network)) return undefined;
    const wait = Math.min(MAX_WAIT, 1_000 * 2 ** (ofAccount.count - FREE_PER_ACCOUNT));
    const remaining = ofAccount.last_at.getTime() + wait - now.getTime();
    if (remaining > 0) throw lockedOut(remaining);
    return ofAccount;
  }

  /** After a correct password without the code that belongs to it. */
  async uncount(email: string, address: string): Promise<void> {
    const attempt = { email, network: networkOf(address) };
    await this.attempts.uncount([addressKey(attempt), pairKey(attempt), accountKey(attempt)]);
  }

  /** After a correct password and code: the attempt was no guess, and the address is known from now on. */
  async succeeded(email: string, address: string): Promise<void> {
    const attempt = { email, network: networkOf(address) };
    await Promise.all([
      this.attempts.forget(pairKey(attempt)),
      this.attempts.uncount([addressKey(attempt), accountKey(attempt)]),
      this.accounts.addNetwork(email, attempt.network),
    ]);
  }

  /** After an admin has set a new password for the account. */
  async unlock(email: string): Promise<void> {
    await this.attempts.forgetStartingWith(accountKey({ email }));
  }
}

function refuseAbove(attempts: SignInAttempts | null | undefined, max: number, now: Date): void {
  if (attempts && attempts.count > max) throw lockedOut(attempts.resets_at.getTime() - now.getTime());
}

function lockedOut(remainingMs: number): Problem {
  const seconds = Math.ceil(remainingMs / 1000);
  return new Problem(429, 'locked_out', 'Too many attempts. Try again later.', undefined, seconds);
}
