import { DAY_MS } from '#domain';
import { type IdempotentRequest, IdempotentRequestsRepository } from '#persistence';
import { bearerToken, Clock, Problem, seal, unseal } from '#platform';
import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiCreatedResponse, ApiHeader } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHmac, hkdfSync } from 'node:crypto';
import { firstValueFrom, from, type Observable, tap } from 'rxjs';
import { sessionToken } from '../auth/session-cookie.js';
import { SupportApiConfig } from '../config.js';

const KEPT_MS = DAY_MS;
const KEY = /^[\x21-\x7e]{1,255}$/;
const LOCATION = 'location';
/** The header of a response that was sent before. */
export const REPLAYED = 'idempotency-replayed';

type Location = (made: never) => string;

/**
 * For a route that makes something. With an `Idempotency-Key` a request is carried out once: for 24 hours the same
 * request with the same key, by the same session or API key, gets the first response again.
 */
export const OncePerKey = (): MethodDecorator =>
  applyDecorators(
    UseInterceptors(CreatingInterceptor),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Any text of yours, new for each thing to make, the same in each retry. Kept for 24 hours.',
      schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
    }),
  );

/**
 * {@link OncePerKey}, with the response 201.
 *
 * @param location the path of what was made, if it can be read there
 */
export const Creates = (type: Type, location?: Location): MethodDecorator =>
  applyDecorators(
    OncePerKey(),
    SetMetadata(LOCATION, location),
    ApiCreatedResponse({
      type,
      ...(location && {
        headers: { Location: { description: 'The path of what was made.', schema: { type: 'string' } } },
      }),
    }),
  );

@Injectable()
class CreatingInterceptor implements NestInterceptor {
  constructor(
    private readonly requests: IdempotentRequestsRepository,
    private readonly clock: Clock,
    private readonly reflector: Reflector,
    private readonly config: SupportApiConfig,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const http = context.switchToHttp();
    const [request, reply] = [http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()];
    const location = this.reflector.get<Location | undefined>(LOCATION, context.getHandler());
    const key = request.headers['idempotency-key'];
    const made = key === undefined ? next.handle() : from(this.once(String(key), request, reply, next));
    return made.pipe(
      tap((response) => {
        if (location) void reply.header('location', location(response as never));
      }),
    );
  }

  private async once(
    key: string,
    request: FastifyRequest,
    reply: FastifyReply,
    next: CallHandler<unknown>,
  ): Promise<unknown> {
    if (!KEY.test(key)) {
      throw Problem.field(
        'Idempotency-Key',
        'invalid_idempotency_key',
        'Idempotency-Key must be 1 to 255 visible ASCII characters',
      );
    }
    const { id, secret } = derive(key, credentialOf(request, this.config.overTls));
    const expires_at = new Date(this.clock.now().getTime() + KEPT_MS);
    const record = { _id: id, request_hash: hashOf(request, secret), expires_at };
    let response: unknown;
    const isFirst =
      !(await this.requests.find(id)) &&
      (await this.requests.carryOut(record, async () => {
        response = await firstValueFrom(next.handle());
        return seal(secret, id, Buffer.from(JSON.stringify(response)));
      }));
    if (isFirst) return response;
    void reply.header(REPLAYED, 'true');
    return replay((await this.requests.find(id))!, record.request_hash, secret);
  }
}

function replay(stored: IdempotentRequest, requestHash: string, secret: Buffer): unknown {
  if (stored.request_hash === requestHash)
    return JSON.parse(unseal(secret, stored._id, stored.response!)!.toString());
  throw new Problem(
    422,
    'idempotency_key_reused',
    'This Idempotency-Key was sent with another request. Use a new one for each thing to make.',
  );
}

function credentialOf({ headers }: FastifyRequest, overTls: boolean): string {
  return bearerToken(headers.authorization) ?? sessionToken(headers.cookie, overTls)!;
}

/** Only who has the credential and the key can read what is stored. */
function derive(key: string, credential: string): { id: string; secret: Buffer } {
  const bytes = Buffer.from(hkdfSync('sha256', credential, key, 'pillwatch idempotent request', 64));
  return { id: bytes.subarray(0, 32).toString('hex'), secret: bytes.subarray(32) };
}

function hashOf({ method, url, body }: FastifyRequest, secret: Buffer): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify([method, url, body ?? null]))
    .digest('hex');
}
