import { Types } from 'mongoose';
import { eventually } from '../../tools/harness/eventually.js';
import { at, insertAlerts, insertDeliveries } from './fixtures.js';
import { type Answer, NOW, Support } from './support.js';

describe('triage', () => {
  let support: Support;

  beforeAll(async () => {
    support = await Support.start('triage');
  });
  afterAll(() => support?.stop());
  beforeEach(async () => {
    support.clock.set(NOW);
    await support.database.db.collection('alerts').deleteMany({});
  });

  const later = (minutes: number) => at(minutes).toISOString();
  const ids = (items: { id: string }[]) => items.map(({ id }) => id);

  describe('alerts that need attention', () => {
    it('are ordered by the urgency of their kind, then oldest first; each once, whatever the page size', async () => {
      const kinds = [
        'low_supply',
        'bottle_open',
        'missed_dose',
        'fleet_incident',
        'missed_dose',
        'bottle_open',
      ];
      const inserted = await insertAlerts(
        support,
        // two with the same time
        kinds.map((kind, index) => ({ kind, raised_at: at(-Math.ceil(index / 2)) })),
      );
      const [supply, open1, missed2, incident, missed4, open5] = inserted;
      const expected = [incident, missed4, missed2, open5, open1, supply];
      await insertAlerts(support, [
        { kind: 'extra_dose', state: 'acknowledged' },
        { kind: 'extra_dose', state: 'resolved', open: undefined },
        { kind: 'extra_dose', snoozed_until: at(5) },
      ]);
      for (const limit of [1, 2, 3, 6, 7]) {
        const { items, pages } = await support.pages('/v1/alerts?order=needs_person', limit);
        const tied = new Set([missed4, missed2]);
        expect(ids(items).filter((id) => !tied.has(id))).toEqual(expected.filter((id) => !tied.has(id)));
        expect(new Set(ids(items))).toEqual(new Set(expected));
        expect(pages).toBe(Math.ceil(6 / limit));
      }
      const open = await support.pages('/v1/alerts?order=needs_person&kind=bottle_open', 1);
      expect(ids(open.items)).toEqual([open5, open1]);
    });

    it('are no reminders of doses: those are in no list and count unless asked for by their kind', async () => {
      const bottle_id = new Types.ObjectId();
      const [open] = await insertAlerts(support, [{ bottle_id }]);
      const reminders = await insertAlerts(support, [
        { bottle_id, kind: 'dose_reminder' },
        {
          bottle_id,
          kind: 'dose_reminder',
          subject: 'ended',
          state: 'resolved',
          open: undefined,
          ended_at: at(-8),
        },
      ]);
      const list = async (query: string) => ids((await support.pages(`/v1/alerts${query}`, 1)).items);
      expect(await list('?order=needs_person')).toEqual([open]);
      expect(await list('')).toEqual([open]);
      expect(await list(`?bottle_id=${bottle_id.toHexString()}`)).toEqual([open]);
      expect((await list('?kind=dose_reminder')).toSorted()).toEqual(reminders.toSorted());
      const { needs_attention, open_alerts } = (await support.get('/v1/fleet')).body;
      const total = (counts: object) => Object.values(counts).reduce((sum, count) => sum + count, 0);
      expect([total(needs_attention), total(open_alerts)]).toEqual([1, 1]);
      const from = at(-60).toISOString();
      const quality = await support.get(`/v1/alerts/quality?from=${from}&to=${at(0).toISOString()}`);
      expect(JSON.stringify(quality.body)).not.toContain('dose_reminder');
    });

    it('are assigned to a member of staff or to nobody, and have notes', async () => {
      const [mine, theirs, free, over] = await insertAlerts(support, [
        {},
        { raised_at: at(-8) },
        { raised_at: at(-7) },
        { state: 'resolved', open: undefined },
      ]);
      const account = { email: 'dora@example.org', name: 'Dora', role: 'support' };
      const { body: dora } = await support.post('/v1/staff', account);
      await support.post('/v1/staff', { email: 'vera@example.org', name: 'Vera', role: 'viewer' });
      const { body: disabled } = await support.post('/v1/staff', { ...account, email: 'gus@example.org' });
      await support.call('patch', `/v1/staff/${disabled.id}`, { disabled: true });
      const colleagues = await support.get('/v1/staff/colleagues', await support.keyOf('support'));
      expect(colleagues.body.items).toEqual([{ id: dora.id, name: 'Dora' }]);
      const assign = (id: string, to: string) => support.post(`/v1/alerts/${id}/assign`, { to });
      expect((await assign(mine!, 'me')).body).toMatchObject({ assigned_to: { name: 'ADMIN_TOKEN' } });
      const [first, second] = await Promise.all([assign(theirs!, 'me'), assign(theirs!, dora.id)]);
      expect([first.status, second.status]).toEqual([200, 200]);
      // both are in the history: nothing is lost
      const events = (await support.get(`/v1/alerts/${theirs}`)).body.history;
      expect(events.filter(({ event }: { event: string }) => event === 'assigned')).toHaveLength(2);
      await assign(theirs!, dora.id);
      const list = async (assigned: string) =>
        ids((await support.pages(`/v1/alerts?order=needs_person&assigned=${assigned}`, 1)).items);
      expect(await list('me')).toEqual([mine]);
      expect(await list('nobody')).toEqual([free]);
      const { body } = await support.post('/v1/alerts/assign', { ids: [mine, theirs, over], to: 'nobody' });
      expect(body.results.map(({ status }: Answer) => status)).toEqual([200, 200, 409]);
      expect(await list('nobody')).toHaveLength(3);
      await assign(theirs!, dora.id);
      await support.post(`/v1/alerts/${mine}/snooze`, { until: at(30).toISOString() });
      // counts are kept for a moment
      await eventually(async () => {
        const { unassigned, needs_attention } = (await support.get('/v1/fleet')).body;
        const total = (counts: object) => Object.values(counts).reduce((sum, count) => sum + count, 0);
        expect([total(unassigned), total(needs_attention)]).toEqual([1, 2]);
      });
      expect(await list('nobody')).toEqual([free]);
      expect((await assign(mine!, '0'.repeat(24))).body.code).toBe('unknown_account');
      expect((await assign(mine!, 'Dora')).status).toBe(400);
      expect((await support.get('/v1/alerts?assigned=me')).body.code).toBe('forbidden_field');
      const noted = await support.post(`/v1/alerts/${over}/note`, { note: 'Called, no answer.' });
      expect(noted.body.history.at(-1)).toMatchObject({ event: 'noted', note: 'Called, no answer.' });
    });

    it('of one member of staff stay in their list when they are acknowledged or snoozed, until they end', async () => {
      const [silent, late, acknowledged, snoozed, closed, theirs] = await insertAlerts(support, [
        { kind: 'bottle_silent', raised_at: at(-5) },
        { kind: 'missed_dose', raised_at: at(-9) },
        { kind: 'missed_dose', raised_at: at(-8) },
        { kind: 'missed_dose', raised_at: at(-7) },
        { kind: 'missed_dose', raised_at: at(-6) },
        { kind: 'missed_dose', raised_at: at(-5) },
      ]);
      await support.post('/v1/alerts/assign', {
        ids: [silent, late, acknowledged, snoozed, closed],
        to: 'me',
      });
      await support.post(`/v1/alerts/${theirs}/assign`, { to: 'me' }, await support.keyOf('support'));
      await support.post(`/v1/alerts/${acknowledged}/acknowledge`, {});
      await support.post(`/v1/alerts/${snoozed}/snooze`, { until: later(60) });
      const list = async () =>
        ids((await support.pages('/v1/alerts?order=needs_person&assigned=me', 1)).items);
      const urgent = [late, acknowledged, snoozed, closed];
      expect(await list()).toEqual([...urgent, silent]);
      await support.post(`/v1/alerts/${closed}/close`, { reason: 'duplicate' });
      expect(await list()).toEqual([late, acknowledged, snoozed, silent]);
    });

    it('do not include snoozed ones, which have their own list', async () => {
      const [late, soon, other] = await insertAlerts(support, [
        { snoozed_until: at(20) },
        { snoozed_until: at(10) },
        { kind: 'missed_dose', snoozed_until: at(30) },
        {},
      ]);
      const { items } = await support.pages('/v1/alerts?order=comes_back', 1);
      expect(ids(items)).toEqual([other, soon, late]);
      expect(items[1]).toMatchObject({ snoozed_until: later(10) });
      expect((await support.get('/v1/alerts?order=needs_person')).body.items).toHaveLength(1);
    });

    it('can be filtered by kind, but not by state or bottle', async () => {
      const cursor = (await firstPage('order=needs_person&kind=bottle_open')).next_cursor;
      for (const query of [
        'order=needs_person&state=open',
        `order=needs_person&bottle_id=${'0'.repeat(24)}`,
        'order=oldest',
        `order=comes_back&cursor=${cursor}`,
        `order=needs_person&kind=low_supply&cursor=${cursor}`,
        `cursor=${cursor}`,
      ]) {
        expect((await support.get(`/v1/alerts?${query}`)).status).toBe(400);
      }
    });

    async function firstPage(query: string): Promise<Answer['body']> {
      await insertAlerts(support, [{}, {}]);
      return (await support.get(`/v1/alerts?${query}&limit=1`)).body;
    }
  });

  it('a list contains who acknowledged, and dead notifications', async () => {
    const [taken, undelivered] = await insertAlerts(support, [{}, { raised_at: at(-20) }]);
    const message = { alert_id: new Types.ObjectId(undelivered), status: 'dead' };
    await insertDeliveries(support, [
      { ...message, step: 'raised' },
      { ...message, step: 'escalated' },
      { ...message, step: 'escalated 2', status: 'delivered' },
    ]);
    await support.post(`/v1/alerts/${taken}/acknowledge`, {}, await support.keyOf('support'));
    const { items } = (await support.get('/v1/alerts')).body;
    expect(items).toMatchObject([
      { id: taken, acknowledged_by: 'a support', acknowledged_at: later(0), dead_deliveries: 0 },
      { id: undelivered, acknowledged_by: null, acknowledged_at: null, dead_deliveries: 2 },
    ]);
  });

  describe('actions on several alerts', () => {
    it.each([
      ['acknowledge', { note: 'outage of the town' }, 'acknowledged'],
      ['snooze', { until: later(60), note: 'later' }, 'open'],
      ['close', { reason: 'duplicate', note: 'all fine' }, 'closed'],
    ])('%s, with a note', async (verb, body, state) => {
      const some = await insertAlerts(support, [{}, { kind: 'missed_dose' }]);
      const answer = await support.post(`/v1/alerts/${verb}`, { ids: some, ...body });
      expect(answer.status).toBe(200);
      expect(answer.body.results).toMatchObject(some.map((id) => ({ id, status: 200, code: null, state })));
      for (const id of some) {
        const { history } = (await support.get(`/v1/alerts/${id}`)).body;
        expect(history.at(-1)).toMatchObject({ by: 'ADMIN_TOKEN', note: body.note });
      }
    });

    it('handle each on its own, and say who was first', async () => {
      const [free, taken, over] = await insertAlerts(support, [
        {},
        {},
        { state: 'resolved', open: undefined, history: [{ event: 'resolved', at: at(-1), by: 'notifier' }] },
      ]);
      await support.post(`/v1/alerts/${taken}/acknowledge`, {}, await support.keyOf('support'));
      support.clock.advance(60_000);
      const missing = 'f'.repeat(24);
      const { body } = await support.post('/v1/alerts/acknowledge', {
        ids: [taken, missing, free, over, free],
      });
      const refused = { status: 409, code: 'alert_not_open' };
      expect(body.results).toMatchObject([
        { id: taken, ...refused, state: 'acknowledged', by: 'a support', at: later(0) },
        { id: missing, status: 404, code: 'alert_not_found', state: null },
        { id: free, status: 200, code: null, by: 'ADMIN_TOKEN', at: later(1) },
        { id: over, ...refused, state: 'resolved', by: 'notifier' },
      ]);
      expect((await support.get(`/v1/alerts/${taken}`)).body).toMatchObject({ acknowledged_by: 'a support' });
    });

    it('says of which alert nothing was stored, and audits the others', async () => {
      const ids = await insertAlerts(support, [{}, {}, {}]);
      const { db } = support.database;
      await db.command({
        collMod: 'alerts',
        validator: { $nor: [{ _id: new Types.ObjectId(ids[1]), state: 'acknowledged' }] },
      });
      try {
        const { status, body } = await support.post('/v1/alerts/acknowledge', { ids });
        expect(status).toBe(200);
        expect(body.results).toMatchObject([
          { id: ids[0], status: 200, code: null },
          { id: ids[1], status: 503, code: 'database_error', state: null },
          { id: ids[2], status: 200, code: null },
        ]);
      } finally {
        await db.command({ collMod: 'alerts', validator: {} });
      }
      const entries = await Promise.all(
        ids.map(async (id) => (await support.get(`/v1/audit?subject=alert:${id}`)).body.items.length),
      );
      expect(entries).toEqual([1, 0, 1]);
    });

    it('are audited for each that changed, and for no other', async () => {
      const [one, other] = await insertAlerts(support, [
        { bottle_id: new Types.ObjectId('1'.repeat(24)) },
        { state: 'retracted', open: undefined },
      ]);
      await support.post('/v1/alerts/snooze', { ids: [one, other], until: later(60), note: 'private' });
      const about = async (subject: string) =>
        (await support.get(`/v1/audit?category=change&subject=${encodeURIComponent(subject)}`)).body.items;
      expect(await about(`alert:${one}`)).toMatchObject([
        { action: 'alert.snooze', details: { until: later(60), fields: ['ids', 'note'] } },
      ]);
      expect(await about(`bottle:${'1'.repeat(24)}`)).toHaveLength(1);
      expect(await about(`alert:${other}`)).toEqual([]);
    });

    it.each([
      [{}, 'missing_field', 'ids'],
      [{ ids: [] }, 'out_of_range', 'ids'],
      [{ ids: 'all' }, 'invalid_type', 'ids'],
      [{ ids: [{ $gt: '' }] }, 'invalid_id', 'ids'],
      [{ ids: Array.from({ length: 201 }, () => '0'.repeat(24)) }, 'too_many_items', 'ids'],
      [{ ids: ['0'.repeat(24)], note: 7 }, 'invalid_type', 'note'],
    ])('refuses %j', async (body, code, field) => {
      expect(await support.post('/v1/alerts/acknowledge', body)).toMatchObject({
        status: 400,
        body: { code, errors: [{ field, code }] },
      });
    });

    it('refuse a time in the past before anything changes', async () => {
      const some = await insertAlerts(support, [{}, {}]);
      const answer = await support.post('/v1/alerts/snooze', { ids: some, until: later(-1) });
      expect(answer).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'until', code: 'out_of_range' }] },
      });
      expect((await support.get('/v1/alerts?order=comes_back')).body.items).toEqual([]);
    });
  });

  describe('two people on one alert', () => {
    it('the second one learns who was first and when', async () => {
      const [id] = await insertAlerts(support, [{}]);
      await support.post(`/v1/alerts/${id}/acknowledge`, { note: 'mine' }, await support.keyOf('support'));
      support.clock.advance(60_000);
      const { status, body } = await support.post(`/v1/alerts/${id}/acknowledge`, { note: 'no, mine' });
      expect(status).toBe(409);
      expect(body.detail).toContain(`acknowledged, by a support at ${later(0)}`);
      expect((await support.get(`/v1/alerts/${id}`)).body.history).toHaveLength(2);
    });

    it.each([
      ['snooze', { until: later(60) }],
      ['close', { reason: 'duplicate' }],
    ])('%s does not undo what the other one has done meanwhile', async (verb, body) => {
      const [id] = await insertAlerts(support, [{}]);
      await support.post(`/v1/alerts/${id}/acknowledge`, {}, await support.keyOf('support'));
      const path = `/v1/alerts/${id}/${verb}`;
      const refused = await support.post(path, { ...body, seen_state: 'open' });
      expect(refused).toMatchObject({ status: 409, body: { code: 'alert_not_open' } });
      expect(refused.body.detail).toContain('a support');
      const many = await support.post(`/v1/alerts/${verb}`, { ids: [id], ...body, seen_state: 'open' });
      expect(many.body.results).toMatchObject([{ status: 409, state: 'acknowledged', by: 'a support' }]);
      expect((await support.get(`/v1/alerts/${id}`)).body.state).toBe('acknowledged');
      expect((await support.post(path, { ...body, seen_state: 'acknowledged' })).status).toBe(200);
    });
  });

  describe('a fleet incident', () => {
    const incident = { kind: 'fleet_incident', bottle_id: new Types.ObjectId('0'.repeat(24)) };

    it.each([
      ['confirm', 'confirmed', false],
      ['dismiss', 'dismissed', true],
    ])('%s is decided once, by one', async (verb, event, dismissed) => {
      const [id] = await insertAlerts(support, [incident]);
      const answer = await support.post(`/v1/alerts/${id}/${verb}`, { note: 'looked at the routers' });
      expect(answer).toMatchObject({
        status: 200,
        body: { state: 'acknowledged', dismissed, acknowledged_by: 'ADMIN_TOKEN' },
      });
      expect(answer.body.history.at(-1)).toMatchObject({ event, note: 'looked at the routers' });
      for (const second of ['confirm', 'dismiss', 'acknowledge']) {
        expect((await support.post(`/v1/alerts/${id}/${second}`)).status).toBe(409);
      }
    });

    it('is counted with the time of the count', async () => {
      const [id] = await insertAlerts(support, [incident]);
      const { body } = await support.get(`/v1/alerts/${id}/incident`);
      expect(body).toMatchObject({ bottles: 0, still_silent: 0, counted_at: NOW.toISOString() });
    });

    it('is the only kind that can be confirmed or dismissed', async () => {
      const [id] = await insertAlerts(support, [{}]);
      for (const verb of ['confirm', 'dismiss']) {
        expect(await support.post(`/v1/alerts/${id}/${verb}`)).toMatchObject({
          status: 409,
          body: { code: 'not_an_incident' },
        });
        expect((await support.post(`/v1/alerts/${'f'.repeat(24)}/${verb}`)).status).toBe(404);
      }
      expect((await support.get(`/v1/alerts/${id}`)).body.state).toBe('open');
    });
  });
});
