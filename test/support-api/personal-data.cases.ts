import { AuditRepository, BottlesRepository, DeliveriesRepository } from '#persistence';
import { loadConfig } from '#platform';
import { jest } from '@jest/globals';
import { type mongo, Types } from 'mongoose';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SupportApiConfig } from '../../apps/support-api/src/config.js';
import { createSupportApi } from '../../apps/support-api/src/support-api.app.js';
import { at, insertAlerts, insertDeliveries } from './fixtures.js';
import { COUNTS, fill } from './filled-bottle.js';
import { ADMIN_TOKEN } from '../../tools/harness/services.js';
import { NOW, Support } from './support.js';

describe('personal data', () => {
  let support: Support;

  beforeAll(async () => {
    support = await Support.start('personal-data');
  });
  beforeEach(() => support.clock.set(NOW));
  afterAll(() => support?.stop());

  /** How often a bottle's id occurs in the database, except in the audit log. */
  async function mentions(id: string): Promise<number> {
    const { db } = support.database;
    const names = (await db.listCollections({ name: /^ts_vitals/ }, { nameOnly: true }).toArray()).map(
      ({ name }) => name,
    );
    const charts = await Promise.all(names.map((name) => db.collection(name).find().toArray()));
    const all = (await support.stored(['audit'])) + JSON.stringify(charts);
    return all.split(id).length - 1;
  }

  describe('an erasure', () => {
    it('removes all data of the bottle and none of the others', async () => {
      const [erased, stays] = [
        await support.register({ user_id: 'gone' }),
        await support.register({ user_id: 'stays' }),
      ];
      for (const { id, token } of [erased, stays]) await fill(support, { id, token });
      const before = await mentions(stays.id);
      expect(before).toBeGreaterThan(9);
      expect((await support.call('delete', `/v1/bottles/${erased.id}`)).status).toBe(200);
      expect(await mentions(erased.id)).toBe(0);
      expect(await mentions(stays.id)).toBe(before);
      expect(await support.report(erased.token, 'heartbeats')).toMatchObject({
        status: 401,
        body: { code: 'token_unknown' },
      });
      expect((await support.call('delete', `/v1/bottles/${erased.id}`)).status).toBe(404);
    });

    it('removes a medication from the search with its last bottle', async () => {
      const medication = 'Bo Jansen’s mixture';
      const [first, last] = [await support.register({ medication }), await support.register({ medication })];
      await support.call('delete', `/v1/bottles/${first.id}`);
      expect(await support.stored(['audit'])).toContain('bo jansen');
      await support.call('patch', `/v1/bottles/${last.id}`, { medication: 'Cordrazine' });
      expect(await support.stored(['audit'])).not.toMatch(/jansen/i);
      expect((await support.get('/v1/search?q=cordraz')).text).toContain('Cordrazine');
    });

    it('leaves a receipt for all staff, without patient data', async () => {
      const { id, token } = await support.register({ user_id: 'a-patient', medication: 'Inaprovaline' });
      await fill(support, { id, token });
      const path = `/v1/bottles/${id}/erasure`;
      expect(await support.get(path)).toMatchObject({ status: 404, body: { code: 'erasure_not_found' } });
      const answer = await support.call('delete', `/v1/bottles/${id}`);
      const receipt = {
        bottle_id: id,
        erased_at: NOW.toISOString(),
        erased_by: 'ADMIN_TOKEN',
        counts: COUNTS,
      };
      expect(answer.body).toEqual({ ...receipt, oplog_until: expect.stringMatching(/^\d{4}-.*Z$/) });
      support.clock.set(at(60 * 24 * 365));
      const later = await support.get(path, await support.keyOf('viewer'));
      expect(later).toMatchObject({ status: 200, body: receipt });
      const { body } = await support.get(`/v1/audit?category=change&subject=bottle:${id}`);
      expect(body.items).toMatchObject([{ action: 'bottle.erase', details: { counts: COUNTS } }, {}, {}]);
      expect(JSON.stringify(body)).not.toMatch(/a-patient|Inaprovaline/);
    });

    it('can be repeated after a crash, and its receipt counts everything', async () => {
      const { id, token } = await support.register();
      await fill(support, { id, token });
      const { db } = support.database;
      const _id = new Types.ObjectId(id);
      // the state after a crash: the bottle's state and actions are deleted and counted
      await db.collection('bottle_states').deleteOne({ _id });
      await db.collection('bottle_actions').deleteMany({ bottle_id: _id });
      await db.collection('bottles').updateOne({ _id }, { $inc: { 'erased.actions': 3 } });
      expect((await support.get(`/v1/bottles/${id}/erasure`)).status).toBe(404);
      const answer = await support.call('delete', `/v1/bottles/${id}`);
      expect(answer).toMatchObject({ status: 200, body: { counts: COUNTS } });
      expect(await mentions(id)).toBe(0);
    });

    it('by concurrent callers succeeds at least once, and counts nothing twice', async () => {
      const { id, token } = await support.register();
      await fill(support, { id, token });
      const answers = await Promise.all([1, 2, 3].map(() => support.call('delete', `/v1/bottles/${id}`)));
      expect(new Set(answers.map(({ status }) => status)).has(200)).toBe(true);
      expect(answers.every(({ status }) => [200, 404].includes(status))).toBe(true);
      expect((await support.get(`/v1/bottles/${id}/erasure`)).body.counts).toEqual(COUNTS);
    });

    it('by a caller whom another overtakes counts everything', async () => {
      const { id, token } = await support.register();
      await fill(support, { id, token });
      const erase = () => support.call('delete', `/v1/bottles/${id}`);
      const bottles = support.app.get(BottlesRepository);
      const countErased = bottles.countErased.bind(bottles);
      let other: ReturnType<typeof erase> | undefined;
      const spy = jest.spyOn(bottles, 'countErased').mockImplementation(async (erased, kind, count) => {
        if (kind === 'vitals' && !other) await (other = erase());
        await countErased(erased, kind, count);
      });
      expect((await erase()).status).toBe(404);
      spy.mockRestore();
      expect((await other)?.status).toBe(200);
      expect((await support.get(`/v1/bottles/${id}/erasure`)).body.counts).toEqual(COUNTS);
    });
  });

  describe('an erasure of a former owner', () => {
    it('that was interrupted leaves no notification about them when it is repeated', async () => {
      const { id } = await support.register({ user_id: 'former' });
      const bottle_id = new Types.ObjectId(id);
      const alerts = await insertAlerts(support, [
        { bottle_id, user_id: 'former', state: 'resolved', open: undefined },
        { bottle_id, user_id: 'former', kind: 'low_supply' },
      ]);
      await insertDeliveries(
        support,
        alerts.map((alert) => ({ bottle_id, alert_id: new Types.ObjectId(alert), recipient: 'operator' })),
      );
      support.clock.advance(60_000);
      await support.call('patch', `/v1/bottles/${id}`, { user_id: 'present' });
      const erase = () => support.call('delete', '/v1/people/former');
      const spy = jest
        .spyOn(support.app.get(DeliveriesRepository), 'deleteOfBottle')
        .mockRejectedValueOnce(new Error('killed'));
      expect((await erase()).status).toBe(500);
      spy.mockRestore();
      expect(await erase()).toMatchObject({ status: 200, body: { counts: { alerts: 1, deliveries: 2 } } });
      expect(await support.database.db.collection('deliveries').countDocuments({ bottle_id })).toBe(0);
    });
  });

  describe('an export', () => {
    it('contains everything stored about a bottle, about no other, without secrets', async () => {
      const { id, token } = await support.register({ user_id: '<b>a "patient"</b>', number_of_pills: 30 });
      const other = await support.register({ user_id: 'someone-else' });
      const { db } = support.database;
      for (const bottle of [{ id, token }, other]) {
        const bottle_id = new Types.ObjectId(bottle.id);
        await support.report(bottle.token, 'heartbeats', { battery_percent: 81 });
        const action = { action: 'opened', time: at(-1), mass_of_contents: 1, number_of_pills: 30 };
        await support.report(bottle.token, 'actions', action);
        const [alert] = await insertAlerts(support, [{ bottle_id }]);
        await insertDeliveries(support, [
          { bottle_id, alert_id: new Types.ObjectId(alert), claim: { token: 'x', until: NOW } },
        ]);
        await db.collection('dose_outcomes').insertOne({ bottle_id, scheduled_at: NOW, outcome: 'missed' });
        await db
          .collection('ts_vitals_202602')
          .insertOne({ _id: { bottle_id, timestamp: at(-24 * 60) }, values: {} } as never);
      }
      await db
        .collection('bottle_states')
        .updateOne({ _id: new Types.ObjectId(id) }, { $set: { dose_claim: { token: 'x', until: NOW } } });
      const answer = await support.get(`/v1/bottles/${id}/export`);
      expect(answer.status).toBe(200);
      expect(answer.headers['content-disposition']).toBe(`attachment; filename="bottle-${id}.json"`);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.headers['cache-control']).toBe('no-store');
      const file = JSON.parse(answer.text);
      expect(file).toMatchObject({
        exported_at: NOW.toISOString(),
        bottle: { _id: id, user_id: '<b>a "patient"</b>', time_zone: 'Europe/Berlin', initial_pills: 30 },
        state: { _id: id, user_id: '<b>a "patient"</b>' },
        actions: [{ bottle_id: id, action: 'opened', time: at(-1).toISOString() }],
        heartbeats: [{ bottle_id: id, time: NOW.toISOString(), battery_percent: 81 }],
        doses: [{ bottle_id: id, outcome: 'missed' }],
        alerts: [{ bottle_id: id, kind: 'bottle_open', evidence: { rule: 'open_after' } }],
        deliveries: [{ bottle_id: id, channel: 'webhook' }],
        pill_weights: [],
      });
      expect(file.vitals).toContainEqual({
        _id: { bottle_id: id, timestamp: at(-24 * 60).toISOString() },
        values: {},
      });
      expect(answer.text).not.toMatch(/someone-else|token_hash|claim/);
      expect(answer.text).not.toContain(other.id);
    });

    it('is audited before anything is sent, and is not for viewers', async () => {
      const { id } = await support.register();
      const path = `/v1/bottles/${id}/export`;
      expect(await support.get(path, await support.keyOf('viewer'))).toMatchObject({
        status: 403,
        body: { code: 'role_insufficient' },
      });
      expect((await support.get(path, await support.keyOf('support'))).status).toBe(200);
      const { body } = await support.get(`/v1/audit?subject=bottle:${id}`);
      expect(body.items).toMatchObject([
        { action: 'bottle.export', who: { name: 'a support' } },
        { action: 'bottle.register' },
      ]);
    });

    it('contains a long history completely, and in order', async () => {
      const { id } = await support.register();
      const bottle_id = new Types.ObjectId(id);
      const actions = Array.from({ length: 5_000 }, (_, index) => ({
        bottle_id,
        user_id: 'willcross1024',
        medication: 'Cordrazine',
        action: index % 2 ? 'opened' : 'closed',
        time: at(-index),
      }));
      await support.database.db.collection('bottle_actions').insertMany(actions);
      const { text } = await support.get(`/v1/bottles/${id}/export`);
      const times = JSON.parse(text).actions.map(({ time }: { time: string }) => time);
      expect(times).toEqual(actions.map(({ time }) => time.toISOString()).reverse());
    });

    it('of an unknown bottle is a 404, and not a file', async () => {
      const answer = await support.get(`/v1/bottles/${new Types.ObjectId().toHexString()}/export`);
      expect(answer).toMatchObject({ status: 404, body: { code: 'bottle_not_found' } });
      expect(answer.headers['content-disposition']).toBeUndefined();
    });
  });

  it('are not served when the list of erasures cannot be written', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pillwatch-'));
    const app = await createSupportApi(
      loadConfig(SupportApiConfig, {
        MONGODB_URI: support.database.uri,
        ADMIN_TOKEN,
        SECOND_FACTOR: 'off',
        // as when a mount is missing
        ERASURES_FILE: join(folder, 'missing', 'erasures.jsonl'),
      }),
      { docsPage: false, logs: false },
    );
    await expect(app.init()).rejects.toThrow('ERASURES_FILE cannot be written (ENOENT)');
    await app.close();
  });

  describe('of a person', () => {
    const PERSON = 'ann.old@users';
    const STRINGS = [PERSON, 'ann@example.org', 'daughter@example.org', '+49 30 77', 'ann’s stiff lid'];
    const file = join(mkdtempSync(join(tmpdir(), 'pillwatch-')), 'erasures.jsonl');
    const logged: string[] = [];
    let person: Support;

    beforeAll(async () => {
      const write = (text: unknown): boolean => logged.push(String(text)) > 0;
      for (const stream of [process.stdout, process.stderr])
        jest.spyOn(stream, 'write').mockImplementation(write);
      person = await Support.start('person', { ERASURES_FILE: file }, { logs: true });
    });
    afterAll(async () => {
      jest.restoreAllMocks();
      await person?.stop();
    });

    const dump = async (): Promise<Record<string, mongo.Document[]>> => {
      const { db } = person.database;
      // without the profiler's records, which other tests leave and nobody can delete one by one
      const named = { name: { $not: /^system\./ } };
      const names = (await db.listCollections(named, { nameOnly: true }).toArray()).map(({ name }) => name);
      const all = await Promise.all(
        names.map(async (name) => [name, await db.collection(name).find().toArray()]),
      );
      return Object.fromEntries(all);
    };
    /** Where the person's strings are in the database, in whatever form. */
    const found = async (): Promise<string[]> =>
      Object.entries(await dump()).flatMap(([name, documents]) => {
        const text = JSON.stringify(documents).toLowerCase();
        return STRINGS.filter((one) => text.includes(one)).map((one) => `${name}: ${one}`);
      });

    /** A bottle of the person's, and one that was theirs until noon and is their heir's now, with data of both. */
    async function fillPerson(): Promise<{ own: string; shared: string }> {
      const { db } = person.database;
      const own = await person.register({ user_id: PERSON });
      const shared = await person.register({ user_id: PERSON });
      await person.call('put', `/v1/contacts/${encodeURIComponent(PERSON)}`, {
        email: 'ann@example.org',
        phone: '+49 30 77',
        carers: [{ email: 'daughter@example.org' }, { id: 'jonas', name: 'ann’s stiff lid' }],
      });
      for (const { id, token } of [own, shared]) {
        const bottle_id = new Types.ObjectId(id);
        await person.report(token, 'heartbeats', { battery_percent: 80 });
        const action = { action: 'opened', time: at(-60), mass_of_contents: 1, number_of_pills: 30 };
        await person.report(token, 'actions', action);
        const history = ['carer', 'carer.jonas'].map((who) => ({
          event: 'acknowledged',
          at: NOW,
          by: `${who}:${PERSON}`,
        }));
        const alerts = await insertAlerts(person, [
          { bottle_id, user_id: PERSON, state: 'resolved', open: undefined, history },
          { bottle_id, user_id: PERSON, kind: 'low_supply', history },
        ]);
        await insertDeliveries(
          person,
          ['user', 'carer.jonas'].map((to, index) => ({
            bottle_id,
            alert_id: new Types.ObjectId(alerts[index]),
            recipient: `${to}:${PERSON}`,
            attempts: [{ at: NOW, ok: false, error: 'no mailbox daughter@example.org' }],
          })),
        );
        await db
          .collection('dose_outcomes')
          .insertOne({ bottle_id, scheduled_at: at(-60), outcome: 'taken' });
        await person.post(`/v1/bottles/${id}/notes`, { text: 'Ann’s stiff lid' });
        await db
          .collection('attestations')
          .insertOne({ bottle_id, scheduled_at: at(-60), recorded_by: `user:${PERSON}`, note: 'at once' });
        await person.get(`/v1/bottles/${id}`);
      }
      await person.get(`/v1/contacts/${encodeURIComponent(PERSON)}`);
      await person.post(`/v1/people/${encodeURIComponent(PERSON)}/notes`, { text: 'Calls at noon' });
      await person.get(`/v1/bottles?user_id=${encodeURIComponent(PERSON)}`);
      person.clock.advance(60_000);
      await person.call('patch', `/v1/bottles/${shared.id}`, { user_id: 'heir' });
      person.clock.advance(60_000);
      const bottle_id = new Types.ObjectId(shared.id);
      await db.collection('dose_outcomes').insertOne({ bottle_id, scheduled_at: at(60), outcome: 'missed' });
      await db
        .collection('attestations')
        .insertOne({ bottle_id, scheduled_at: at(60), recorded_by: 'user:heir', note: 'later' });
      await db.collection('bottle_actions').insertOne({
        bottle_id,
        user_id: 'heir',
        medication: 'Cordrazine',
        action: 'closed',
        time: at(60),
      });
      await insertAlerts(person, [{ bottle_id, user_id: 'heir', kind: 'bottle_open' }]);
      person.clock.set(NOW);
      return { own: own.id, shared: shared.id };
    }

    it('an export contains their part of a bottle that has changed hands, and nothing of the other', async () => {
      const { own, shared } = await fillPerson();
      const answer = await person.get(`/v1/people/${encodeURIComponent(PERSON)}/export`);
      expect(answer.status).toBe(200);
      const file = JSON.parse(answer.text);
      expect(file).toMatchObject({
        contact: { email: 'ann@example.org' },
        bottles: [{ _id: own }, { _id: shared, user_id: PERSON, owned: [{ until: at(1).toISOString() }] }],
        states: [{ _id: own }],
      });
      expect(file.notes.map(({ text }: { text: string }) => text).sort()).toEqual([
        'Ann’s stiff lid',
        'Ann’s stiff lid',
        'Calls at noon',
      ]);
      for (const part of ['actions', 'heartbeats', 'doses', 'attestations', 'alerts', 'deliveries'])
        expect(file[part].map((one: { bottle_id: string }) => one.bottle_id)).toEqual(
          expect.arrayContaining([own, shared]),
        );
      expect(file.doses).toHaveLength(2);
      expect(file.attestations).toHaveLength(2);
      expect(answer.text).not.toMatch(/heir|missed|token_hash|claim/);

      const theirs = await person.get(`/v1/bottles/${shared}/export`);
      expect(JSON.parse(theirs.text)).toMatchObject({
        bottle: { user_id: 'heir', owned: [{ from: at(1).toISOString() }] },
        actions: [{ action: 'closed' }],
        doses: [{ outcome: 'missed' }],
        attestations: [{ note: 'later' }],
        alerts: [{ kind: 'bottle_open' }],
        deliveries: [],
        heartbeats: [],
      });
      for (const one of STRINGS) expect(theirs.text).not.toContain(one);
      expect((await person.get('/v1/people/nobody/export')).status).toBe(404);
    });

    it('an erasure leaves nothing of them in the database or the logs, also after a restored backup', async () => {
      const before = await dump();
      expect(new Set((await found()).map((one) => one.split(':')[0]))).toEqual(
        new Set([
          'alerts',
          'attestations',
          'bottle_actions',
          'bottle_heartbeats',
          'bottle_search_terms',
          'bottle_states',
          'bottles',
          'contacts',
          'deliveries',
          'notes',
          'people',
          'search_entries',
        ]),
      );
      const answer = await person.call('delete', `/v1/people/${encodeURIComponent(PERSON)}`);
      expect(answer).toMatchObject({
        status: 200,
        body: {
          person: expect.stringMatching(/^person-[0-9a-f]{32}$/),
          erased_by: 'ADMIN_TOKEN',
          counts: {
            bottles: 1,
            shared_bottles: 1,
            contacts: 1,
            actions: 2,
            doses: 2,
            deliveries: 4,
            notes: 3,
          },
          oplog_until: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      });
      expect(await found()).toEqual([]);
      expect(logged.join('')).not.toMatch(/ann.old@users|ann@example|daughter@/i);
      expect(await person.get(`/v1/people/${encodeURIComponent(PERSON)}/erasure`)).toMatchObject({
        status: 200,
        body: answer.body,
      });
      expect((await person.call('delete', `/v1/people/${encodeURIComponent(PERSON)}`)).status).toBe(404);
      const audited = (await person.get(`/v1/audit?subject=contact:${encodeURIComponent(PERSON)}`)).body
        .items;
      const { person: pseudonym } = answer.body;
      expect(audited.map(({ subject }: { subject: object }) => subject)).toContainEqual({
        kind: 'contact',
        id: pseudonym,
      });
      const { db } = person.database;
      const heirs = { user_id: 'heir' };
      const counts = async () => ({
        bottles: await db.collection('bottles').countDocuments(heirs),
        actions: await db.collection('bottle_actions').countDocuments(heirs),
        alerts: await db.collection('alerts').countDocuments(heirs),
        lasting: await db.collection('alerts').countDocuments({ user_id: pseudonym, open: true }),
      });
      expect(await counts()).toEqual({ bottles: 1, actions: 1, alerts: 1, lasting: 1 });
      const wrong: string[] = [];
      await person.app.get(AuditRepository).verify((sentence) => wrong.push(sentence));
      expect(wrong).toEqual([]);

      // what it has to record is recorded
      await person.app.close();
      for (const name of Object.keys(await dump())) await db.collection(name).deleteMany({});
      for (const [name, documents] of Object.entries(before))
        // device-api still counts by the second
        if (documents.length > 0 && !name.startsWith('ts_live'))
          await db.collection(name).insertMany(documents);
      expect(await found()).not.toEqual([]);
      const again = await createSupportApi(
        loadConfig(SupportApiConfig, {
          MONGODB_URI: person.database.uri,
          ADMIN_TOKEN,
          SECOND_FACTOR: 'off',
          ERASURES_FILE: file,
        }),
        { docsPage: false, clock: person.clock },
      );
      await again.init();
      await again.close();
      expect(await found()).toEqual([]);
      expect(await counts()).toEqual({ bottles: 1, actions: 1, alerts: 1, lasting: 1 });
      expect(logged.join('')).not.toMatch(/ann.old@users|ann@example|daughter@/i);
    });
  });
});
