import { type Actor, StaffRepository } from '#persistence';
import { hashToken, Problem } from '#platform';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { catchError, type Observable } from 'rxjs';
import { AuditLog } from './audit-log.js';
import type { Staff } from './staff.js';

/** Hex digits of a key's hash: enough to recognize a key that existed. */
const HASH_DIGITS = 12;

/** Notes refused requests: once per address in some minutes, so that nobody can fill the audit with them. */
@Injectable()
export class Refusals {
  constructor(private readonly log: AuditLog) {}

  /** @param staff who was refused, if known; requests without any credentials are not noted */
  note(request: FastifyRequest, error: unknown, staff?: Staff): void {
    if (!(error instanceof Problem) || ![401, 403].includes(error.getStatus())) return;
    const { authorization } = request.headers;
    if (authorization === undefined && error.code === 'token_missing') return;
    const actor = staff ?? unknownSender(authorization);
    const id = `${request.method} ${request.routeOptions.url}`;
    this.log.note(
      'refusal',
      { ...actor, address: request.ip },
      { action: 'request.refuse', subject: { kind: 'route', id }, details: { code: error.code } },
      JSON.stringify(['refusal', request.ip, staff?.id, staff && id, error.code]),
    );
  }
}

function unknownSender(authorization: string | undefined): Actor {
  if (authorization === undefined) return { kind: 'unknown', id: 'session', name: 'A session' };
  const hash = hashToken(authorization.replace(/^Bearer /i, '')).slice(0, HASH_DIGITS);
  return { kind: 'unknown', id: `key:${hash}`, name: 'Unknown key' };
}

/** A request that may sign in. */
export interface SignIn {
  /** The password is right, and the code is missing: the first half of a right sign-in is no failure. */
  isFirstHalf?: boolean;
}

/** Notes attempts to sign in, and to prove a password, that failed. What was typed is not recorded. */
@Injectable()
export class FailedSignIns implements NestInterceptor {
  constructor(
    private readonly log: AuditLog,
    private readonly accounts: StaffRepository,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest & SignIn & { staff?: Staff }>();
    return next.handle().pipe(
      catchError(async (error: unknown) => {
        if (error instanceof Problem) {
          request.isFirstHalf = error.code === 'second_factor_needed';
          if (!request.isFirstHalf && isFailure(error)) await this.note(request, error);
        }
        throw error;
      }),
    );
  }

  private async note(
    { ip, body, staff }: FastifyRequest & { staff?: Staff },
    { code }: Problem,
  ): Promise<void> {
    const email = (body as { email?: unknown } | undefined)?.email;
    const account =
      typeof email === 'string' ? await this.accounts.findByEmail(email.trim().toLowerCase()) : null;
    const id = staff?.id ?? account?._id.toHexString() ?? 'unknown';
    this.log.note(
      'refusal',
      { kind: 'unknown', id: 'sign-in', name: 'Somebody', address: ip },
      { action: 'session.refuse', subject: { kind: 'staff', id }, details: { code } },
      // each wrong password is recorded; they are limited. Attempts while locked out are not
      code === 'locked_out' ? JSON.stringify([code, ip, id]) : undefined,
    );
  }
}

function isFailure(error: Problem): boolean {
  return [401, 429].includes(error.getStatus()) || error.code.startsWith('wrong_');
}
