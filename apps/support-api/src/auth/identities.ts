import { ApiKeysRepository, StaffRepository, StaffSessionsRepository } from '#persistence';
import { bearerToken, Clock, hashToken, Problem, sameSecret } from '#platform';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SupportApiConfig } from '../config.js';
import { requirementsOf } from './requirements.js';
import { csrfToken, sessionToken } from './session-cookie.js';
import { FIRST_ADMIN, type Staff } from './staff.js';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Identifies the sender of a request by an API key, ADMIN_TOKEN, or a session cookie. */
@Injectable()
export class Identities {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly sessions: StaffSessionsRepository,
    private readonly accounts: StaffRepository,
    private readonly clock: Clock,
    private readonly config: SupportApiConfig,
  ) {}

  /**
   * A bearer token takes precedence over a cookie, because it is sent on purpose.
   *
   * @throws Problem 401; 403 `csrf` when another site's page may have sent the request
   */
  async of(request: FastifyRequest): Promise<Staff> {
    const { authorization, cookie } = request.headers;
    const token = authorization === undefined ? sessionToken(cookie) : undefined;
    if (token === undefined) return this.ofKey(bearerToken(authorization));
    const staff = await this.ofSession(token);
    if (!SAFE_METHODS.has(request.method)) refuseForgery(request, token);
    return staff;
  }

  private async ofKey(token: string | undefined): Promise<Staff> {
    if (token === undefined)
      throw new Problem(401, 'token_missing', 'Sign in, or send an API key as a bearer token.');
    const admin = this.config.ADMIN_TOKEN;
    if (admin !== undefined && sameSecret(token, admin)) return this.firstAdmin();
    const key = await this.keys.findByHash(hashToken(token));
    if (!key) throw new Problem(401, 'token_unknown', 'Unknown API key.');
    return { kind: 'api_key', id: key._id.toHexString(), name: key.name, role: key.role };
  }

  private async firstAdmin(): Promise<Staff> {
    if (!this.config.KEEP_ADMIN_TOKEN && (await this.accounts.adminExists()))
      throw new Problem(401, 'admin_token_ended', 'ADMIN_TOKEN ended when the first admin got an account.');
    return FIRST_ADMIN;
  }

  private async ofSession(token: string): Promise<Staff> {
    const session = await this.sessions.findByToken(hashToken(token), this.clock.now());
    const account = session && (await this.accounts.findById(session.staff_id));
    if (!account || account.disabled)
      throw new Problem(401, 'not_signed_in', 'The session has ended. Sign in again.');
    const { _id, expires_at } = session;
    return {
      kind: 'staff',
      id: account._id.toHexString(),
      name: account.name,
      role: account.role,
      session: {
        id: _id.toHexString(),
        csrf_token: csrfToken(token),
        expires_at,
        required: requirementsOf(account, this.config.SECOND_FACTOR),
      },
    };
  }
}

/** SameSite=Strict keeps the cookie out of other sites' requests; this covers browsers that do not support it. */
function refuseForgery(request: FastifyRequest, token: string): void {
  const sent = request.headers['x-csrf-token'];
  if (typeof sent === 'string' && sameSecret(sent, csrfToken(token))) return;
  throw new Problem(403, 'csrf', 'Send the csrf_token of GET /v1/session as x-csrf-token.');
}
