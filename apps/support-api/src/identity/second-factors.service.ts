import { type StaffAccount, StaffRepository, StaffSessionsRepository } from '#persistence';
import {
  base32,
  Clock,
  generatePassword,
  hashToken,
  newTotpSecret,
  Problem,
  seal,
  totpStep,
  totpUri,
  unseal,
} from '#platform';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { SupportApiConfig } from '../config.js';
import type { NewSecondFactorDto, RecoveryCodesDto } from './identity.dto.js';

const RECOVERY_CODES = 10;

/** Codes of an authenticator app, and recovery codes for the day on which it is lost. Each is accepted once. */
@Injectable()
export class SecondFactors {
  constructor(
    private readonly accounts: StaffRepository,
    private readonly sessions: StaffSessionsRepository,
    private readonly clock: Clock,
    private readonly config: SupportApiConfig,
  ) {}

  get areUsed(): boolean {
    return this.config.SECOND_FACTOR !== 'off';
  }

  /** @returns whether this person has to send a code to sign in. */
  isNeeded(account: StaffAccount): boolean {
    return this.areUsed && account.second_factor !== undefined;
  }

  /** @param typed a code of the app, or a recovery code; spaces, hyphens and upper case do not matter */
  async accepts({ _id, second_factor: factor }: StaffAccount, typed: string): Promise<boolean> {
    if (!factor) return false;
    const code = plain(typed);
    if (!/^\d{6}$/.test(code)) return this.accounts.useRecoveryCode(_id, recoveryHash(_id, code));
    const secret = unseal(this.key, _id.toHexString(), factor.secret);
    const step = secret && totpStep(secret, code, this.clock.now());
    return step !== undefined && (await this.accounts.useTotpStep(_id, step));
  }

  /** Makes a secret for an authenticator app. It is kept with the session until {@link confirm}. */
  async begin({ _id, email }: StaffAccount, sessionId: Types.ObjectId): Promise<NewSecondFactorDto> {
    if (!this.areUsed)
      throw new Problem(409, 'second_factor_off', 'SECOND_FACTOR=off: nobody is asked for one.');
    const secret = newTotpSecret();
    await this.sessions.setNewSecret(sessionId, seal(this.key, _id.toHexString(), secret));
    return { secret: base32(secret), uri: totpUri(secret, email) };
  }

  /**
   * The app shows the right code, so from now on it is asked for.
   *
   * @throws Problem 400 `wrong_code`; 409 `second_factor_not_begun`
   */
  async confirm({ _id }: StaffAccount, sessionId: Types.ObjectId, typed: string): Promise<RecoveryCodesDto> {
    const sealed = await this.sessions.findNewSecret(sessionId);
    const secret = sealed === undefined ? undefined : unseal(this.key, _id.toHexString(), sealed);
    if (!sealed || !secret) throw new Problem(409, 'second_factor_not_begun', 'Ask for a new secret first.');
    const step = totpStep(secret, plain(typed), this.clock.now());
    if (step === undefined) throw wrongCode(400);
    const recovery_codes = Array.from({ length: RECOVERY_CODES }, generatePassword);
    await this.accounts.setSecondFactor(_id, {
      secret: sealed,
      last_step: step,
      recovery_hashes: recovery_codes.map((code) => recoveryHash(_id, plain(code))),
      since: this.clock.now(),
    });
    await this.sessions.deleteOfStaff(_id, sessionId);
    await this.sessions.setNewSecret(sessionId, undefined);
    return { recovery_codes };
  }

  private get key(): string {
    return this.config.SECOND_FACTOR_KEY ?? '';
  }
}

/** The code is wrong, or was used before. */
export function wrongCode(status: 400 | 401): Problem {
  return Problem.field('code', 'wrong_code', 'code is wrong or was used before', status);
}

/** Salted with the account, so that the codes of all people cannot be tried at once. */
function recoveryHash(id: Types.ObjectId, code: string): string {
  return hashToken(`${id.toHexString()} ${code}`);
}

function plain(code: string): string {
  return code.replaceAll(/[\s-]/g, '').toLowerCase();
}
