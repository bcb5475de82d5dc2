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
import { AuditLog } from '../auth/audited.js';
import { csrfToken } from '../auth/session-cookie.js';
import type { Staff } from '../auth/staff.js';
import { viewOf } from '../http/view.js';
import { type ChangePasswordDto, type SessionDto, SignedInStaffDto, type SignInDto } from './identity.dto.js';
import { SignInLimits } from './sign-in-limits.js';
import { checkedPassword } from './staff.service.js';

/** The length of a shift, after which everybody signs in again. Milliseconds. */
export const SESSION_LIFETIME = 12 * 60 * 60_000;

/** Signing in and out, and changing one's own password. */
@Injectable()
export class SessionsService {
  /** Compared with the password for an unknown account, so that the response takes as long as for a known one. */
  private readonly decoy = hashPassword(generatePassword());

  constructor(
    private readonly accounts: StaffRepository,
    private readonly sessions: StaffSessionsRepository,
    private readonly limits: SignInLimits,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * @param address of the client, for the lock-out
   * @throws Problem 401 `wrong_credentials`, whichever of the two is wrong; 429 `locked_out`
   */
  async signIn(given: SignInDto, address: string): Promise<{ token: string; session: SessionDto }> {
    const email = given.email.trim().toLowerCase();
    await this.limits.admit(email, address);
    const account = await this.accounts.findByEmail(email);
    const right = await verifyPassword(account?.password_hash ?? (await this.decoy), given.password);
    if (!account || !right || account.disabled) {
      throw new Problem(401, 'wrong_credentials', 'Wrong e-mail address or password.');
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

  /** @throws Problem 404 for an API key */
  async get(staff: Staff): Promise<SessionDto> {
    return sessionView(await this.accountOf(staff), sessionOf(staff));
  }

  /** @throws Problem 404 for an API key */
  async signOut(staff: Staff): Promise<void> {
    await this.sessions.delete(new Types.ObjectId(sessionOf(staff).id));
  }

  /**
   * Changes one's own password and ends all other sessions of the person.
   *
   * @throws Problem 400 `wrong_password`, `weak_password`; 404 for an API key; 429 `locked_out`, because this is another way to guess
   */
  async changePassword(staff: Staff, { current, next }: ChangePasswordDto, address: string): Promise<void> {
    const session = sessionOf(staff);
    const account = await this.accountOf(staff);
    await this.limits.admit(account.email, address);
    if (!(await verifyPassword(account.password_hash, current))) {
      throw Problem.field('current', 'wrong_password', 'current is not the current password');
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

function sessionView(
  account: StaffAccount,
  { expires_at, csrf_token }: NonNullable<Staff['session']>,
): SessionDto {
  return { staff: viewOf(SignedInStaffDto, account), expires_at, csrf_token };
}
