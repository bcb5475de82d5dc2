import {
  AuditEntry,
  AuditHead,
  AuditPseudonymsRepository,
  AuditRepository,
  type NewAuditEntry,
} from '#persistence';
import { jest } from '@jest/globals';
import { getModelToken } from '@nestjs/mongoose';
import { Types } from 'mongoose';
import supertest from 'supertest';
import { AuditLog } from '../../apps/support-api/src/auth/audit-log.js';
import { eventually } from '../../tools/harness/eventually.js';
import { Browser, signedIn, staffMember } from './browser.js';
import { insertAlerts, insertDeliveries } from './fixtures.js';
import { ADMIN_TOKEN, startSupportApi } from '../../tools/harness/services.js';
import { NOW, Support } from './support.js';

describe('audit', () => {
  let support: Support;

  beforeAll(async () => {
    support = await Support.start('audit');
  });
  afterAll(() => support?.stop());

  const about = async (subject: string) =>
    (await support.get(`/v1/audit?category=change&subject=${encodeURIComponent(subject)}`)).body.items;

  const address = '127.0.0.1';
  const ADMIN = { kind: 'api_key', id: 'ADMIN_TOKEN', name: 'ADMIN_TOKEN', address };

  it('records who did what to which bottle, with a session or a key', async () => {
    const { id, email, password } = await staffMember(support, 'support', { name: 'Carol' });
    const browser = new Browser(support);
    await browser.signIn(email, password);
    const key = await support.post('/v1/api-keys', { name: 'the importer', role: 'support' });
    const registered = await support.post(
      '/v1/bottles',
      { user_id: 'will', medication: 'Cordrazine', time_zone: 'Europe/Berlin' },
      key.body.key,
    );
    const bottle = registered.body.bottle_id;
    support.clock.advance(1000);
    await browser.call('put', `/v1/bottles/${bottle}/schedule`, {
      schedule: { kind: 'as_needed', max_per_day: 3 },
    });
    support.clock.set(NOW);

    expect(await about(`bottle:${bottle}`)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        at: new Date(NOW.getTime() + 1000).toISOString(),
        category: 'change',
        who: { kind: 'staff', id, name: 'Carol', address },
        action: 'bottle.set_schedule',
        subject: expect.objectContaining({ kind: 'bottle', id: bottle, user_id: 'will' }),
        details: { fields: ['schedule'] },
      },
      expect.objectContaining({
        at: NOW.toISOString(),
        who: { kind: 'api_key', id: key.body.id, name: 'the importer', address },
        action: 'bottle.register',
        details: { time_zone: 'Europe/Berlin', fields: ['user_id', 'medication'] },
      }),
    ]);
    expect((await support.get(`/v1/audit?staff_id=${id}`)).body.items).toMatchObject([
      { action: 'bottle.set_schedule' },
      { action: 'session.begin' },
    ]);
  });

  it('has an entry for each kind of change, and none for refused requests', async () => {
    const { id: bottle } = await support.register();
    const bottle_id = new Types.ObjectId(bottle);
    const [alert, other] = await insertAlerts(support, [{ bottle_id }, { bottle_id, kind: 'bottle_silent' }]);
    const [delivery] = await insertDeliveries(support, [{ bottle_id, status: 'dead' }]);
    const until = new Date(NOW.getTime() + 60_000).toISOString();
    const call = async (...args: Parameters<Support['call']>) => {
      const answer = await support.call(...args);
      if (answer.status >= 300) throw new Error(answer.text);
      return answer.body;
    };
    await call('patch', `/v1/bottles/${bottle}`, { medication: 'Other' });
    await call('post', `/v1/bottles/${bottle}/token`);
    await call('post', `/v1/bottles/${bottle}/pauses`, { to: until });
    await call('post', `/v1/alerts/${alert}/snooze`, { until, note: 'private' });
    await call('post', `/v1/alerts/${alert}/acknowledge`, { note: 'private' });
    await call('post', `/v1/alerts/${alert}/close`, { reason: 'duplicate', note: 'private' });
    await call('post', `/v1/deliveries/${delivery}/replay`);
    await call('delete', `/v1/bottles/${bottle}`);
    await support.call('post', `/v1/alerts/${other}/acknowledge`);
    await support.call('delete', `/v1/bottles/${bottle}`);

    const entries = await about(`bottle:${bottle}`);
    expect(entries.map(({ action, subject, who }: Record<string, object>) => [action, subject, who])).toEqual(
      [
        ['bottle.erase', { kind: 'bottle', id: bottle }],
        ['delivery.replay', { kind: 'delivery', id: delivery }],
        ['alert.close', { kind: 'alert', id: alert }],
        ['alert.acknowledge', { kind: 'alert', id: alert }],
        ['alert.snooze', { kind: 'alert', id: alert }],
        ['bottle.pause', { kind: 'bottle', id: bottle }],
        ['bottle.rotate_token', { kind: 'bottle', id: bottle }],
        ['bottle.change', { kind: 'bottle', id: bottle }],
        ['bottle.register', { kind: 'bottle', id: bottle }],
      ].map((entry) => [...entry, ADMIN]),
    );
    expect(entries.find(({ action }: { action: string }) => action === 'alert.snooze').details).toEqual({
      until,
      fields: ['note'],
    });

    await call('put', '/v1/contacts/will', { email: 'will@example.org' });
    // the whole contact again, as the console sends it
    const whole = {
      email: 'will@example.org',
      time_zone: 'UTC',
      quiet_hours: { from: '22:00', to: '07:00' },
    };
    await call('put', '/v1/contacts/will', { ...whole, phone: '+49 30 1' });
    await call('put', '/v1/contacts/will', { ...whole, phone: '+49 30 2' });
    await call('put', '/v1/contacts/will', { ...whole, phone: '+49 30 2' });
    await call('delete', '/v1/contacts/will');
    expect(await about('contact:will')).toMatchObject([
      { action: 'contact.delete', details: {} },
      { action: 'contact.put', details: { fields: [] } },
      { action: 'contact.put', details: { fields: ['phone'] } },
      { action: 'contact.put', details: { fields: ['phone', 'quiet_hours'] } },
      { action: 'contact.put', details: { fields: ['email'] } },
    ]);
  });

  it('contains no secrets and no patient data', async () => {
    const { id, password } = await staffMember(support, 'viewer');
    await support.call('patch', `/v1/staff/${id}`, { password: 'correct horse battery', role: 'support' });
    await support.call('put', '/v1/contacts/will', { email: 'someone@example.org' });
    const key = await support.keyOf('viewer');
    const { token } = await support.register({ medication: 'Inaprovaline' });
    const browser = await signedIn(support, 'viewer');
    await browser.call('post', '/v1/session/password', { current: 'a wrong one', next: 'another good one' });
    expect(await about(`staff:${id}`)).toMatchObject([
      { action: 'staff.change', details: { role: 'support', fields: ['password'] } },
      { action: 'staff.create', details: { role: 'viewer', name: 'A viewer', email: expect.any(String) } },
    ]);
    const { text } = await support.get('/v1/audit?limit=200');
    const secrets = [password, 'correct horse battery', 'someone@example.org', key, token, 'a wrong one'];
    const stored = JSON.stringify(await support.database.db.collection('audit').find().toArray());
    for (const secret of secrets) expect(text + stored).not.toContain(secret);
    // the list says by what people know the bottle; what is stored does not
    expect(stored).not.toContain('Inaprovaline');
  });

  it('records signing in, signing out and a new password', async () => {
    const { id, email, password } = await staffMember(support, 'viewer');
    const browser = new Browser(support);
    await browser.signIn(email, 'wrong');
    await browser.signIn(email, password);
    await browser.call('post', '/v1/session/password', { current: password, next: 'correct horse battery' });
    await browser.call('delete', '/v1/session');
    const entries = await about(`staff:${id}`);
    for (const { who } of entries) expect(who.address).toBe(address);
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'session.end',
      'session.change_password',
      'session.begin',
      'staff.create',
    ]);
  });

  it('says of a change that was not made again that its response was replayed', async () => {
    const register = () =>
      supertest(support.app.getHttpServer())
        .post('/v1/bottles')
        .set('authorization', `Bearer ${ADMIN_TOKEN}`)
        .set('idempotency-key', 'audited-once')
        .send({ user_id: 'once', medication: 'Cordrazine', time_zone: 'UTC' })
        .expect(201);
    const { body } = await register();
    await register();
    const details = { time_zone: 'UTC', fields: ['user_id', 'medication'] };
    expect(await about(`bottle:${body.bottle_id}`)).toMatchObject([
      { action: 'bottle.register', details: { ...details, replayed: true } },
      { action: 'bottle.register', details },
    ]);
    expect((await about(`bottle:${body.bottle_id}`))[1].details).toEqual(details);
  });

  it('is paged newest first, each entry once, also entries with the same time', async () => {
    for (let count = 0; count < 7; count += 1) await support.keyOf('viewer');
    const whole = (await support.get('/v1/audit?category=change&limit=200')).body.items;
    expect(whole.length).toBeGreaterThan(20);
    for (const limit of [1, 3, 7])
      expect((await support.pages('/v1/audit?category=change', limit)).items).toEqual(whole);
    const ofKeys = await support.pages('/v1/audit?staff_id=000000000000000000000000', 5);
    expect(ofKeys.items).toEqual([]);

    const [to, from] = [whole[3].at, whole[12].at];
    const between = `category=change&from=${from}&to=${to}`;
    const within = whole.filter(({ at }: { at: string }) => at >= from && at < to);
    for (const limit of [3, 200])
      expect((await support.pages(`/v1/audit?${between}`, limit)).items).toEqual(within);
    expect((await support.get(`/v1/audit?${between}&format=csv`)).text.trim().split('\n')).toHaveLength(
      within.length + 1,
    );
  });

  describe('of reads', () => {
    const reads = async (query = '') => (await support.get(`/v1/audit?category=read${query}`)).body.items;

    it('records who saw a bottle, an alert or a contact: once in five minutes', async () => {
      const { id } = await support.register({ user_id: 'seen' });
      const [alert] = await insertAlerts(support, [{ bottle_id: new Types.ObjectId(id) }]);
      await support.call('put', '/v1/contacts/seen', { email: 'seen@example.org' });
      const key = await support.keyOf('viewer');
      const page = [
        `/v1/bottles/${id}`,
        `/v1/bottles/${id}/timeline`,
        `/v1/alerts/${alert}`,
        '/v1/contacts/seen',
      ];
      const open = () => Promise.all(page.map((path) => support.get(path, key)));
      await open();
      await open();
      const who = { kind: 'api_key', name: 'a viewer', address };
      await eventually(async () =>
        expect(await reads(`&subject=bottle:${id}`)).toEqual(
          expect.arrayContaining([
            expect.objectContaining({ action: 'alert.read', who: expect.objectContaining(who) }),
            expect.objectContaining({
              action: 'bottle.read',
              subject: expect.objectContaining({ kind: 'bottle', id }),
            }),
          ]),
        ),
      );
      await eventually(async () =>
        expect(await reads('&subject=contact:seen')).toMatchObject([
          { action: 'contact.read', subject: { kind: 'contact', id: 'seen' } },
        ]),
      );
      expect(await reads(`&subject=bottle:${id}`)).toHaveLength(2);
      support.clock.advance(5 * 60_000);
      await open();
      await eventually(async () => expect(await reads(`&subject=bottle:${id}`)).toHaveLength(4));
      support.clock.set(NOW);
    });

    it('records searches: by which fields, and for whom, but not what was typed', async () => {
      const { id } = await support.register({ user_id: 'sought' });
      await support.get('/v1/bottles?q=sough');
      await support.get('/v1/bottles?user_id=sought&status=unknown');
      await support.get('/v1/bottles?user_id=nobody');
      await support.get(`/v1/alerts?bottle_id=${id}`);
      const byUser = { action: 'bottle.list', details: { status: 'unknown', fields: ['user_id'] } };
      const bySearch = { action: 'bottle.list', details: { fields: ['q'] } };
      await eventually(async () => {
        const found = await reads('&subject=contact:sought');
        expect(found).toHaveLength(2);
        for (const one of [byUser, bySearch]) expect(found).toContainEqual(expect.objectContaining(one));
      });
      expect(await reads('&subject=list:bottles')).toEqual(
        expect.arrayContaining([expect.objectContaining({ details: { fields: ['q'] } })]),
      );
      await eventually(async () =>
        expect(
          (await reads(`&subject=bottle:${id}`)).map(({ action }: { action: string }) => action),
        ).toEqual(expect.arrayContaining(['alert.list', 'bottle.list'])),
      );
      expect(await reads('&subject=contact:nobody')).toEqual([]);
    });

    it('records whom a search has shown, each search that shows others', async () => {
      const { id } = await support.register({ user_id: 'shown-one', medication: 'Showable' });
      const { id: other } = await support.register({ user_id: 'shown-two', medication: 'Showable' });
      const [alert] = await insertAlerts(support, [
        { bottle_id: new Types.ObjectId(id), user_id: 'shown-one' },
      ]);
      await insertDeliveries(support, [
        {
          bottle_id: new Types.ObjectId(id),
          alert_id: new Types.ObjectId(alert),
          recipient: 'user:shown-one',
        },
      ]);
      const actionsOf = async (subject: string) =>
        (await reads(`&subject=${subject}`)).map(({ action }: { action: string }) => action).toSorted();
      // in this order: the second one differs in whom it shows only
      for (const path of [
        '/v1/search?q=shown-one',
        '/v1/search?q=shown-two',
        '/v1/bottles?q=shown-one',
        '/v1/bottles?q=shown-two',
        `/v1/deliveries?alert_id=${alert}`,
      ])
        expect((await support.get(path)).status).toBe(200);
      const lists = ['bottle.list', 'person.list'];
      await eventually(async () =>
        expect(await actionsOf(`bottle:${id}`)).toEqual(['bottle.list', 'delivery.list', 'person.list']),
      );
      expect(await actionsOf('contact:shown-one')).toEqual(['bottle.list', 'delivery.list', 'person.list']);
      expect([await actionsOf(`bottle:${other}`), await actionsOf('contact:shown-two')]).toEqual([
        lists,
        lists,
      ]);
    });

    it('keeps nothing that was typed into a filter and found nobody', async () => {
      await support.get('/v1/bottles?medication=somebodys%20name');
      await eventually(async () =>
        expect(await reads('&subject=list:bottles')).toEqual(
          expect.arrayContaining([expect.objectContaining({ details: { fields: ['medication'] } })]),
        ),
      );
      const stored = JSON.stringify(await support.database.db.collection('audit').find().toArray());
      expect(stored).not.toContain('somebodys name');
    });

    it('records a preview of messages: it shows what people get, and their addresses', async () => {
      const { id } = await support.register({ user_id: 'previewed' });
      const [alert] = await insertAlerts(support, [
        { bottle_id: new Types.ObjectId(id), user_id: 'previewed' },
      ]);
      await support.post('/v1/alerts/close/preview', { ids: [alert], reason: 'duplicate' });
      await eventually(async () =>
        expect(await reads(`&subject=alert:${alert}`)).toMatchObject([{ action: 'alert.preview_closing' }]),
      );
      expect(await reads(`&subject=bottle:${id}`)).toHaveLength(1);
    });

    it('writes what waits when the service stops', async () => {
      const other = await Support.start('audit-stop');
      const { id } = await other.register();
      await other.get(`/v1/bottles/${id}`);
      await other.stopApps();
      const audit = other.database.db.collection('audit');
      expect(await audit.countDocuments({ action: 'bottle.read' })).toBe(1);
      await other.database.drop();
    });
  });

  it('records refusals: failed sign-ins, unknown keys and insufficient roles, with the address', async () => {
    const { id, email } = await staffMember(support, 'viewer');
    const key = await support.keyOf('viewer');
    await new Browser(support).signIn(email, 'a wrong one');
    await new Browser(support).signIn('my-password-by-mistake@example.org', 'a wrong one');
    for (let count = 0; count < 3; count += 1) await support.get('/v1/bottles', `pwk_${'B'.repeat(43)}`);
    await support.get('/v1/bottles', null);
    await support.get('/v1/staff', key);
    const stale = await signedIn(support, 'viewer');
    await support.database.db.collection('staff_sessions').deleteMany({});
    for (let count = 0; count < 2; count += 1) await stale.call('get', '/v1/fleet');
    const refusals = async () => (await support.get('/v1/audit?category=refusal')).body.items;
    const of = (action: string, subject: object, details: object) =>
      expect.objectContaining({ action, subject, details, who: expect.objectContaining({ address }) });
    await eventually(async () =>
      expect(await refusals()).toEqual([
        of('request.refuse', { kind: 'route', id: 'GET /v1/fleet' }, { code: 'not_signed_in' }),
        of('request.refuse', { kind: 'route', id: 'GET /v1/staff' }, { code: 'role_insufficient' }),
        of('request.refuse', { kind: 'route', id: 'GET /v1/bottles' }, { code: 'token_unknown' }),
        of('session.refuse', { kind: 'staff', id: 'unknown' }, { code: 'wrong_credentials' }),
        of('session.refuse', { kind: 'staff', id, name: 'A viewer' }, { code: 'wrong_credentials' }),
        // of the tests before
        ...(await refusals()).slice(5),
      ]),
    );
    expect((await refusals())[2].who.id).toMatch(/^key:[0-9a-f]{12}$/);
    const stored = JSON.stringify(await support.database.db.collection('audit').find().toArray());
    expect(stored).not.toMatch(/by-mistake|a wrong one|BBBB/);
  });

  describe('the chain', () => {
    const entry = (action: string): NewAuditEntry => ({
      at: NOW,
      category: 'change',
      who: { kind: 'command', id: 'x', name: 'x' },
      action,
      subject: { kind: 'bottle', id: 'x' },
      details: {},
    });
    /** As another process has it. */
    const repository = () =>
      new AuditRepository(
        support.app.get(getModelToken(AuditEntry.name)),
        support.app.get(getModelToken(AuditHead.name)),
        support.app.get(AuditPseudonymsRepository),
      );
    const verify = async (): Promise<string[]> => {
      const wrong: string[] = [];
      await repository().verify((sentence) => wrong.push(sentence));
      return wrong;
    };
    const audit = () => support.database.db.collection('audit');
    // what the requests before have read is written a little later
    beforeEach(() => support.app.get(AuditLog).finish());

    it('is intact after many processes have appended at once', async () => {
      const before = await audit().countDocuments();
      const appended = Array.from({ length: 8 }, async () => {
        const process = repository();
        for (const action of ['one', 'two', 'three']) await process.append([entry(action), entry('more')]);
      });
      await Promise.all(appended);
      expect(await audit().countDocuments()).toBe(before + 48);
      expect(await verify()).toEqual([]);
    });

    it('shows each entry that was changed, removed or inserted at the database', async () => {
      await repository().append(['a', 'b', 'c', 'd'].map(entry));
      const [last, third] = await audit().find().sort({ seq: -1 }).limit(2).toArray();
      const during = async (change: () => Promise<unknown>, undo: () => Promise<unknown>) => {
        await change();
        const wrong = await verify();
        await undo();
        expect(await verify()).toEqual([]);
        return wrong;
      };
      const replace = (to: object) => () => audit().replaceOne({ _id: third!._id }, to);
      expect(await during(replace({ ...third, action: 'other' }), replace(third!))).toEqual([
        expect.stringContaining(`entry ${third!['seq']}, ${third!._id.toHexString()} (other by x`),
      ]);
      for (const removed of [third!, last!]) {
        const { _id } = removed;
        expect(
          await during(
            () => audit().deleteOne({ _id }),
            () => audit().insertOne(removed),
          ),
        ).toEqual([`entry ${removed['seq']} was removed`]);
      }
      const _id = new Types.ObjectId();
      const inserted = () => audit().insertOne({ ...entry('invented'), _id });
      expect(await during(inserted, () => audit().deleteOne({ _id }))).toEqual([
        expect.stringMatching(`^${_id.toHexString()} .*invented.* was inserted`),
      ]);
    });

    it('shows that the newest entries were cut, whatever is done to the record of the last one', async () => {
      await repository().append(['a', 'b', 'c', 'd'].map(entry));
      const heads = support.database.db.collection<{ _id: string }>('audit_head');
      const [last, third] = await audit().find().sort({ seq: -1 }).limit(2).toArray();
      const head = (await heads.findOne({ _id: 'head' }))!;
      const kept = { seq: last!['seq'] as number, hash: last!['hash'] as string };
      expect((await support.get('/v1/audit/head')).body).toEqual({ head: `${kept.seq}:${kept.hash}` });
      const since = async (): Promise<string[]> => {
        const wrong: string[] = [];
        await repository().verify((sentence) => wrong.push(sentence), kept);
        return wrong;
      };
      await heads.deleteOne({});
      expect(await verify()).toEqual([expect.stringContaining('the head of the chain was removed')]);
      // neither the next entry nor the next start makes it again
      await repository().append([entry('e')]);
      await repository().chainOldEntries();
      expect(await verify()).toEqual([expect.stringContaining('the head of the chain was removed')]);
      const { insertedId } = await heads.insertOne({
        ...head,
        seq: third!['seq'],
        hash: third!['hash'],
      } as never);
      expect(await verify()).toEqual([expect.stringContaining('the head of the chain was set back')]);
      // cut, and what is recorded here fits: seen only with what was kept elsewhere
      await audit().deleteMany({ seq: { $gte: last!['seq'] } });
      expect(await verify()).toEqual([]);
      expect(await since()).toEqual([`entry ${kept.seq} was removed`]);
      await audit().insertOne(last!);
      await heads.replaceOne({ _id: insertedId }, { seq: last!['seq'], hash: last!['hash'] });
      expect(await since()).toEqual([]);
      await audit().updateOne({ _id: third!._id }, { $set: { approved: true } });
      expect(await verify()).toEqual([expect.stringContaining('approved was added')]);
      await audit().updateOne({ _id: third!._id }, { $unset: { approved: '' } });
    });

    it('is countersigned in the log: the last entry, at each start', async () => {
      const lines: string[] = [];
      const write = jest
        .spyOn(process.stdout, 'write')
        .mockImplementation((line) => lines.push(String(line)) > 0);
      try {
        const app = await startSupportApi(support.database.uri, support.clock, {}, { logs: true });
        const { body } = await support.get('/v1/audit/head');
        await eventually(() => expect(lines.join('')).toContain(`last entry ${body.head}`));
        await app.close();
      } finally {
        write.mockRestore();
      }
    });

    it('leaves a gap for a last entry that was removed, also after further ones', async () => {
      await repository().append([entry('a'), entry('b')]);
      const last = (await audit().find().sort({ seq: -1 }).limit(1).toArray())[0]!;
      await audit().deleteOne({ _id: last._id });
      await repository().append([entry('c')]);
      expect(await verify()).toEqual([`entry ${last['seq']} was removed`]);
      await audit().insertOne(last);
    });

    it('begins with the entries of an older version, without user ids', async () => {
      await audit().deleteMany({});
      await support.database.db.collection('audit_head').deleteMany({});
      const old = (action: string, who: object, subject: { kind: string; id: string }) => ({
        _id: new Types.ObjectId(),
        at: NOW,
        who,
        action,
        subject,
        about: [`${subject.kind}:${subject.id}`],
        details: { fields: ['email'] },
      });
      const staff = { kind: 'staff', id: 'x', name: 'Carol' };
      const link = { kind: 'link', id: 'carer:old-user', name: 'carer:old-user' };
      await audit().insertMany([
        old('contact.put', staff, { kind: 'contact', id: 'old-user' }),
        old('alert.acknowledge', link, { kind: 'alert', id: 'y' }),
        ...Array.from({ length: 2_000 }, () => old('bottle.change', staff, { kind: 'bottle', id: 'z' })),
      ]);
      await Promise.all([1, 2, 3].map(() => repository().chainOldEntries()));
      expect(await verify()).toEqual([]);
      expect(await audit().countDocuments({ seq: { $lte: 2002 }, category: 'change' })).toBe(2002);
      expect(JSON.stringify(await audit().find().toArray())).not.toContain('old-user');
      expect(await about('contact:old-user')).toMatchObject([{ subject: { id: 'old-user' } }]);
      expect((await about('alert:y'))[0].who).toMatchObject({ id: 'carer:old-user', name: 'carer:old-user' });
      // a process of that version may still run
      await audit().insertOne(old('late', staff, { kind: 'bottle', id: 'z' }));
      const named: unknown[] = [];
      await repository().chainOldEntries(async (subjects) => void named.push(...subjects));
      expect(named).toEqual([{ kind: 'bottle', id: 'z' }]);
      expect(await verify()).toEqual([]);
    });
  });

  it.each([
    ['subject=bottle', 'invalid_value', 'subject'],
    ['subject=planet:x', 'invalid_value', 'subject'],
    ['subject=', 'out_of_range', 'subject'],
    ['subject[$gt]=', 'unknown_field', 'subject[$gt]'],
    ['staff_id=me', 'invalid_id', 'staff_id'],
    ['limit=0', 'out_of_range', 'limit'],
    ['cursor=x', 'invalid_cursor', 'cursor'],
    ['who=x', 'unknown_field', 'who'],
  ])('refuses %s', async (query, code, field) => {
    expect(await support.get(`/v1/audit?${query}`)).toMatchObject({ status: 400, body: { code, field } });
  });
});
