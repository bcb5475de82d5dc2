import { Problem } from '#platform';
import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Get,
  type NestInterceptor,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { firstValueFrom, type Observable, of } from 'rxjs';
import { wantsCsv } from './csv.js';
import { MAX_LIMIT, type Page, PageOf } from './paging.js';
import { columnsOf } from './view.js';

type Request = FastifyRequest<{ Querystring: Record<string, unknown> }>;

/** Byte order mark: tells spreadsheets that the file is UTF-8. */
const BOM = '\uFEFF';
const LINE_END = '\r\n';

/**
 * A list: one page as JSON, or the whole list as CSV with `?format=csv` or `accept: text/csv`. CSV is read page by
 * page, as fast as the client takes it. If a page fails, the connection is closed, so that nobody takes a part for the
 * whole.
 *
 * @param columns of the CSV, if they are not the fields of an item; paths such as `last_action.time`
 */
export function GetList(
  item: Type,
  path?: string,
  columns: readonly string[] = columnsOf(item),
): MethodDecorator {
  const page = PageOf(item);
  return applyDecorators(
    Get(path),
    ApiExtraModels(page),
    ApiOkResponse({
      content: {
        'application/json': { schema: { $ref: getSchemaPath(page) } },
        'text/csv': { schema: { type: 'string' } },
      },
    }),
    UseInterceptors(new CsvInterceptor(columns)),
  );
}

class CsvInterceptor implements NestInterceptor {
  constructor(private readonly columns: readonly string[]) {}

  async intercept(context: ExecutionContext, next: CallHandler<Page<unknown>>): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (!wantsCsv(request)) return next.handle();
    for (const field of ['limit', 'cursor']) {
      if (request.query[field] !== undefined) {
        throw Problem.field(
          field,
          'forbidden_field',
          `${field} is for JSON only; CSV contains the whole list`,
        );
      }
    }
    const { query } = request;
    // calls the route's own handler, with its validation, once per page
    const read = (cursor?: string): Promise<Page<unknown>> => {
      request.query = { ...query, limit: String(MAX_LIMIT), ...(cursor === undefined ? {} : { cursor }) };
      return firstValueFrom(next.handle());
    };
    // the first page is read before the response starts, so that a bad request gets its usual answer
    const first = await read();
    void http.getResponse<FastifyReply>().headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment',
    });
    return of(Readable.from(this.lines(first, read)));
  }

  private async *lines(
    first: Page<unknown>,
    read: (cursor: string) => Promise<Page<unknown>>,
  ): AsyncGenerator<string> {
    yield BOM + this.columns.map(cell).join(',') + LINE_END;
    let page = first;
    for (;;) {
      yield page.items.map((item) => this.line(item)).join('');
      if (page.next_cursor === undefined) return;
      page = await read(page.next_cursor);
    }
  }

  private line(item: unknown): string {
    return this.columns.map((path) => cell(valueAt(item, path))).join(',') + LINE_END;
  }
}

function valueAt(item: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], item);
}

/** A value quoted as in RFC 4180. */
export function cell(value: unknown): string {
  const text = textOf(value);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string') return escapeFormula(value);
  return JSON.stringify(value);
}

/** A spreadsheet runs text that begins like a formula (OWASP, CSV injection). Numbers are safe. */
function escapeFormula(text: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
}
