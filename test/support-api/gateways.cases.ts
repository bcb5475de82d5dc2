import { NOW, Support } from './support.js';

describe('gateways', () => {
  const NOBODY = '0'.repeat(24);

  let support: Support;

  beforeAll(async () => {
    support = await Support.start('gateways');
  });
  afterAll(() => support?.stop());

  async function register(name = 'hub 4711'): Promise<{ id: string; token: string }> {
    return (await support.post('/v1/gateways', { name })).body;
  }

  const bottlesOf = async (id: string): Promise<string[]> =>
    (await support.get(`/v1/gateways/${id}/bottles`)).body.items.map(
      ({ bottle_id }: { bottle_id: string }) => bottle_id,
    );

  it('registers a gateway, shows its token once, and lists it without', async () => {
    const created = await support.post('/v1/gateways', { name: 'hub 4711' });
    const { id, token } = created.body;
    expect(created).toMatchObject({
      status: 201,
      body: { name: 'hub 4711', created_at: NOW.toISOString() },
    });
    expect(token).toMatch(/^pwg_[\w-]{43}$/);
    const { items } = (await support.get('/v1/gateways')).body;
    expect(items).toContainEqual({ id, name: 'hub 4711', created_at: NOW.toISOString() });
    const renewed = await support.post(`/v1/gateways/${id}/token`);
    expect(renewed).toMatchObject({ status: 201, body: { token: expect.stringMatching(/^pwg_/) } });
    for (const secret of [token, renewed.body.token]) expect(await support.stored()).not.toContain(secret);
  });

  it('revokes a gateway permanently; its bottles stay', async () => {
    const { id } = await register();
    const bottle = await support.register();
    await support.post(`/v1/gateways/${id}/assign`, { bottle_ids: [bottle.id] });
    expect((await support.call('delete', `/v1/gateways/${id}`)).status).toBe(204);
    support.clock.advance(1_000);
    // revoking again changes nothing
    expect((await support.call('delete', `/v1/gateways/${id}`)).status).toBe(204);
    support.clock.set(NOW);
    const { items } = (await support.get('/v1/gateways?limit=200')).body;
    expect(items.find((each: { id: string }) => each.id === id)).toMatchObject({
      revoked_at: NOW.toISOString(),
    });
    for (const [path, body] of [
      ['token', undefined],
      ['assign', { bottle_ids: [bottle.id] }],
    ] as const)
      expect(await support.post(`/v1/gateways/${id}/${path}`, body)).toMatchObject({
        status: 409,
        body: { code: 'gateway_revoked' },
      });
    expect((await support.get(`/v1/bottles/${bottle.id}`)).status).toBe(200);
  });

  it('assigns bottles, all or none, and unassigns them; a bottle may have several gateways', async () => {
    const [one, two] = [await register(), await register()];
    const bottles: string[] = [];
    for (let count = 0; count < 5; count += 1) bottles.push((await support.register()).id);
    const assigned = await support.post(`/v1/gateways/${one.id}/assign`, {
      bottle_ids: [...bottles, bottles[0]!],
    });
    expect(assigned).toMatchObject({ status: 200, body: { bottle_ids: [...bottles, bottles[0]] } });
    await support.post(`/v1/gateways/${two.id}/assign`, { bottle_ids: [bottles[1]] });
    expect(await bottlesOf(one.id)).toEqual(bottles);
    expect(await bottlesOf(two.id)).toEqual([bottles[1]]);
    for (const limit of [1, 2, 5]) {
      const { items } = await support.pages(`/v1/gateways/${one.id}/bottles`, limit);
      expect(items.map(({ bottle_id }) => bottle_id)).toEqual(bottles);
    }

    for (const wrong of ['0x01570aaa98db17dc6c142f', bottles[0]!.toUpperCase()]) {
      expect(
        await support.post(`/v1/gateways/${one.id}/assign`, { bottle_ids: [bottles[0], wrong] }),
      ).toMatchObject({ status: 400, body: { code: 'invalid_id', field: 'bottle_ids' } });
    }
    const another = (await support.register()).id;
    expect(
      await support.post(`/v1/gateways/${one.id}/assign`, { bottle_ids: [another, NOBODY] }),
    ).toMatchObject({ status: 404, body: { code: 'bottle_not_found', field: 'bottle_ids[1]' } });
    expect(await bottlesOf(one.id)).toEqual(bottles);

    const unassigned = { bottle_ids: [bottles[1], another, NOBODY] };
    expect(await support.post(`/v1/gateways/${one.id}/unassign`, unassigned)).toMatchObject({ status: 200 });
    expect(await bottlesOf(one.id)).toEqual(bottles.filter((id) => id !== bottles[1]));
    expect(await bottlesOf(two.id)).toEqual([bottles[1]]);
    await support.call('delete', `/v1/bottles/${bottles[1]}`);
    expect(await bottlesOf(two.id)).toEqual([]);
  });

  it('audits who did what to which gateway and bottle', async () => {
    const { id } = await register('the audited hub');
    const bottle = await support.register();
    await support.post(`/v1/gateways/${id}/token`);
    await support.post(`/v1/gateways/${id}/assign`, { bottle_ids: [bottle.id] });
    await support.post(`/v1/gateways/${id}/unassign`, { bottle_ids: [bottle.id] });
    await support.call('delete', `/v1/gateways/${id}`);
    const auditOf = async (subject: string): Promise<[string, object][]> =>
      (await support.get(`/v1/audit?category=change&subject=${subject}`)).body.items.map(
        ({ action, details }: { action: string; details: object }) => [action, details],
      );
    const bottles = { fields: ['bottle_ids'] };
    expect(await auditOf(`gateway:${id}`)).toEqual([
      ['gateway.revoke', {}],
      ['gateway.unassign', bottles],
      ['gateway.assign', bottles],
      ['gateway.rotate_token', {}],
      ['gateway.register', { name: 'the audited hub' }],
    ]);
    expect((await auditOf(`bottle:${bottle.id}`)).map(([action]) => action)).toEqual([
      'gateway.unassign',
      'gateway.assign',
      'bottle.register',
    ]);
  });

  it('is paged, oldest first', async () => {
    const whole = (await support.get('/v1/gateways?limit=200')).body.items;
    expect(whole.length).toBeGreaterThan(4);
    for (const limit of [1, 3]) expect((await support.pages('/v1/gateways', limit)).items).toEqual(whole);
  });

  it.each<[string, 'get' | 'post' | 'delete', string, unknown, number, string, string | undefined]>([
    ['no name', 'post', '', {}, 400, 'missing_field', 'name'],
    ['a blank name', 'post', '', { name: ' ' }, 400, 'invalid_value', 'name'],
    ['a name with a tag', 'post', '', { name: '<b>' }, 400, 'invalid_value', 'name'],
    ['an endless name', 'post', '', { name: 'x'.repeat(101) }, 400, 'out_of_range', 'name'],
    ['an operator for a name', 'post', '', { name: { $gt: '' } }, 400, 'invalid_type', 'name'],
    ['a token of its own', 'post', '', { name: 'a', token_hash: 'x' }, 400, 'unknown_field', 'token_hash'],
    ['a cursor of another list', 'get', '?cursor=AAAA', undefined, 400, 'invalid_cursor', 'cursor'],
    ['no bottles', 'post', '/ID/assign', {}, 400, 'missing_field', 'bottle_ids'],
    ['an empty list', 'post', '/ID/assign', { bottle_ids: [] }, 400, 'out_of_range', 'bottle_ids'],
    ['a bottle and no list', 'post', '/ID/assign', { bottle_ids: NOBODY }, 400, 'invalid_type', 'bottle_ids'],
    ['what is no id', 'post', '/ID/assign', { bottle_ids: ['x'] }, 400, 'invalid_id', 'bottle_ids'],
    ['an operator', 'post', '/ID/unassign', { bottle_ids: [{ $gt: '' }] }, 400, 'invalid_id', 'bottle_ids'],
    [
      'too many bottles',
      'post',
      '/ID/assign',
      { bottle_ids: Array.from({ length: 1_001 }, () => NOBODY) },
      400,
      'too_many_items',
      'bottle_ids',
    ],
    ['an id that is none', 'post', '/x/assign', { bottle_ids: [NOBODY] }, 400, 'invalid_id', 'id'],
    ['no such gateway', 'post', `/${NOBODY}/token`, undefined, 404, 'gateway_not_found', undefined],
    ['no such gateway', 'delete', `/${NOBODY}`, undefined, 404, 'gateway_not_found', undefined],
    ['no such gateway', 'get', `/${NOBODY}/bottles`, undefined, 404, 'gateway_not_found', undefined],
    [
      'no such gateway',
      'post',
      `/${NOBODY}/unassign`,
      { bottle_ids: [NOBODY] },
      404,
      'gateway_not_found',
      undefined,
    ],
  ])('refuses %s: %s /v1/gateways%s', async (_, method, path, body, status, code, field) => {
    const { id } = await register();
    const before = await support.stored();
    const answer = await support.call(method, `/v1/gateways${path.replace('ID', id)}`, body as object);
    expect({ status: answer.status, body: answer.body }).toMatchObject({
      status,
      body: { code, ...(field === undefined ? {} : { field }) },
    });
    expect(await support.stored()).toBe(before);
  });
});
