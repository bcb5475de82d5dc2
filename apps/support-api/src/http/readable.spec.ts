import { Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import { Types } from 'mongoose';
import { showReadable } from './readable.js';

describe('a list with a damaged record', () => {
  afterEach(() => jest.restoreAllMocks());

  it('names the record in the log, and nothing of what it contains', async () => {
    const lines: unknown[] = [];
    jest.spyOn(Logger.prototype, 'error').mockImplementation((line) => void lines.push(line));
    const [good, bad] = [new Types.ObjectId(), new Types.ObjectId('6740000000000000000000aa')];
    const entries = [
      { _id: good, user_id: 'ann@users' },
      { _id: bad, user_id: 'bob@users' },
    ];
    const show = (some: typeof entries): string[] =>
      some.map(({ _id, user_id }) => {
        if (_id === bad) throw new TypeError(`${user_id} is no user`);
        return user_id;
      });
    expect(await showReadable(entries, show, 'alerts')).toEqual({ shown: ['ann@users'], unreadable: 1 });
    expect(lines).toEqual(['left out of the list alerts: the record 6740000000000000000000aa (TypeError)']);
  });
});
