import { EnumField, IntegerField, Problem, TextField } from '#platform';
import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Types } from 'mongoose';
import { showReadable } from './readable.js';

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 200;

/** A whole number in a query string, where everything is text. */
function QueryIntegerField(options: Parameters<typeof IntegerField>[0]): PropertyDecorator {
  const read = ({ value }: { value: unknown }): unknown =>
    typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  return applyDecorators(Transform(read, { toClassOnly: true }), IntegerField(options));
}

/** The parameter of everything that can be read as CSV. */
export class FormatQuery {
  @EnumField(['json', 'csv'], {
    optional: true,
    description: 'Default: json, or csv if `accept` asks for text/csv. CSV of a list contains all of it.',
  })
  format?: 'json' | 'csv';
}

/** The parameters of every list. */
export class PageQuery extends FormatQuery {
  @QueryIntegerField({
    optional: true,
    min: 1,
    max: MAX_LIMIT,
    description: `Entries per page. Default: ${DEFAULT_LIMIT}.`,
  })
  limit?: number;

  @TextField({ optional: true, max: 2000, description: 'The `next_cursor` of the previous page.' })
  cursor?: string;
}

/** A page of a list. The last page has no `next_cursor`. */
export interface Page<T> {
  items: T[];
  next_cursor?: string;
  unreadable?: number;
}

/** The documented form of a page. */
export function PageOf<T>(item: Type<T>): Type<Page<T>> {
  class PageDto implements Page<T> {
    @ApiProperty({ type: [item] })
    items: T[];

    @ApiProperty({
      required: false,
      description: 'Send it as `cursor` to get the next page. Absent on the last page.',
    })
    next_cursor?: string;

    @ApiProperty({
      required: false,
      description: 'How many entries of this page are left out because their records are damaged.',
    })
    unreadable?: number;
  }
  Object.defineProperty(PageDto, 'name', { value: `${item.name.replace(/Dto$/, '')}PageDto` });
  return PageDto;
}

/** The position of an entry in a list ordered by id. */
export interface ById<Id = Types.ObjectId> {
  id: Id;
}

/** The position of an entry in a list ordered by time, then id. */
export interface ByTime<Id = Types.ObjectId> extends ById<Id> {
  time: Date;
}

type Position = ById<Types.ObjectId | string> & { time?: Date; group?: string };

/**
 * The opaque cursors of one list: the position of the last entry of a page. A cursor contains the name of its list,
 * so another list refuses it, and every part is validated when it comes back.
 *
 * @typeParam P the position; an id of 24 hex digits is an ObjectId, a longer one is text.
 */
export class Cursors<P extends Position> {
  private readonly form: RegExp;

  /**
   * @param timed whether the list is ordered by time.
   * @param groups the parts by which the list is ordered before the time.
   */
  constructor(
    readonly list: string,
    { timed, idDigits = 24, groups }: { timed: boolean; idDigits?: number; groups?: readonly string[] },
  ) {
    const group = groups ? `(?<group>${groups.join('|')}) ` : '';
    const time = timed ? '(?<time>-?\\d{1,15})' : '';
    this.form = new RegExp(`^${list} ${group}${time} (?<id>[0-9a-f]{${idDigits}})$`);
  }

  encode(position: P): string {
    return Buffer.from(this.text(position)).toString('base64url');
  }

  /** Whether a position is one of this list: what a damaged record has for its time or id may be none. */
  holds(position: P): boolean {
    return this.form.test(this.text(position));
  }

  private text({ id, time, group }: P): string {
    const at = time instanceof Date ? time.getTime() : '';
    return [this.list, ...(group === undefined ? [] : [group]), at, String(id)].join(' ');
  }

  /** @throws Problem 400 `invalid_cursor` */
  decode(cursor: string): P {
    const text = Buffer.from(cursor, 'base64url').toString('latin1');
    const { group, time, id } = this.form.exec(text)?.groups ?? {};
    if (id === undefined || Buffer.from(text, 'latin1').toString('base64url') !== cursor)
      throw invalidCursor();
    return {
      id: id.length === 24 ? new Types.ObjectId(id) : id,
      ...(time && { time: new Date(Number(time)) }),
      ...(group && { group }),
    } as P;
  }
}

export function invalidCursor(): Problem {
  return Problem.field('cursor', 'invalid_cursor', 'cursor must be a next_cursor of this list');
}

/** How a list is read. */
interface List<D, P extends Position, T> {
  cursors: Cursors<P>;
  /** Reads up to `limit` entries that follow a position, in the order of the list. */
  find: (after: P | undefined, limit: number) => Promise<D[]>;
  positionOf: (entry: D) => P;
  /** The entries as they are sent. */
  show: (entries: D[]) => T[] | Promise<T[]>;
}

/**
 * Reads a page. One entry more than the page holds is read: it shows whether another page follows. The next one begins
 * after the last entry that has a position.
 */
export async function readPage<D, P extends Position, T>(
  { cursor, limit = DEFAULT_LIMIT }: PageQuery,
  { cursors, find, positionOf, show }: List<D, P, T>,
): Promise<Page<T>> {
  const found = await find(cursor === undefined ? undefined : cursors.decode(cursor), limit + 1);
  const entries = found.slice(0, limit);
  const last = found.length > limit ? entries.map(positionOf).findLast((at) => cursors.holds(at)) : undefined;
  const { shown, unreadable } = await showReadable(entries, show, cursors.list);
  return {
    items: shown,
    ...(unreadable > 0 && { unreadable }),
    ...(last !== undefined && { next_cursor: cursors.encode(last) }),
  };
}
