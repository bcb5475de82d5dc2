import { BOTTLE_STATUSES } from '#persistence';
import { isWasteful, queryCosts } from '../../tools/harness/query-costs.js';
import { setState } from './fixtures.js';
import { Support } from './support.js';

describe('find', () => {
  let support: Support;

  interface Known {
    id: string;
    user_id: string;
    medication: string;
    status: string;
  }

  const bottles: Known[] = [];
  const USERS = ['anna-schmidt', 'Anna.Banana', 'bob', 'ANNABELL', 'münch', '=1+1', '<b>x</b>', 'xxabcxx'];
  const MEDICATIONS = ['Metformin 500 mg', 'Banana drops', 'metformin 850 mg', 'Levothyroxine 50 µg', 'abc'];

  beforeAll(async () => {
    support = await Support.start('find');
    for (let index = 0; index < 48; index += 1) {
      const user_id = USERS[index % USERS.length]!;
      const medication = MEDICATIONS[index % MEDICATIONS.length]!;
      const { id } = await support.register({ user_id, medication });
      const status = (['unknown', 'open', 'ok'] as const)[index % 3]!;
      if (status !== 'unknown')
        await support.database.db
          .collection('bottle_states')
          .updateMany({ user_id, medication, quiet: 'never_heard' }, { $unset: { quiet: '' } });
      if (status === 'open') await setState(support, id, { open: true });
      bottles.push({ id, user_id, medication, status });
    }
  });
  afterAll(() => support?.stop());

  const fold = (text: string) => text.normalize('NFKC').toLowerCase();
  const has = ({ id, user_id, medication }: Known, part: string) =>
    [id, user_id, medication].some((text) => fold(text).includes(fold(part)));
  const path = (query: Record<string, string>) => `/v1/bottles?${new URLSearchParams(query).toString()}`;
  const found = async (query: Record<string, string>, limit: number) =>
    (await support.pages(path(query), limit)).items.map(({ bottle_id }: { bottle_id: string }) => bottle_id);

  const PARTS = [
    'an',
    'ANNA',
    'nn',
    'a',
    'banana',
    'metformin',
    '50',
    'µg',
    'mün',
    '=1',
    '<b>',
    'abc',
    ' ',
    'zzz',
    '-',
  ];

  it.each(PARTS)('finds every bottle with “%s” once, whatever the page size', async (part) => {
    const expected =
      part.trim() === '' ? [] : bottles.filter((bottle) => has(bottle, part)).map(({ id }) => id);
    if (part.trim() === '') {
      expect((await support.get(path({ q: part }))).status).toBe(400);
      return;
    }
    for (const limit of [1, 7, 200]) {
      const ids = await found({ q: part }, limit);
      expect([...ids].sort()).toEqual([...expected].sort());
    }
  });

  it('finds the bottle of a part of an id first', async () => {
    const { id } = bottles[20]!;
    expect(await found({ q: id }, 10)).toEqual([id]);
    expect((await found({ q: id.slice(-6).toUpperCase() }, 10))[0]).toBe(id);
  });

  it.each(BOTTLE_STATUSES)(
    'goes with the status %s, and with an exact owner and medication',
    async (status) => {
      for (const part of ['an', 'metformin']) {
        const all = (await support.pages(path({ q: part }), 200)).items as (Known & { bottle_id: string })[];
        const expected = all.filter((bottle) => bottle.status === status).map(({ bottle_id }) => bottle_id);
        expect([...(await found({ q: part, status }, 2))].sort()).toEqual([...expected].sort());
        const medication = 'Metformin 500 mg';
        expect((await found({ q: part, status, medication }, 3)).sort()).toEqual(
          all
            .filter((bottle) => bottle.status === status && bottle.medication === medication)
            .map(({ bottle_id }) => bottle_id)
            .sort(),
        );
      }
    },
  );

  it('follows a bottle to another user and medication, and forgets an erased one', async () => {
    const { id } = await support.register({ user_id: 'before-her', medication: 'Firstpill' });
    await support.call('patch', `/v1/bottles/${id}`, { user_id: 'after-him', medication: 'Secondpill' });
    expect(await found({ q: 'after-h' }, 5)).toEqual([id]);
    expect(await found({ q: 'condpi' }, 5)).toEqual([id]);
    expect(await found({ q: 'before-h' }, 5)).toEqual([]);
    expect(await found({ q: 'irstpi' }, 5)).toEqual([]);
    await support.call('delete', `/v1/bottles/${id}`);
    expect(await found({ q: 'after-h' }, 5)).toEqual([]);
  });

  it('finds all of many bottles that are registered at once with a new medication', async () => {
    for (const medication of ['Fourthpill', 'Fifthpill']) {
      const made = Array.from({ length: 40 }, () => support.register({ user_id: 'together', medication }));
      const ids = (await Promise.all(made)).map(({ id }) => id);
      expect((await found({ q: medication.slice(1) }, 50)).sort()).toEqual(ids.sort());
    }
  });

  it.each([
    Buffer.from('["found","id"]').toString('base64url'),
    Buffer.from('["found","id",{"$gt":""}]').toString('base64url'),
    Buffer.from('["found","medication","a","b"]').toString('base64url'),
    Buffer.from('["found","id","a","000000000000000000000000"]').toString('base64url'),
    Buffer.from('null').toString('base64url'),
    'AAAA',
  ])('refuses the cursor %s', async (cursor) => {
    expect(await support.get(path({ q: 'a', cursor }))).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'cursor', code: 'invalid_cursor' }] },
    });
  });

  describe('among many', () => {
    const COUNT = 1_500;
    let needle: string;

    beforeAll(async () => {
      const lines = Array.from({ length: COUNT }, (_, index) => `crowd-${index},Crowdpill,Europe/Berlin`);
      const { body } = await support.importCsv(['user_id,medication,time_zone', ...lines].join('\n'));
      // the last of the matches by user id
      needle = body.created[999].bottle_id;
      await setState(support, needle, { late: true });
      await support.database.db
        .collection('bottle_states')
        .updateMany({ medication: 'Crowdpill' }, { $unset: { quiet: '' } });
    });

    it('one request examines a thousand and says that more follow', async () => {
      const first = (await support.get(path({ q: 'crowd-', status: 'late' }))).body;
      expect(first.items).toEqual([]);
      expect(first.next_cursor).toBeDefined();
      expect(await found({ q: 'crowd-', status: 'late' }, 50)).toEqual([needle]);
      expect(await found({ q: 'rowdpil', status: 'late' }, 50)).toEqual([needle]);
      expect(await found({ q: 'crowd-' }, 200)).toHaveLength(COUNT);
    });

    it.each<Record<string, string>>([
      { q: 'crowd-1' },
      { q: 'rowdpill' },
      { q: 'rowdpill', status: 'late' },
      { q: 'crowd', status: 'late' },
      { status: 'ok' },
      { status: 'late' },
      { medication: 'Crowdpill' },
      { medication: 'Crowdpill', status: 'late' },
      { user_id: 'crowd-7' },
      {},
    ])('no query of %j examines more than twice what it returns', async (query) => {
      for (const limit of [20, 200]) {
        const queries = await queryCosts(support.database.db, async () => {
          const { next_cursor } = (await support.get(`${path(query)}&limit=${limit}`)).body;
          if (next_cursor) await support.get(`${path(query)}&limit=${limit}&cursor=${next_cursor}`);
        });
        expect(queries.length).toBeGreaterThan(0);
        expect(queries.filter(isWasteful)).toEqual([]);
      }
    });
  });
});
