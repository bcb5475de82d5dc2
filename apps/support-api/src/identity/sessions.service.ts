import type { Language } from '#domain';
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
import { AuditLog } from '../auth/audit-log.js';
import { csrfToken, SESSION_LIFETIME } from '../auth/session-cookie.js';
import { FRESH_FOR } from '../auth/sensitive.js';
import type { Staff } from '../auth/staff.js';
import { viewOf } from '../http/view.js';
import { requirementsOf } from '../auth/requirements.js';
import { SupportApiConfig } from '../config.js';
import {
  type BeginSecondFactorDto,
  type ChangePasswordDto,
  type EndOtherSessionsDto,
  type NewSecondFactorDto,
  type OwnSessionsDto,
  type RecoveryCodesDto,
  type SessionDto,
  SignedInStaffDto,
  type SignInDto,
} from './identity.dto.js';
import { ApiKeysService } from './api-keys.service.js';
import { SecondFactors, wrongCode } from './second-factors.service.js';
import { SignInLimits } from './sign-in-limits.js';
import { checkedPassword } from './staff.service.js';

/** Of a person: whoever signs in on more devices ends the oldest. */
const MOST_SESSIONS = 10;

/** Signing in and out, and changing one's own password. */
@Injectable()
export class SessionsService {
  /** Compared with the password for an unknown account, so that the response takes as long as for a known one. */
  private readonly decoy = hashPassword(generatePassword());

  constructor(
    private readonly accounts: StaffRepository,
    private readonly sessions: StaffSessionsRepository,
    private readonly limits: SignInLimits,
    private readonly factors: SecondFactors,
    private readonly keys: ApiKeysService,
    private readonly config: SupportApiConfig,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * @param address of the client, for the lock-out
   * @param language of the browser, in which mails to the person are from now on
   * @param before the token of the browser's session, which ends
   * @throws Problem 401 `wrong_credentials`, whichever of the two is wrong; 401 `password_expired`; 401
   *   `second_factor_needed` if the password is right and the code is missing, `wrong_code`; 429 `locked_out`
   */
  async signIn(
    given: SignInDto,
    { address, language }: { address: string; language: Language },
    before?: string,
  ): Promise<{ token: string; session: SessionDto }> {
    const email = given.email.trim().toLowerCase();
    await this.limits.admit(email, address);
    const account = await this.accounts.findByEmail(email);
    const right = await verifyPassword(account?.password_hash ?? (await this.decoy), given.password);
    if (!account || !right || account.disabled) {
      throw wrongCredentials();
    }
    const { password_expires_at: end } = account;
    if (end && end <= this.clock.now())
      throw new Problem(
        401,
        'password_expired',
        'The password was not changed in time. Ask an admin for another.',
      );
    if (this.factors.isNeeded(account)) {
      if (given.code === undefined) {
        await this.limits.uncount(email, address);
        throw new Problem(401, 'second_factor_needed', 'Send a code of your authenticator app, too.');
      }
      if (!(await this.factors.accepts(account, given.code))) throw wrongCode(401);
    }
    await this.limits.succeeded(email, address);
    await this.accounts.setLanguage(account._id, language);
    const begun = await this.begin(account, address);
    if (before !== undefined) await this.sessions.deleteByToken(hashToken(before));
    return begun;
  }

  private async begin(
    account: StaffAccount,
    address: string,
  ): Promise<{ token: string; session: SessionDto }> {
    const now = this.clock.now();
    const token = newToken('pws');
    const ends_at = new Date(now.getTime() + SESSION_LIFETIME);
    const idleAt = new Date(now.getTime() + this.config.SESSION_IDLE_TIMEOUT);
    const _id = new Types.ObjectId();
    await this.sessions.deleteExpired(now);
    await this.sessions.insert({
      _id,
      staff_id: account._id,
      token_hash: hashToken(token),
      created_at: now,
      address,
      expires_at: idleAt < ends_at ? idleAt : ends_at,
    });
    await this.sessions.deleteOldest(account._id, MOST_SESSIONS);
    await this.endUnlessCurrent(account, _id);
    const id = account._id.toHexString();
    await this.audit.record(
      { kind: 'staff', id, name: account.name, address },
      { action: 'session.begin', subject: { kind: 'staff', id } },
    );
    const session = {
      csrf_token: csrfToken(token),
      expires_at: ends_at,
      fresh_until: new Date(now.getTime() + FRESH_FOR),
    };
    return { token, session: this.view(account, session) };
  }

  /**
   * Ends a session that was begun with what no longer holds: whoever changed the password, reset the second factor or
   * disabled the account meanwhile has ended all sessions, but not yet this one.
   *
   * @throws Problem 401 `wrong_credentials`
   */
  private async endUnlessCurrent(before: StaffAccount, sessionId: Types.ObjectId): Promise<void> {
    const now = await this.accounts.findById(before._id);
    const isCurrent =
      now?.password_hash === before.password_hash &&
      now.second_factor?.secret === before.second_factor?.secret &&
      !now.disabled;
    if (isCurrent) return;
    await this.sessions.delete(sessionId);
    throw wrongCredentials();
  }

  /** @throws Problem 404 for an API key */
  async get(staff: Staff): Promise<SessionDto> {
    return this.view(await this.accountOf(staff), sessionOf(staff));
  }

  /** @throws Problem 404 for an API key */
  async signOut(staff: Staff): Promise<void> {
    await this.sessions.delete(sessionId(staff));
  }

  /** The sessions of the person. @throws Problem 404 for an API key */
  async list(staff: Staff): Promise<OwnSessionsDto> {
    const { id: current } = sessionOf(staff);
    const found = await this.sessions.findOfStaff(new Types.ObjectId(staff.id), this.clock.now());
    return {
      items: found.map(({ _id, created_at, address = null }) => {
        const id = _id.toHexString();
        return { id, created_at, address, current: id === current };
      }),
    };
  }

  /** Ends all other sessions of the person. @throws Problem 400 `wrong_password`; 404 for an API key; 429 `locked_out` */
  async endOthers(staff: Staff, { password }: EndOtherSessionsDto, address: string): Promise<void> {
    const account = await this.accountOf(staff);
    await this.prove(account, { field: 'password', password }, address);
    await this.sessions.deleteOfStaff(account._id, sessionId(staff));
  }

  /**
   * Changes one's own password, and ends all other sessions of the person and the keys that they have made.
   *
   * @throws Problem 400 `wrong_password`, `weak_password`; 404 for an API key; 429 `locked_out`, because this is another way to guess
   */
  async changePassword(staff: Staff, { current, next }: ChangePasswordDto, address: string): Promise<void> {
    const account = await this.accountOf(staff);
    await this.prove(account, { field: 'current', password: current }, address);
    if (next === current) throw Problem.field('next', 'weak_password', 'next is the current password');
    const password_hash = await hashPassword(checkedPassword('next', next, account.email));
    await this.accounts.update(account._id, {
      password_hash,
      must_change_password: false,
      password_expires_at: false,
    });
    await this.keys.endMadeBy(account._id, staff);
    await this.sessions.deleteOfStaff(account._id, sessionId(staff));
  }

  /** @throws Problem 400 `wrong_password`, `wrong_code`; 404 for an API key; 409 `second_factor_off`; 429 `locked_out` */
  async beginSecondFactor(
    staff: Staff,
    { password, code }: BeginSecondFactorDto,
    address: string,
  ): Promise<NewSecondFactorDto> {
    const account = await this.accountOf(staff);
    await this.prove(account, { field: 'password', password }, address);
    if (this.factors.isNeeded(account)) {
      await this.limits.admit(account.email, address);
      if (code === undefined || !(await this.factors.accepts(account, code))) throw wrongCode(400);
      await this.limits.succeeded(account.email, address);
    }
    return this.factors.begin(account, sessionId(staff));
  }

  /** @throws Problem as {@link SecondFactors.confirm}; 404 for an API key */
  async confirmSecondFactor(staff: Staff, code: string): Promise<RecoveryCodesDto> {
    const account = await this.accountOf(staff);
    const codes = await this.factors.confirm(account, sessionId(staff), code);
    await this.keys.endMadeBy(account._id, staff);
    return codes;
  }

  /**
   * Limited like signing in, because it is another way to guess. A right password alone proves nothing about whoever
   * guesses the codes: earlier attempts go on to count.
   */
  private async prove(
    account: StaffAccount,
    { field, password }: { field: string; password: string },
    address: string,
  ): Promise<void> {
    await this.limits.admit(account.email, address);
    if (!(await verifyPassword(account.password_hash, password)))
      throw Problem.field(field, 'wrong_password', `${field} is not the current password`);
    if (this.factors.isNeeded(account)) await this.limits.uncount(account.email, address);
    else await this.limits.succeeded(account.email, address);
  }

  private view(
    account: StaffAccount,
    { expires_at, fresh_until, csrf_token }: { expires_at: Date; fresh_until: Date; csrf_token: string },
  ): SessionDto {
    const setUp = account.second_factor ? 'set_up' : 'not_set_up';
    return {
      staff: viewOf(SignedInStaffDto, account),
      expires_at,
      fresh_for_s: Math.max(0, Math.floor((fresh_until.getTime() - this.clock.now().getTime()) / 1000)),
      idle_timeout_s: Math.round(this.config.SESSION_IDLE_TIMEOUT / 1000),
      csrf_token,
      required: requirementsOf(account, this.config.SECOND_FACTOR),
      second_factor: this.factors.areUsed ? setUp : 'off',
    };
  }

  private async accountOf(staff: Staff): Promise<StaffAccount> {
    sessionOf(staff);
    const account = await this.accounts.findById(new Types.ObjectId(staff.id));
    if (!account) throw Problem.notFound('session');
    return account;
  }
}

const wrongCredentials = (): Problem =>
  new Problem(401, 'wrong_credentials', 'Wrong e-mail address or password.');

function sessionOf({ session }: Staff): NonNullable<Staff['session']> {
  if (!session) throw Problem.notFound('session');
  return session;
}

function sessionId(staff: Staff): Types.ObjectId {
  return new Types.ObjectId(sessionOf(staff).id);
}
