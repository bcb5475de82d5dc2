import { jsonOf, type Parts } from './json-parts.js';

async function* list(count: number): AsyncGenerator<object> {
  for (let index = 0; index < count; index += 1) yield { index, text: '"]},\n' };
}

async function written(parts: Parts): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of jsonOf(parts)) pieces.push(piece);
  return pieces;
}

describe('a JSON object in pieces', () => {
  it('is the object', async () => {
    const at = new Date('2026-03-01T12:00:00Z');
    const pieces = await written({ at, none: list(0), one: list(1), nothing: null, two: list(2) });
    expect(JSON.parse(pieces.join(''))).toEqual({
      at: at.toISOString(),
      none: [],
      one: [{ index: 0, text: '"]},\n' }],
      nothing: null,
      two: [
        { index: 0, text: '"]},\n' },
        { index: 1, text: '"]},\n' },
      ],
    });
  });

  it('is never held whole', async () => {
    const pieces = await written({ many: list(20_000) });
    expect(pieces.length).toBeGreaterThan(5);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(70_000);
    expect((JSON.parse(pieces.join('')) as { many: object[] }).many).toHaveLength(20_000);
  });

  it('lets go of a list that nobody reads to its end', async () => {
    let closed = false;
    async function* watched(): AsyncGenerator<object> {
      try {
        yield* list(100_000);
      } finally {
        closed = true;
      }
    }
    for await (const _ of jsonOf({ many: watched() })) break;
    expect(closed).toBe(true);
  });

  it('ends where a list does', async () => {
    async function* broken(): AsyncGenerator<object> {
      yield {};
      throw new Error('the database is gone');
    }
    await expect(written({ broken: broken() })).rejects.toThrow('the database is gone');
  });
});
