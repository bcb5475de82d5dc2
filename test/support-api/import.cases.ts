import { Types } from 'mongoose';
import { NOW, Support } from './support.js';

describe('import', () => {
  let support: Support;

  beforeAll(async () => {
    support = await Support.start('import');
  });
  afterAll(() => support?.stop());

  const HEAD = 'user_id,medication,time_zone,number_of_pills,times,pills_per_dose';

  it('can be checked before, and nothing is stored', async () => {
    const check = (csv: string) => support.sendCsv('/v1/bottles/import/check', csv);
    const before = await support.stored();
    expect(await check(`${HEAD}\nanna,Metformin,UTC,,,\nbob,Metformin,UTC,,,`)).toMatchObject({
      status: 200,
      body: { bottles: 2 },
    });
    expect(await check(`${HEAD}\nanna,Metformin,Nowhere,,,`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_csv', errors: [{ line: 2, field: 'time_zone' }] },
    });
    expect(await support.stored()).toBe(before);
  });

  it('refuses a file that is not in UTF-8, by its lines', async () => {
    const lines = [
      'user_id,medication,time_zone',
      'anna,Médic,UTC',
      'bob,Ibuprofen,UTC',
      'zoë,Metformin,UTC',
    ];
    const before = await support.stored();
    // Windows-1252 has these letters where Latin-1 has them
    expect(
      await support.sendCsv('/v1/bottles/import', Buffer.from(lines.join('\n'), 'latin1')),
    ).toMatchObject({
      status: 400,
      body: { code: 'invalid_csv', errors: [{ line: 2 }, { line: 4 }] },
    });
    expect(await support.stored()).toBe(before);
    expect(await support.sendCsv('/v1/bottles/import/check', lines.join('\n'))).toMatchObject({
      status: 200,
    });
  });

  it('registers a bottle for each line, each with its own working token', async () => {
    const csv = [
      HEAD,
      'anna,"Metformin, 500 mg",Europe/Berlin,60,08:00 20:00,2',
      '',
      '  bob  ,Ibuprofen,America/New_York,,,',
    ];
    const { status, body } = await support.importCsv(`\uFEFF${csv.join('\r\n')}\r\n,,,,,\r\n`);
    expect(status).toBe(201);
    expect(body.created.map(({ line }: { line: number }) => line)).toEqual([2, 4]);
    const [first, second] = body.created;
    expect((await support.get(`/v1/bottles/${first.bottle_id}`)).body).toMatchObject({
      user_id: 'anna',
      medication: 'Metformin, 500 mg',
      time_zone: 'Europe/Berlin',
      initial_pills: 60,
      schedule: { schedule: { kind: 'times_of_day', times: ['08:00', '20:00'], pills_per_dose: 2 } },
    });
    expect((await support.get(`/v1/bottles/${second.bottle_id}`)).body).toMatchObject({
      user_id: 'bob',
      schedule: null,
      initial_pills: null,
    });
    expect(new Set([first.token, second.token]).size).toBe(2);
    for (const { token } of [first, second])
      expect((await support.report(token, 'heartbeats')).status).toBe(204);
    expect((await support.get('/v1/bottles?q=etformin')).body.items).toMatchObject([{ user_id: 'anna' }]);
  });

  it.each([
    ['8:00 20:00', ['08:00', '20:00']],
    ['8:00:00', ['08:00']],
    ['8:05 AM 12:00 am 12:30 p.m.', ['08:05', '00:00', '12:30']],
    ['8:00=0.5 9:30', [{ at: '08:00', pills: 0.5 }, '09:30']],
  ])('understands the times “%s” of a spreadsheet', async (times, read) => {
    const { body } = await support.importCsv(
      `user_id;medication;time_zone;times;number_of_pills\nanna;Metformin;UTC;${times};12,5`,
    );
    expect((await support.get(`/v1/bottles/${body.created[0].bottle_id}`)).body).toMatchObject({
      initial_pills: 12.5,
      schedule: { schedule: { times: read } },
    });
  });

  it.each(['8', '25:00', '13:00 pm', '8:0'])('refuses the time “%s”', async (times) => {
    const { status, body } = await support.importCsv(
      `user_id,medication,time_zone,times\nanna,Met,UTC,${times}`,
    );
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ line: 2, field: 'times' }]);
  });

  it('takes a label, where there is one', async () => {
    const { body } = await support.importCsv(
      'user_id,medication,label,time_zone\nanna,Metformin,"blue, kitchen",UTC\nanna,Metformin,,UTC',
    );
    const labels = body.created.map(
      async ({ bottle_id }: { bottle_id: string }) =>
        (await support.get(`/v1/bottles/${bottle_id}`)).body.label as unknown,
    );
    expect(await Promise.all(labels)).toEqual(['blue, kitchen', null]);
  });

  describe('of bottles that share a plan', () => {
    const DAILY = { kind: 'times_of_day', times: ['08:00'] };
    const fileOf = (...lines: string[]): string =>
      ['user_id,medication,time_zone,plan_of,step,times', ...lines].join('\n');

    it('takes what the export gives', async () => {
      const path = '/v1/bottles/plans?user_id=shared-out';
      const leaders: string[] = [];
      for (const medication of ['Metformin', 'Cordrazine']) {
        const of = { user_id: 'shared-out', medication };
        const { id: plan_of } = await support.register({ ...of, schedule: DAILY, number_of_pills: 30 });
        await support.register({ ...of, plan_of, number_of_pills: 5, label: 'work' });
        leaders.push(plan_of);
      }
      const before = (await support.get(path)).body.items;
      const [first, second] = leaders;
      expect(before.map(({ plan_of }: { plan_of: unknown }) => plan_of)).toEqual([null, first, null, second]);
      const { text } = await support.get(`${path}&format=csv`);
      const imported = await support.importCsv(text);
      expect(imported.status).toBe(201);
      const after = (await support.get(path)).body.items;
      const plansOf = (items: object[]) => items.map((item) => ({ ...item, bottle_id: undefined }));
      expect(plansOf(after.slice(before.length))).toEqual(plansOf(before));
      for (const [index, id] of leaders.entries()) {
        const { bottle_id } = imported.body.created[2 * index + 1];
        const entries = `/v1/audit?category=change&subject=bottle:${bottle_id}`;
        expect((await support.get(entries)).body.items).toMatchObject([{ details: { plan_of: id } }]);
        const { plan_members } = (await support.get(`/v1/bottles/${id}`)).body;
        expect(plan_members).toHaveLength(2);
        expect(plan_members).toContainEqual({ bottle_id, since: NOW.toISOString(), pills_left: 5 });
      }
    });

    it.each<[string, string, string[]]>([
      ['an id that is none', 'invalid_id', ['anna,Metformin,UTC,home,,']],
      ['a bottle that is not there', 'unknown_bottle', ['anna,Metformin,UTC,aaaaaaaaaaaaaaaaaaaaaaaa,,']],
      ['a bottle of another user', 'other_user', ['bob,Metformin,UTC,ID,,']],
      ['a bottle of another medication', 'other_medication', ['anna,Ibuprofen,UTC,ID,,']],
      ['a schedule beside it', 'has_schedule', ['anna,Metformin,UTC,ID,,08:00']],
      ['steps beside it', 'has_schedule', ['anna,Metformin,UTC,ID,1,08:00', ',,,,2,09:00']],
    ])('refuses by line, as the registration does: %s', async (_, code, lines) => {
      const { id } = await support.register({ user_id: 'anna', medication: 'Metformin', schedule: DAILY });
      const csv = fileOf('anna,Metformin,UTC,ID,,', ...lines).replaceAll('ID', id);
      const before = await support.stored();
      for (const path of ['/v1/bottles/import', '/v1/bottles/import/check'])
        expect(await support.sendCsv(path, csv)).toMatchObject({
          status: 400,
          body: { code: 'invalid_csv', errors: [{ line: 3, field: 'plan_of', code }] },
        });
      expect(await support.stored()).toBe(before);
    });

    it('counts those of one file', async () => {
      const { id } = await support.register({ user_id: 'anna', medication: 'Metformin', schedule: DAILY });
      const lines = Array.from({ length: 21 }, () => `anna,Metformin,UTC,${id},,`);
      const check = (count: number) =>
        support.sendCsv('/v1/bottles/import/check', fileOf(...lines.slice(0, count)));
      expect(await check(20)).toMatchObject({ status: 200, body: { bottles: 20 } });
      expect(await check(21)).toMatchObject({
        status: 400,
        body: { errors: [{ line: 22, field: 'plan_of', code: 'too_many_members' }] },
      });
    });
  });

  it.each([
    ['semicolons', ';'],
    ['tabs', '\t'],
  ])('accepts %s, as spreadsheets write them', async (_, separator) => {
    const csv = ['user_id,medication,time_zone', 'a,b,Europe/Berlin'].join('\n').replaceAll(',', separator);
    expect((await support.importCsv(csv)).status).toBe(201);
  });

  it('reports the line and column of every error, and registers no bottle', async () => {
    const before = await support.stored();
    const { status, body } = await support.importCsv(
      [
        HEAD,
        'anna,Metformin,Europe/Berlin,60,08:00,1',
        ',Metformin,Mars/Olympus,60,,',
        '"two',
        'lines",Metformin,Europe/Berlin,many,,',
        'anna,Metformin,Europe/Berlin,1,08:00 25:00,',
        'anna,Metformin,Europe/Berlin,1,,2',
        'anna,Metformin',
        'anna,Metformin,Europe/Berlin,-1,,',
      ].join('\n'),
    );
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_csv' });
    expect(body.detail).toMatch(/^No bottles were registered\. Line 3: .*, and 7 more\.$/);
    expect(body.errors.map(({ line, field, code }: Record<string, unknown>) => [line, field, code])).toEqual([
      [3, 'user_id', 'missing_field'],
      [3, 'time_zone', 'invalid_value'],
      // an id does not span lines
      [5, 'user_id', 'invalid_value'],
      [5, 'number_of_pills', 'invalid_type'],
      [6, 'times', 'invalid_schedule'],
      [7, 'pills_per_dose', 'forbidden_field'],
      [8, '', 'invalid_csv'],
      [9, 'number_of_pills', 'out_of_range'],
    ]);
    expect(await support.stored()).toBe(before);
  });

  it.each([
    ['nothing', '', 1, 'missing_field'],
    ['only names', HEAD, 2, 'missing_field'],
    ['a column that is none', `${HEAD},colour\na,b,Europe/Berlin,,,,red`, 1, 'unknown_field'],
    ['a column twice', 'user_id,user_id,medication,time_zone\n', 1, 'invalid_value'],
    ['a column too few', 'user_id,medication\na,b', 1, 'missing_field'],
    [
      'a quotation mark that is left open',
      'user_id,medication,time_zone\na,"b,Europe/Berlin',
      2,
      'invalid_csv',
    ],
    ['no CSV at all', '{"user_id":"a"}', 1, 'invalid_csv'],
  ])('refuses %s', async (_, csv, line, code) => {
    const { status, body } = await support.importCsv(csv);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_csv' });
    expect(body.errors[0]).toMatchObject({ line, code });
  });

  it('reads no more of a wrong file than it needs', async () => {
    const columns = await support.importCsv(Array.from({ length: 100_000 }, () => 'x').join(','));
    expect(columns).toMatchObject({ status: 400, body: { code: 'invalid_csv' } });
    expect(columns.body.errors).toMatchObject([{ line: 1, field: '', code: 'too_many_items' }]);
    const lines = Array.from({ length: 2_000 }, () => 'a,b,Nowhere');
    const many = await support.importCsv(['user_id,medication,time_zone', ...lines].join('\n'));
    expect(many.body.errors).toHaveLength(200);
    expect(many.body.detail).toMatch(/, and at least 199 more\.$/);
    // what follows the line that is too many is not looked at
    const long = Array.from({ length: 2_001 }, () => 'a,b,UTC').join('\n');
    const rest = await support.importCsv(`user_id,medication,time_zone\n${long}\n"`);
    expect(rest.body.errors).toMatchObject([{ line: 2002, code: 'too_many_items' }]);
  });

  it('refuses more than the documented number of bottles, and JSON', async () => {
    const lines = Array.from({ length: 2_001 }, () => 'a,b,Europe/Berlin');
    const many = await support.importCsv(['user_id,medication,time_zone', ...lines].join('\n'));
    expect(many).toMatchObject({ status: 400, body: { errors: [{ line: 2002, code: 'too_many_items' }] } });
    expect((await support.importCsv('x'.repeat(1024 * 1024 + 1))).status).toBe(413);
    expect(await support.post('/v1/bottles/import', { csv: 'a' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_csv' },
    });
  });

  it('accepts CSV nowhere else', async () => {
    const request = await support.call('post', '/v1/bottles', {});
    expect(request.status).toBe(400);
  });

  it('registers all or none when the database fails in the middle', async () => {
    const { db } = support.database;
    // the second one cannot be written
    await db.command({
      collMod: 'bottles',
      validator: { user_id: { $ne: 'unwritable' } },
    });
    try {
      const csv = 'user_id,medication,time_zone\nwritable,b,Europe/Berlin\nunwritable,b,Europe/Berlin';
      expect((await support.importCsv(csv)).status).toBe(500);
      const either = { user_id: { $in: ['writable', 'unwritable'] } };
      expect(await db.collection('bottles').countDocuments(either)).toBe(0);
      expect(await db.collection('bottle_states').countDocuments(either)).toBe(0);
    } finally {
      await db.command({ collMod: 'bottles', validator: {} });
    }
  });

  it('audits who registered each', async () => {
    const key = await support.keyOf('support');
    const { body } = await support.importCsv(
      'user_id,medication,time_zone\na,b,Europe/Berlin\nc,d,Europe/Berlin',
      key,
    );
    for (const { bottle_id } of body.created) {
      expect(
        (await support.get(`/v1/audit?category=change&subject=bottle:${bottle_id}`)).body.items,
      ).toMatchObject([
        { action: 'bottle.register', who: { name: 'a support' }, details: {}, at: NOW.toISOString() },
      ]);
      expect(Types.ObjectId.isValid(bottle_id)).toBe(true);
    }
  });
});
