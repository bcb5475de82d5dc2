import { Types } from 'mongoose';
import { type ByTime, Cursors, readPage } from './paging.js';

describe('a page whose last record is damaged', () => {
  interface Entry {
    _id: Types.ObjectId;
    at: unknown;
  }
  const cursors = new Cursors<ByTime>('entries', { timed: true });
  const good = { _id: new Types.ObjectId(), at: new Date(5) };
  const page = (found: Entry[]): ReturnType<typeof readPage> =>
    readPage<Entry, ByTime, unknown>(
      { limit: 2 },
      {
        cursors,
        find: async () => found,
        positionOf: ({ _id: id, at: time }) => ({ id, time: time as Date }),
        show: (entries) => entries.map(({ _id }) => _id),
      },
    );

  it.each([['text'], [undefined], [null], [{}]])('continues after the last that is not: %p', async (at) => {
    const bad = { _id: new Types.ObjectId(), at };
    const { next_cursor } = await page([good, bad, bad]);
    expect(cursors.decode(next_cursor!)).toEqual({ id: good._id, time: good.at });
  });

  it('ends the list when no record of it has a position', async () => {
    const bad = { _id: new Types.ObjectId(), at: 'text' };
    expect(await page([bad, bad, bad])).not.toHaveProperty('next_cursor');
  });
});
