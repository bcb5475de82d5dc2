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
import { firstValueFrom, map, type Observable, of } from 'rxjs';
import { wantsCsv } from './csv.js';
import { MAX_LIMIT, type Page, PageOf } from './paging.js';
import { columnsOf } from './view.js';

type Request = FastifyRequest<{ Querystring: Record<string, unknown> }>;

/** Byte order mark: tells spreadsheets that the file is UTF-8. */
const BOM = '\uFEFF';
const LINE_END = '\r\n';
const CSV_HEADERS = { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': 'attachment' };

/** How the items of a list are written as CSV. */
interface Lines {
  /** Paths into a row, such as `last_action.time`. */
  columns: readonly string[];
  /** The rows of an item; by default it is its own row. */
  rowsOf?: (item: never) => readonly object[];
}

/**
 * A list: one page as JSON, or the whole list as CSV with `?format=csv` or `accept: text/csv`. CSV is read page by
 * page, as fast as the client takes it. If a page fails, the connection is closed, so that nobody takes a part for the
 * whole.
 *
 * @param lines of the CSV, if its columns are not the fields of an item
 */
export function GetList(
  item: Type,
  path?: string,
  lines: Lines = { columns: columnsOf(item) },
): MethodDecorator {
  return applyDecorators(Get(path), AsJsonOrCsv(PageOf(item)), UseInterceptors(new ListAsCsv(lines)));
}

/** A list that is always short: all of it at once, as JSON or as CSV. Its route takes a {@link FormatQuery}. */
export function GetAll<T>(item: Type<T>, path = ''): MethodDecorator {
  return GetTable(PageOf(item), path, { row: item, rowsOf: ({ items }) => items as object[] });
}

/**
 * One object as JSON, or as CSV with `?format=csv` or `accept: text/csv`, with a line for each row.
 *
 * @param row the class of a row, and which rows the object has; by default it is its own row
 */
export function GetTable<T>(
  type: Type<T>,
  path: string,
  { row, rowsOf }: { row: Type; rowsOf: (object: T) => object[] } = {
    row: type,
    rowsOf: (object) => [object as object],
  },
): MethodDecorator {
  const columns = columnsOf(row);
  return applyDecorators(
    Get(path),
    AsJsonOrCsv(type),
    UseInterceptors(
      new TableAsCsv((object) => ({ columns, rows: (rowsOf as (object: unknown) => object[])(object) })),
    ),
  );
}

/** One object as JSON, or as CSV, whose columns depend on the object. */
export function GetTableOf<T>(type: Type<T>, path: string, tableOf: (object: T) => Table): MethodDecorator {
  return applyDecorators(
    Get(path),
    AsJsonOrCsv(type),
    UseInterceptors(new TableAsCsv(tableOf as (object: unknown) => Table)),
  );
}

interface Table {
  /** Paths into a row. */
  columns: readonly string[];
  rows: readonly object[];
}

const AsJsonOrCsv = (type: Type): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(type),
    ApiOkResponse({
      content: {
        'application/json': { schema: { $ref: getSchemaPath(type) } },
        'text/csv': { schema: { type: 'string' } },
      },
    }),
  );

class ListAsCsv implements NestInterceptor {
  constructor(private readonly written: Lines) {}

  async intercept(context: ExecutionContext, next: CallHandler<Page<unknown>>): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const reply = http.getResponse<FastifyReply>().header('vary', 'accept');
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
    void reply.headers(CSV_HEADERS);
    return of(Readable.from(this.lines(first, read)));
  }

  private async *lines(
    first: Page<unknown>,
    read: (cursor: string) => Promise<Page<unknown>>,
  ): AsyncGenerator<string> {
    const { columns, rowsOf = (item: unknown) => [item] } = this.written;
    yield headOf(columns);
    let page = first;
    for (;;) {
      yield page.items
        .flatMap((item) => rowsOf(item as never))
        .map((row) => lineOf(columns, row))
        .join('');
      if (page.next_cursor === undefined) return;
      page = await read(page.next_cursor);
    }
  }
}

class TableAsCsv implements NestInterceptor {
  constructor(private readonly tableOf: (object: unknown) => Table) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const http = context.switchToHttp();
    const reply = http.getResponse<FastifyReply>().header('vary', 'accept');
    if (!wantsCsv(http.getRequest<Request>())) return next.handle();
    return next.handle().pipe(
      map((object) => {
        void reply.headers(CSV_HEADERS);
        const { columns, rows } = this.tableOf(object);
        return headOf(columns) + rows.map((row) => lineOf(columns, row)).join('');
      }),
    );
  }
}

const headOf = (columns: readonly string[]): string => BOM + columns.map(cell).join(',') + LINE_END;

const lineOf = (columns: readonly string[], item: unknown): string =>
  columns.map((path) => cell(valueAt(item, path))).join(',') + LINE_END;

function valueAt(item: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], item);
}

/** A value quoted as in RFC 4180. */
export function cell(value: unknown): string {
  const text = textOf(value);
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string') return escapeFormula(value);
  if (typeof value === 'object') return escapeFormula(JSON.stringify(value));
  return JSON.stringify(value);
}

/** Where a cell may begin: many spreadsheets split at a semicolon or tab, also within quotation marks that they do not know. */
const FORMULA = /(^|[;\t\r\n])(?=(?:'+|[\s"]*)[=+\-@＝＋－＠])/g;

/** A spreadsheet runs text that begins like a formula (OWASP, CSV injection). Numbers are safe. */
function escapeFormula(text: string): string {
  return text.replace(/^(?=[\t\r\n])/, "'").replace(FORMULA, "$1'");
}

/** A text as it was before {@link cell}: the import reads what an export has written. */
export function withoutEscape(text: string): string {
  return text.replace(ESCAPED, '$1');
}

const ESCAPED = /(^|[;\t\r\n])'(?=(?:'+|[\s"]*)[=+\-@＝＋－＠])/g;
