import { EnumField, IntegerField, TextField } from '#platform';
import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 200;

/** A whole number in a query string, where everything is text. */
function QueryIntegerField(options: Parameters<typeof IntegerField>[0]): PropertyDecorator {
  const read = ({ value }: { value: unknown }): unknown =>
    typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  return applyDecorators(Transform(read, { toClassOnly: true }), IntegerField(options));
}

/** What every list takes. */
export class PageQuery {
  @QueryIntegerField({
    optional: true,
    min: 1,
    max: MAX_LIMIT,
    description: `Entries a page; ${DEFAULT_LIMIT} unless given.`,
  })
  limit?: number;

  @TextField({ optional: true, max: 2000, description: 'The `next_cursor` of the page before.' })
  cursor?: string;

  @EnumField(['json', 'csv'], {
    optional: true,
    description: 'json unless given, or unless `accept` asks for text/csv. As CSV it is the whole list.',
  })
  format?: 'json' | 'csv';
}

/** A page of a list; without `next_cursor` it is the last. */
export interface Page<T> {
  items: T[];
  next_cursor?: string;
}

/** The documented form of a page. */
export function PageOf<T>(item: Type<T>): Type<Page<T>> {
  class PageDto implements Page<T> {
    @ApiProperty({ type: [item] })
    items: T[];

    @ApiProperty({
      required: false,
      description: 'Give it as `cursor` for the next page; absent on the last.',
    })
    next_cursor?: string;
  }
  Object.defineProperty(PageDto, 'name', { value: `${item.name.replace(/Dto$/, '')}PageDto` });
  return PageDto;
}

/**
 * Cuts a page out of one entry more than it holds.
 *
 * @param found up to `limit` + 1 entries in the list's order; the last tells whether there is another page.
 * @param cursorOf the cursor of the page's last entry.
 */
export function cutPage<D, T>(
  found: D[],
  limit: number,
  view: (entry: D) => T,
  cursorOf: (last: D) => string,
): Page<T> {
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(view),
    ...(last !== undefined && found.length > limit ? { next_cursor: cursorOf(last) } : {}),
  };
}
