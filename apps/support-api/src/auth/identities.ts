import { HOUR_MS } from '#domain';
import {
  ApiKeysRepository,
  type Role,
  ROLES,
  StaffRepository,
  type StaffSession,
  StaffSessionsRepository,
} from '#persistence';
import {
  AddressLimit,
  bearerToken,
  Clock,
  hashToken,
  type Limited,
  LruMap,
  networkOf,
  Problem,
  sameSecret,
} from '#platform';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SupportApiConfig } from '../config.js';
import { CallerLimits } from './caller-limits.js';
import { CredentialLookups } from './credential-lookups.js';
import { requirementsOf } from './requirements.js';
import { csrfToken, SESSION_LIFETIME, sessionToken } from './session-cookie.js';
import { FRESH_FOR } from './sensitive.js';
import { FIRST_ADMIN, type Staff } from './staff.js';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

const MAX_SEEN = 10_000;

/** Identifies the sender of a request by an API key, ADMIN_TOKEN, or a session cookie. */
@Injectable()
export class Identities {
  /** Hashes of tokens that were right once, and whether they were when they were sent last. */
  private readonly seen = new LruMap<string, 'right' | 'ended'>(MAX_SEEN);

  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly sessions: StaffSessionsRepository,
    private readonly accounts: StaffRepository,
    private readonly lookups: CredentialLookups,
    private readonly limits: CallerLimits,
    private readonly failures: AddressLimit,
    private readonly clock: Clock,
    private readonly config: SupportApiConfig,
  ) {}

  /**
   * A bearer token takes precedence over a cookie, because it is sent on purpose. A right token is taken from every
   * address: others behind the same one may have failed. One that has ended is no guess: the pages of an office whose
   * sessions end lock nobody out.
   *
   * @throws Problem 401; 403 `csrf` when another site's page may have sent the request; 429 `rate_limited`; 429
   *   `too_many_failures` for a wrong token after too many failures of the address
   */
  async of(request: FastifyRequest & Limited): Promise<Staff> {
    const { authorization, cookie } = request.headers;
    const session = authorization === undefined ? sessionToken(cookie, this.config.overTls) : undefined;
    const token = session ?? bearerToken(authorization);
    if (token === undefined)
      throw new Problem(401, 'token_missing', 'Sign in, or send an API key as a bearer token.');
    const hash = hashToken(token);
    const known = this.seen.get(hash);
    if (known) this.limits.count(hash, request);
    const identify = (turn: string): Promise<Staff> =>
      session === undefined
        ? this.ofKey(token, hash, turn)
        : this.ofSession(session, hash, turn, idleTime(request));
    const staff = await (known
      ? this.again(hash, identify)
      : this.failures.lookUp(request, () => identify(networkOf(request.ip))));
    if (!known) this.limits.count(hash, request);
    this.seen.set(hash, 'right');
    if (session !== undefined && !SAFE_METHODS.has(request.method)) refuseForgery(request, session);
    return staff;
  }

  /** Of a token that was right once. */
  private async again(hash: string, identify: (turn: string) => Promise<Staff>): Promise<Staff> {
    try {
      return await identify(hash);
    } catch (error) {
      if (error instanceof Problem && error.getStatus() === 401) this.seen.set(hash, 'ended');
      throw error;
    }
  }

  private async ofKey(token: string, hash: string, turn: string): Promise<Staff> {
    const admin = this.config.ADMIN_TOKEN;
    if (admin !== undefined && sameSecret(token, admin)) return this.firstAdmin();
    const key = await this.lookups.key(hash, turn);
    if (!key) throw new Problem(401, 'token_unknown', 'Unknown API key.');
    const now = this.clock.now();
    const { _id, name, owner_id, expires_at, last_used_at } = key;
    if (expires_at && expires_at <= now) throw new Problem(401, 'token_expired', 'The API key has expired.');
    const owner = owner_id && (await this.accounts.findById(owner_id));
    if (owner_id && (!owner || owner.disabled))
      throw new Problem(401, 'token_ended', "The API key has ended with its owner's account.");
    if (!last_used_at || now.getTime() - last_used_at.getTime() >= HOUR_MS)
      await this.keys.setLastUsed(_id, now);
    const role = owner ? lowerRole(owner.role, key.role) : key.role;
    return { kind: 'api_key', id: _id.toHexString(), name, role };
  }

  private async firstAdmin(): Promise<Staff> {
    if (!this.config.KEEP_ADMIN_TOKEN && (await this.accounts.adminExists(this.clock.now())))
      throw new Problem(401, 'admin_token_ended', 'ADMIN_TOKEN ended when the first admin got an account.');
    return FIRST_ADMIN;
  }

  private async ofSession(token: string, hash: string, turn: string, idleMs: number): Promise<Staff> {
    const now = this.clock.now();
    const session = await this.lookups.session(hash, turn);
    const account = session && (await this.accounts.findById(session.staff_id));
    if (!account || account.disabled)
      throw new Problem(401, 'not_signed_in', 'The session has ended. Sign in again.');
    const { _id, created_at } = session;
    const endsAt = new Date(created_at.getTime() + SESSION_LIFETIME);
    await this.extend(
      session,
      Math.min(endsAt.getTime(), now.getTime() - idleMs + this.config.SESSION_IDLE_TIMEOUT),
    );
    return {
      kind: 'staff',
      id: account._id.toHexString(),
      name: account.name,
      role: account.role,
      session: {
        id: _id.toHexString(),
        csrf_token: csrfToken(token),
        expires_at: endsAt,
        fresh_until: new Date(created_at.getTime() + FRESH_FOR),
        required: requirementsOf(account, this.config.SECOND_FACTOR),
      },
    };
  }

  /** After activity the session's end is put off, in steps: not every request writes. */
  private async extend({ _id, expires_at }: StaffSession, until: number): Promise<void> {
    const step = this.config.SESSION_IDLE_TIMEOUT / 15;
    if (until - expires_at.getTime() >= step) await this.sessions.extend(_id, new Date(until));
  }
}

const lowerRole = (one: Role, other: Role): Role => (ROLES.indexOf(one) < ROLES.indexOf(other) ? one : other);

/** Live updates say nothing about the person. */
const isStream = ({ headers }: FastifyRequest): boolean => headers.accept === 'text/event-stream';

/** For how long the person has done nothing, as their page says: it loads data by itself, too. Milliseconds. */
function idleTime(request: FastifyRequest): number {
  if (isStream(request)) return Number.POSITIVE_INFINITY;
  const seconds = Number(request.headers['x-idle'] ?? 0);
  return seconds >= 0 ? seconds * 1000 : 0;
}

/** SameSite=Strict keeps the cookie out of other sites' requests; this covers browsers that do not support it. */
function refuseForgery(request: FastifyRequest, token: string): void {
  const sent = request.headers['x-csrf-token'];
  if (typeof sent === 'string' && sameSecret(sent, csrfToken(token))) return;
  throw new Problem(403, 'csrf', 'Send the csrf_token of GET /v1/session as x-csrf-token.');
}
