import { DAY_MS } from '#domain';
import { type ApiKey, ApiKeysRepository, type StaffAccount, StaffRepository } from '#persistence';
import { Clock, hashToken, newToken, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { AuditLog } from '../auth/audit-log.js';
import type { Staff } from '../auth/staff.js';
import { viewOf } from '../http/view.js';
import { ApiKeyDto, type CreateApiKeyDto, type CreatedApiKeyDto } from './identity.dto.js';

const YEAR = 365 * DAY_MS;

@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly accounts: StaffRepository,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem 400 `unknown_owner`, `out_of_range` */
  async create({ name, role, ...given }: CreateApiKeyDto, caller: Staff): Promise<CreatedApiKeyDto> {
    const now = this.clock.now();
    const expires_at = new Date(given.expires_at ?? now.getTime() + YEAR);
    if (expires_at <= now || expires_at.getTime() > now.getTime() + 2 * YEAR)
      throw Problem.field('expires_at', 'out_of_range', 'expires_at must be within the next two years');
    const owner = await this.ownerOf(given.owner_id, caller);
    const secret = newToken('pwk');
    const key: ApiKey = {
      _id: new Types.ObjectId(),
      name,
      role,
      key_hash: hashToken(secret),
      created_at: now,
      ...(owner && { owner_id: owner._id }),
      ...(caller.kind === 'staff' && { created_by: new Types.ObjectId(caller.id) }),
      expires_at,
    };
    await this.keys.insert(key);
    return { ...keyView(key, owner), key: secret };
  }

  /** @param given as the request names it. Default: the caller; none for ADMIN_TOKEN */
  private async ownerOf(given: string | undefined, caller: Staff): Promise<StaffAccount | undefined> {
    const id = given ?? (caller.kind === 'staff' ? caller.id : undefined);
    if (id === undefined) return undefined;
    const owner = await this.accounts.findById(new Types.ObjectId(id));
    if (!owner || owner.disabled)
      throw Problem.field('owner_id', 'unknown_owner', 'owner_id must be the id of an active account');
    return owner;
  }

  async list(): Promise<{ items: ApiKeyDto[] }> {
    const [keys, accounts] = [await this.keys.findAll(), await this.accounts.findAll()];
    const byId = new Map(accounts.map((account) => [account._id.toHexString(), account]));
    return { items: keys.map((key) => keyView(key, byId.get(key.owner_id?.toHexString() ?? ''))) };
  }

  /** A person has renewed their password or second factor: whoever knew the old one may have made keys with it. */
  async endMadeBy(account: Types.ObjectId, by: Staff): Promise<void> {
    const ended = await this.keys.deleteMadeBy(account);
    const subjects = ended.map((id) => ({ kind: 'api_key', id: id.toHexString() }) as const);
    await this.audit.record(by, ...subjects.map((subject) => ({ action: 'api_key.delete', subject })));
  }

  /** The key stops working at once. @throws Problem 404 */
  async delete(id: Types.ObjectId): Promise<void> {
    if (!(await this.keys.delete(id))) throw Problem.notFound('api_key');
  }
}

function keyView(key: ApiKey, owner: StaffAccount | undefined): ApiKeyDto {
  return viewOf(ApiKeyDto, { ...key, owner: owner ?? null });
}
