import { Problem } from '#platform';

/** Where a page ended: its last entry, by what the list is ordered by. */
export interface Position {
  id: string;
  time?: Date;
}

/**
 * The opaque cursors of one list. They carry the list's name, so that one list's cursor is refused by another,
 * and nothing that is not checked when they come back.
 */
export class Cursors {
  private readonly form: RegExp;

  /** @param timed whether the list is ordered by time first. */
  constructor(
    private readonly list: string,
    { timed, idDigits = 24 }: { timed: boolean; idDigits?: number },
  ) {
    this.form = new RegExp(`^${list} ${timed ? '(-?\\d{1,15})' : '()'} ([0-9a-f]{${idDigits}})$`);
  }

  encode({ id, time }: Position): string {
    return Buffer.from(`${this.list} ${time?.getTime() ?? ''} ${id}`).toString('base64url');
  }

  /** @throws Problem 400 `invalid_cursor` */
  decode(cursor: string): Position {
    const text = Buffer.from(cursor, 'base64url').toString('latin1');
    const [, time, id] = this.form.exec(text) ?? [];
    if (id === undefined || Buffer.from(text, 'latin1').toString('base64url') !== cursor) {
      throw Problem.field('cursor', 'invalid_cursor', 'cursor must be a next_cursor of this list');
    }
    return time ? { id, time: new Date(Number(time)) } : { id };
  }
}
