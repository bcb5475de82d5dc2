import { DAY_MS } from '#domain';
import { type StaffAccount, type StaffChange, StaffRepository, StaffSessionsRepository } from '#persistence';
import { Clock, definedOnly, generatePassword, hashPassword, passwordProblem, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type { Staff } from '../auth/staff.js';
import { viewOf } from '../http/view.js';
import {
  type ChangeStaffDto,
  type ColleagueDto,
  type CreatedStaffDto,
  type CreateStaffDto,
  StaffDto,
} from './identity.dto.js';
import { ApiKeysService } from './api-keys.service.js';
import { SignInLimits } from './sign-in-limits.js';

/** How long a password can be used that somebody else has chosen. Milliseconds. */
const INITIAL_PASSWORD_LIFETIME = 7 * DAY_MS;

/** Staff accounts and their roles. */
@Injectable()
export class StaffService {
  constructor(
    private readonly accounts: StaffRepository,
    private readonly sessions: StaffSessionsRepository,
    private readonly limits: SignInLimits,
    private readonly keys: ApiKeysService,
    private readonly clock: Clock,
  ) {}

  async list(): Promise<{ items: StaffDto[] }> {
    return { items: (await this.accounts.findAll()).map(staffView) };
  }

  /** The active accounts that may act on alerts. */
  async colleagues(): Promise<{ items: ColleagueDto[] }> {
    const accounts = await this.accounts.findAll();
    const active = accounts.filter(({ disabled, role }) => !disabled && role !== 'viewer');
    return { items: active.map(({ _id, name }) => ({ id: _id.toHexString(), name })) };
  }

  /** @throws Problem 400 `weak_password`, 409 `email_taken` */
  async create({ role, name, password, ...given }: CreateStaffDto): Promise<CreatedStaffDto> {
    const email = given.email.toLowerCase();
    const generated = password === undefined ? generatePassword() : undefined;
    const account = {
      _id: new Types.ObjectId(),
      email,
      name: name ?? email,
      role,
      password_hash: await hashPassword(generated ?? checkedPassword('password', password!, email)),
      ...this.initialPassword(),
      created_at: this.clock.now(),
    };
    if (!(await this.accounts.insert(account))) {
      throw Problem.field('email', 'email_taken', 'email already has an account', 409);
    }
    return { ...staffView(account), ...(generated !== undefined && { password: generated }) };
  }

  /**
   * Nobody can disable or demote themselves, so there is always an admin; nor change their own password here, where
   * the current one is not asked for.
   *
   * @throws Problem 400 `nothing_to_change`, `weak_password`; 404; 409 `own_account`
   */
  async change(id: Types.ObjectId, caller: Staff, body: ChangeStaffDto): Promise<StaffDto> {
    const { password, ...change } = definedOnly({ ...body });
    if (Object.keys(body).every((key) => body[key as keyof ChangeStaffDto] === undefined)) {
      throw new Problem(400, 'nothing_to_change', 'Give at least one of name, role, disabled and password.');
    }
    const account = await this.accounts.findById(id);
    if (!account) throw Problem.notFound('staff');
    const own = caller.kind === 'staff' && caller.id === id.toHexString();
    if (own && password !== undefined)
      throw new Problem(409, 'own_account', 'Change your password with the current one.');
    if (own && (change.disabled || (change.role !== undefined && change.role !== account.role))) {
      throw new Problem(409, 'own_account', 'Another admin has to disable your account or change your role.');
    }
    const password_hash =
      password === undefined
        ? undefined
        : await hashPassword(checkedPassword('password', password, account.email));
    const initial = password === undefined ? {} : this.initialPassword();
    const update = definedOnly({ ...change, password_hash, ...initial });
    const changed = await this.carryOut(id, caller, update);
    if (password !== undefined) {
      await this.limits.unlock(account.email);
      await this.keys.endMadeBy(id, caller);
    }
    if (password !== undefined || change.disabled) await this.sessions.deleteOfStaff(id);
    return staffView(changed);
  }

  /** Of two admins who disable or demote each other at once, one does. */
  private async carryOut(id: Types.ObjectId, caller: Staff, update: StaffChange): Promise<StaffAccount> {
    const changed =
      caller.kind === 'staff'
        ? await this.accounts.updateAs(new Types.ObjectId(caller.id), id, update)
        : await this.accounts.update(id, update);
    if (changed === 'no_admin') throw new Problem(403, 'role_insufficient', 'You are no admin any more.');
    if (!changed) throw Problem.notFound('staff');
    return changed;
  }

  /** Of a password that somebody else has chosen. */
  private initialPassword(): Required<Pick<StaffAccount, 'must_change_password' | 'password_expires_at'>> {
    const expires = this.clock.now().getTime() + INITIAL_PASSWORD_LIFETIME;
    return { must_change_password: true, password_expires_at: new Date(expires) };
  }

  /**
   * For a person who has lost their authenticator app and the recovery codes: they sign in without until they have set
   * up another one, which the next sign-in asks for if their role needs it.
   *
   * @throws Problem 404; 409 `own_account`
   */
  async resetSecondFactor(id: Types.ObjectId, caller: Staff): Promise<void> {
    if (caller.kind === 'staff' && caller.id === id.toHexString())
      throw new Problem(409, 'own_account', 'Set up another second factor, or ask another admin.');
    if (!(await this.accounts.setSecondFactor(id, undefined))) throw Problem.notFound('staff');
    await this.keys.endMadeBy(id, caller);
    await this.sessions.deleteOfStaff(id);
  }
}

function staffView(account: StaffAccount): StaffDto {
  const { disabled = false, must_change_password = false, second_factor } = account;
  const flags = { disabled, must_change_password, second_factor: second_factor !== undefined };
  return viewOf(StaffDto, { ...account, ...flags });
}

/** Validates a new password. @throws Problem 400 `weak_password` naming the field */
export function checkedPassword(field: string, password: string, email: string): string {
  const problem = passwordProblem(password, email);
  if (problem !== undefined) throw Problem.field(field, 'weak_password', `${field} ${problem}`);
  return password;
}
