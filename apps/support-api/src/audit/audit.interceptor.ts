import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { mergeMap, type Observable } from 'rxjs';
import type { Staff } from '../auth/staff.js';
import { AuditLog, type Deed } from './audit-log.js';
import { Audited, type AuditRule } from './audited.js';

type Fields = Record<string, unknown>;
type Request = FastifyRequest<{ Params: Record<string, string>; Body: Fields | string | undefined }> & {
  staff: Staff;
};

/** Whoever asks for the head alone comes to the same routes. */
const READING = new Set(['GET', 'HEAD']);

/** Writes down what a route has changed, by its {@link Audited}, before it is answered. */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  constructor(
    private readonly log: AuditLog,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    const rule = this.reflector.get(Audited, context.getHandler());
    // a fault of ours, which the first call of the route shows
    if (rule === undefined && !READING.has(request.method))
      throw new Error(`${context.getHandler().name} is not @Audited`);
    if (!rule) return next.handle();
    return next.handle().pipe(
      mergeMap(async (answer: unknown) => {
        await this.log.record(request.staff, ...deedsOf(rule, request, answer));
        return answer;
      }),
    );
  }
}

function deedsOf(rule: AuditRule, request: Request, answer: unknown): Deed[] {
  const { action, kind } = rule;
  const details = { ...detailsOf(rule, request.body), ...rule.details?.(answer as never) };
  const changed = rule.each?.(answer as never) ?? [
    { id: subjectId(rule, request, answer), also: rule.also?.(answer as never) },
  ];
  return changed.map(({ id, also = [] }) => ({ action, subject: { kind, id }, also, details }));
}

function subjectId({ idIn, ofCaller }: AuditRule, { params, staff }: Request, answer: unknown): string {
  if (ofCaller) return staff.id;
  return String(idIn === undefined ? Object.values(params)[0] : (answer as Fields)[idIn]);
}

function detailsOf({ keep = [] }: AuditRule, body: Request['body']): Fields {
  // of a file nothing is kept
  const given = Object.entries(typeof body === 'object' ? body : {}).filter(
    ([, value]) => value !== undefined,
  );
  const kept = given.filter(([field]) => keep.includes(field));
  const named = given.map(([field]) => field).filter((field) => !keep.includes(field));
  return { ...Object.fromEntries(kept), ...(named.length > 0 ? { fields: named } : {}) };
}
