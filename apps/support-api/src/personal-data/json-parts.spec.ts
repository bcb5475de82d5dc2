import { jsonOf, type Parts } from './json-parts.js';

async function* list(count: number): AsyncGenerator<object> {
  for (let index = 0; index < count; index += 1) yield { index, text: '"]},\n' };
}

async function written(parts: Parts): Promise<string[]> {
  const chunks: string[] = [];
  for await (const chunk of jsonOf(parts)) chunks.push(chunk);
  return chunks;
}

describe('a JSON object in chunks', () => {
  it('is the object', async () => {
    const at = new Date('2026-03-01T12:00:00Z');
    const chunks = await written({ at, none: list(0), one: list(1), nothing: null, two: list(2) });
    expect(JSON.parse(chunks.join(''))).toEqual({
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

  it('is never held in memory as a whole', async () => {
    const chunks = await written({ many: list(20_000) });
    expect(chunks.length).toBeGreaterThan(5);
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(70_000);
    expect((JSON.parse(chunks.join('')) as { many: object[] }).many).toHaveLength(20_000);
  });

  it('closes a list that is not read to its end', async () => {
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

  it('fails when a list fails', async () => {
    async function* broken(): AsyncGenerator<object> {
      yield {};
      throw new Error('the database is gone');
    }
    await expect(written({ broken: broken() })).rejects.toThrow('the database is gone');
  });
});
