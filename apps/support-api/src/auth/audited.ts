import { type Subject, subjectKey, type SubjectKind } from '#persistence';
import {
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mergeMap, type Observable } from 'rxjs';
import { wantsCsv } from '../http/csv.js';
import { REPLAYED } from '../http/creates.js';
import { AuditLog, type AuditRecord } from './audit-log.js';
import type { Staff } from './staff.js';

/** What the audit log records of a route. */
export interface AuditRule {
  /** Such as `alert.acknowledge`. */
  action: string;
  kind: SubjectKind;
  /** The subject's id. Default: the id in the path. */
  id?: string;
  /** The field of the response that contains the subject's id. */
  idIn?: string;
  /** The subject is the caller's own account. */
  ofCaller?: true;
  /** Fields of the body or query whose values are recorded: only harmless ones. Of the others, the names are. */
  keep?: readonly string[];
  /** Other subjects that the action concerns, from the response. */
  also?: (response: never) => Subject[];
  /** For a list that is narrowed by one of these parameters: whom the response shows. */
  shows?: { by: readonly string[]; in: (response: never) => Subject[] };
  /** For a request that changes several subjects: those that changed, one entry each, from the response. */
  each?: (response: never) => { id: string; also?: Subject[]; details?: Fields }[];
  /** The route only reads, although its method is not GET. */
  reads?: true;
  /** Of a GET: it gives everything away at once, so it is recorded before the response is sent. */
  export?: true;
}

/** What the audit log records of a route, or of every GET route of a controller. Every route has it. */
export const Audited = Reflector.createDecorator<AuditRule | null>();

/** For a route whose service writes its own audit entry, at the right moment. */
export const AuditsItself = (): MethodDecorator => Audited(null);

/** For a route that only reads, and nothing about single patients. */
export const NoPatientData = (): MethodDecorator & ClassDecorator => Audited(null);

/** The bottle of an alert or a delivery: its page shows the actions on them, too. */
export const itsBottle = ({ bottle_id }: { bottle_id: string }): Subject[] => [
  { kind: 'bottle', id: bottle_id },
];

/** The bottle that an item of a list is about, and its owner. */
export const bottleAndOwner = ({
  bottle_id,
  user_id,
}: {
  bottle_id: string;
  user_id: string | null;
}): Subject[] => [
  ...itsBottle({ bottle_id }),
  ...(user_id === null ? [] : [{ kind: 'contact', id: user_id } as const]),
];

type Fields = Record<string, unknown>;
type Request = FastifyRequest<{
  Params: Record<string, string>;
  Querystring: Fields;
  Body: Fields | string | undefined;
}> & { staff: Staff; changed?: readonly string[] };

/**
 * For a route that replaces a whole: takes the names of the fields that it has changed, which are recorded in place of
 * those that the request contained.
 */
export const Changes = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<Request>();
  return (fields: readonly string[]): void => void (request.changed = fields);
});
export type TakesChanges = (fields: readonly string[]) => void;

/** HEAD requests come to the same routes as GET. */
const READING = new Set(['GET', 'HEAD']);

/**
 * Records by its {@link Audited} what a route has changed or exported, before the response is sent; and what it has
 * shown, soon afterwards.
 */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  constructor(
    private readonly log: AuditLog,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const reads = READING.has(request.method);
    const rule = this.reflector.getAllAndOverride(Audited, [
      context.getHandler(),
      ...(reads ? [context.getClass()] : []),
    ]);
    // a programming error, which the first call of the route reveals
    if (rule === undefined) throw new Error(`${context.getHandler().name} is not @Audited`);
    if (!rule) return next.handle();
    return next.handle().pipe(
      mergeMap(async (response: unknown) => {
        const { staff } = request;
        const isReplayed = http.getResponse<FastifyReply>().hasHeader(REPLAYED);
        if (!reads && !rule.reads)
          await this.log.record(staff, ...recordsOf(rule, request, response, isReplayed));
        else if (rule.export || wantsCsv(request))
          await this.log.recordExport(staff, readOf(rule, request, response));
        else this.log.noteRead(staff, readOf(rule, request, response));
        return response;
      }),
    );
  }
}

/** @param isReplayed the change was made before: its response, with what it contains, was given away once more */
function recordsOf(rule: AuditRule, request: Request, response: unknown, isReplayed: boolean): AuditRecord[] {
  const { action, kind } = rule;
  // nothing of an uploaded file is recorded
  const given = { ...request.query, ...(typeof request.body === 'object' && request.body) };
  const { changed } = request;
  const fields = changed ? { fields: changed } : detailsOf(rule, given);
  const details = { ...fields, ...(isReplayed && { replayed: true }) };
  if (!rule.each) {
    const subject = { kind, id: subjectId(rule, request, response) };
    return [{ action, subject, also: rule.also?.(response as never) ?? [], details }];
  }
  return rule.each(response as never).map(({ id, also = [], details: own }) => ({
    action,
    subject: { kind, id },
    also,
    details: { ...details, ...own },
  }));
}

/** Parts of a query that say nothing about what is read. */
const PAGING = new Set(['limit', 'cursor', 'format', 'order', 'sort']);

function readOf(rule: AuditRule, request: Request, response: unknown): AuditRecord {
  const query = Object.fromEntries(Object.entries(request.query).filter(([name]) => !PAGING.has(name)));
  const isEmpty = (response as { items?: unknown[] } | undefined)?.items?.length === 0;
  return {
    action: wantsCsv(request) ? `${rule.action.split('.')[0]}.download` : rule.action,
    subject: { kind: rule.kind, id: subjectId(rule, request, response) },
    also: [
      ...(rule.also?.(response as never) ?? []),
      ...soughtIn(query, isEmpty),
      ...shownIn(rule, request, query, response),
    ],
    // what leads to nothing may be anything, also somebody's name
    details: detailsOf(isEmpty ? { ...rule, keep: [] } : rule, query),
  };
}

/** Whom a list was read for. A user id that leads to nothing may be nobody's. */
function soughtIn({ user_id, bottle_id }: Fields, isEmpty: boolean): Subject[] {
  return [
    ...(typeof user_id === 'string' && !isEmpty ? [{ kind: 'contact', id: user_id } as const] : []),
    ...(typeof bottle_id === 'string' ? [{ kind: 'bottle', id: bottle_id } as const] : []),
  ];
}

/** Whom a search has shown: what was typed is not recorded, so nothing else would say it. */
function shownIn({ shows }: AuditRule, request: Request, query: Fields, response: unknown): Subject[] {
  if (!shows?.by.some((name) => query[name] !== undefined) || wantsCsv(request)) return [];
  const subjects = shows.in(response as never);
  return [...new Map(subjects.map((subject) => [subjectKey(subject), subject])).values()];
}

function subjectId({ id, idIn, ofCaller }: AuditRule, { params, staff }: Request, response: unknown): string {
  if (ofCaller) return staff.id;
  return id ?? String(idIn === undefined ? Object.values(params)[0] : (response as Fields)[idIn]);
}

function detailsOf({ keep = [] }: AuditRule, fields: Fields): Fields {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const kept = given.filter(([field]) => keep.includes(field));
  const others = given.map(([field]) => field).filter((field) => !keep.includes(field));
  return { ...Object.fromEntries(kept), ...(others.length > 0 ? { fields: others } : {}) };
}
