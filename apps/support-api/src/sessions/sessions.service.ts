import { type StaffAccount, StaffRepository, StaffSessionsRepository } from '#persistence';
import {
  Clock,
  generatePassword,
  hashPassword,
  hashToken,
  newToken,
  Problem,
  verifyPassword,
} from '#platform';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { AuditLog } from '../audit/audit-log.js';
import { csrfToken } from '../auth/session-cookie.js';
import type { Staff } from '../auth/staff.js';
import { checkedPassword } from '../staff/checked-password.js';
import { type ChangePasswordDto, type SessionDto, sessionView, type SignInDto } from './session.dto.js';
import { SignInLimits } from './sign-in-limits.js';

/** A shift: after it everybody signs in again. Milliseconds. */
export const SESSION_LIFETIME = 12 * 60 * 60_000;

/** Signing in and out, and one's own password. */
@Injectable()
export class SessionsService {
  /** What the password of an account that does not exist is compared with: it has to take as long. */
  private readonly nobody = hashPassword(generatePassword());

  constructor(
    private readonly accounts: StaffRepository,
    private readonly sessions: StaffSessionsRepository,
    private readonly limits: SignInLimits,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * @param address where it comes from, for the lock-out.
   * @throws Problem 401 `wrong_credentials`, the same whichever of the two is wrong; 429 `locked_out`
   */
  async signIn(given: SignInDto, address: string): Promise<{ token: string; session: SessionDto }> {
    const email = given.email.trim().toLowerCase();
    await this.limits.admit(email, address);
    const account = await this.accounts.findByEmail(email);
    const right = await verifyPassword(account?.password_hash ?? (await this.nobody), given.password);
    if (!account || !right || account.disabled) {
      throw new Problem(401, 'wrong_credentials', 'There is no account with this e-mail and password.');
    }
    await this.limits.succeeded(email, address);
    return this.begin(account);
  }

  private async begin(account: StaffAccount): Promise<{ token: string; session: SessionDto }> {
    const now = this.clock.now();
    const token = newToken('pws');
    const expires_at = new Date(now.getTime() + SESSION_LIFETIME);
    const _id = new Types.ObjectId();
    await this.sessions.deleteExpired(now);
    await this.sessions.insert({
      _id,
      staff_id: account._id,
      token_hash: hashToken(token),
      created_at: now,
      expires_at,
    });
    const id = account._id.toHexString();
    await this.audit.record(
      { kind: 'staff', id, name: account.name },
      { action: 'session.begin', subject: { kind: 'staff', id } },
    );
    const session = { id: _id.toHexString(), csrf_token: csrfToken(token), expires_at };
    return { token, session: sessionView(account, session) };
  }

  /** @throws Problem 404 for a program */
  async get(staff: Staff): Promise<SessionDto> {
    return sessionView(await this.accountOf(staff), sessionOf(staff));
  }

  /** @throws Problem 404 for a program */
  async signOut(staff: Staff): Promise<void> {
    await this.sessions.delete(new Types.ObjectId(sessionOf(staff).id));
  }

  /**
   * Changes one's own password; all other sessions of the person end.
   *
   * @throws Problem 400 `wrong_password`, `weak_password`; 404 for a program; 429: this is a way to guess, too
   */
  async changePassword(staff: Staff, { current, next }: ChangePasswordDto, address: string): Promise<void> {
    const session = sessionOf(staff);
    const account = await this.accountOf(staff);
    await this.limits.admit(account.email, address);
    if (!(await verifyPassword(account.password_hash, current))) {
      throw Problem.field('current', 'wrong_password', 'current is not the present password');
    }
    await this.limits.succeeded(account.email, address);
    const password_hash = await hashPassword(checkedPassword('next', next, account.email));
    await this.accounts.update(account._id, { password_hash });
    await this.sessions.deleteOfStaff(account._id, new Types.ObjectId(session.id));
  }

  private async accountOf(staff: Staff): Promise<StaffAccount> {
    sessionOf(staff);
    const account = await this.accounts.findById(new Types.ObjectId(staff.id));
    if (!account) throw Problem.notFound('session');
    return account;
  }
}

function sessionOf({ session }: Staff): NonNullable<Staff['session']> {
  if (!session) throw Problem.notFound('session');
  return session;
}
