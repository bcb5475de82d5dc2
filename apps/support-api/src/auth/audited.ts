import { type Actor, AuditRepository, type Subject, type SubjectKind, subjectKey } from '#persistence';
import { Clock } from '#platform';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { Types } from 'mongoose';
import { mergeMap, type Observable } from 'rxjs';
import type { Staff } from './staff.js';

/** What the audit log records of a route. */
export interface AuditRule {
  /** Such as `alert.acknowledge`. */
  action: string;
  kind: SubjectKind;
  /** The field of the response that contains the subject's id. Default: the id in the path. */
  idIn?: string;
  /** The subject is the caller's own account. */
  ofCaller?: true;
  /** Fields of the body whose values are recorded: only harmless ones. Of the others, the names are recorded. */
  keep?: readonly string[];
  /** Other subjects that the action concerns, from the response. */
  also?: (response: never) => Subject[];
  /** For a request that changes several subjects: those that changed, one entry each, from the response. */
  each?: (response: never) => { id: string; also?: Subject[] }[];
}

/** What the audit log records of a route. Every route that changes something has it: see AuditInterceptor. */
export const Audited = Reflector.createDecorator<AuditRule | null>();

/** For a route that only reads, although its method is not GET. */
export const ChangesNothing = (): MethodDecorator => Audited(null);

/** For a route whose service writes its own audit entry, at the right moment. */
export const AuditsItself = (): MethodDecorator => Audited(null);

/** The bottle of an alert or a delivery: its page shows the actions on them, too. */
export const itsBottle = ({ bottle_id }: { bottle_id: string }): Subject[] => [
  { kind: 'bottle', id: bottle_id },
];

/** An action to record. */
export interface AuditRecord {
  action: string;
  subject: Subject;
  /** Other subjects that it concerns. */
  also?: Subject[];
  /** No secrets, no patient data. */
  details?: Record<string, unknown>;
}

/** Who did what. A change is answered only after it has been recorded here. */
@Injectable()
export class AuditLog {
  constructor(
    private readonly entries: AuditRepository,
    private readonly clock: Clock,
  ) {}

  async record({ kind, id, name }: Actor, ...records: AuditRecord[]): Promise<void> {
    const at = this.clock.now();
    await this.entries.insertMany(
      records.map(({ action, subject, also = [], details = {} }) => ({
        _id: new Types.ObjectId(),
        at,
        who: { kind, id, name },
        action,
        subject,
        about: [...new Set([subject, ...also].map(subjectKey))],
        details,
      })),
    );
  }
}

type Fields = Record<string, unknown>;
type Request = FastifyRequest<{ Params: Record<string, string>; Body: Fields | string | undefined }> & {
  staff: Staff;
};

/** HEAD requests come to the same routes as GET. */
const READING = new Set(['GET', 'HEAD']);

/** Records what a route has changed, by its {@link Audited}, before the response is sent. */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  constructor(
    private readonly log: AuditLog,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    const rule = this.reflector.get(Audited, context.getHandler());
    // a programming error, which the first call of the route reveals
    if (rule === undefined && !READING.has(request.method))
      throw new Error(`${context.getHandler().name} is not @Audited`);
    if (!rule) return next.handle();
    return next.handle().pipe(
      mergeMap(async (response: unknown) => {
        await this.log.record(request.staff, ...recordsOf(rule, request, response));
        return response;
      }),
    );
  }
}

function recordsOf(rule: AuditRule, request: Request, response: unknown): AuditRecord[] {
  const { action, kind } = rule;
  const details = detailsOf(rule, request.body);
  const changed = rule.each?.(response as never) ?? [
    { id: subjectId(rule, request, response), also: rule.also?.(response as never) },
  ];
  return changed.map(({ id, also = [] }) => ({ action, subject: { kind, id }, also, details }));
}

function subjectId({ idIn, ofCaller }: AuditRule, { params, staff }: Request, response: unknown): string {
  if (ofCaller) return staff.id;
  return String(idIn === undefined ? Object.values(params)[0] : (response as Fields)[idIn]);
}

function detailsOf({ keep = [] }: AuditRule, body: Request['body']): Fields {
  // nothing of an uploaded file is recorded
  const given = Object.entries(typeof body === 'object' ? body : {}).filter(
    ([, value]) => value !== undefined,
  );
  const kept = given.filter(([field]) => keep.includes(field));
  const named = given.map(([field]) => field).filter((field) => !keep.includes(field));
  return { ...Object.fromEntries(kept), ...(named.length > 0 ? { fields: named } : {}) };
}
