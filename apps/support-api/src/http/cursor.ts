import { Problem } from '#platform';

/** Where a page ended: its last entry, by what the list is ordered by. */
export interface Position {
  id: string;
  time?: Date;
  /** What the list is ordered by before the time. */
  group?: string;
}

/**
 * The opaque cursors of one list. They carry the list's name, so that one list's cursor is refused by another,
 * and nothing that is not checked when they come back.
 */
export class Cursors {
  private readonly form: RegExp;

  /**
   * @param timed whether the list is ordered by time.
   * @param groups in which the list is ordered, each by time: words.
   */
  constructor(
    private readonly list: string,
    { timed, idDigits = 24, groups }: { timed: boolean; idDigits?: number; groups?: readonly string[] },
  ) {
    const group = groups ? `(?<group>${groups.join('|')}) ` : '';
    const time = timed ? '(?<time>-?\\d{1,15})' : '';
    this.form = new RegExp(`^${list} ${group}${time} (?<id>[0-9a-f]{${idDigits}})$`);
  }

  encode({ id, time, group }: Position): string {
    const words = [this.list, ...(group === undefined ? [] : [group]), time?.getTime() ?? '', id];
    return Buffer.from(words.join(' ')).toString('base64url');
  }

  /** @throws Problem 400 `invalid_cursor` */
  decode(cursor: string): Position {
    const text = Buffer.from(cursor, 'base64url').toString('latin1');
    const { group, time, id } = this.form.exec(text)?.groups ?? {};
    if (id === undefined || Buffer.from(text, 'latin1').toString('base64url') !== cursor) {
      throw Problem.field('cursor', 'invalid_cursor', 'cursor must be a next_cursor of this list');
    }
    return { id, ...(time ? { time: new Date(Number(time)) } : {}), ...(group ? { group } : {}) };
  }
}
