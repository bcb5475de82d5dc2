import { parse } from 'csv-parse/sync';
import { Types } from 'mongoose';
import { eventually } from '../../tools/harness/eventually.js';
import { at, insertAlerts, insertDeliveries } from './fixtures.js';
import { NOW, Support } from './support.js';

describe('alerts', () => {
  let support: Support;

  beforeAll(async () => {
    support = await Support.start('alerts');
  });
  afterAll(() => support?.stop());

  const stored = (id: string) =>
    support.database.db.collection('alerts').findOne({ _id: new Types.ObjectId(id) });
  const ofBottle = (id: string) => support.get(`/v1/alerts?bottle_id=${id}`);

  describe('alerts', () => {
    it('are returned with evidence, history and notifications', async () => {
      const bottle_id = new Types.ObjectId();
      const [id] = await insertAlerts(support, [{ bottle_id }]);
      const [delivery] = await insertDeliveries(support, [
        {
          alert_id: new Types.ObjectId(id),
          bottle_id,
          attempts: [{ at: at(-8), ok: false, status: 500, error: 'HTTP 500' }],
        },
      ]);
      const summary = {
        id,
        bottle_id: bottle_id.toHexString(),
        user_id: 'willcross1024',
        medication: 'Cordrazine',
        kind: 'bottle_open',
        subject: '',
        state: 'open',
        deadline: at(-10).toISOString(),
        raised_at: at(-9).toISOString(),
        ended_at: null,
        ended_as: null,
        closing: null,
        snoozed_until: null,
        acknowledged_by: null,
        acknowledged_by_name: null,
        acknowledged_at: null,
        assigned_to: null,
        dead_deliveries: 0,
        user_name: null,
        label: null,
        time_zone: null,
      };
      expect((await ofBottle(summary.bottle_id)).body).toEqual({ items: [summary] });
      expect((await support.get(`/v1/alerts/${id}`)).body).toEqual({
        ...summary,
        flapping: false,
        cleared_at: null,
        clears_at: null,
        next_step_at: null,
        suppressed: [],
        dismissed: false,
        decision: null,
        evidence: { rule: 'open_after', open_after_ms: 300_000, opened_at: at(-15).toISOString() },
        history: [
          {
            event: 'raised',
            at: at(-9).toISOString(),
            by: 'notifier',
            by_name: 'notifier',
            note: null,
            reason: null,
            to: null,
          },
        ],
        deliveries: [
          expect.objectContaining({
            id: delivery,
            status: 'pending',
            attempts: [
              {
                at: at(-8).toISOString(),
                ok: false,
                status: 500,
                error: 'HTTP 500',
                address: null,
                receipt: null,
              },
            ],
          }),
        ],
      });
    });

    it('are listed by state, kind and bottle', async () => {
      const bottle_id = new Types.ObjectId();
      await insertAlerts(support, [
        { bottle_id, kind: 'missed_dose', subject: 'a' },
        { bottle_id, kind: 'missed_dose', subject: 'b', state: 'acknowledged' },
        { bottle_id, kind: 'bottle_silent', state: 'resolved', open: undefined, ended_at: NOW },
      ]);
      const count = async (query: string) =>
        (await support.get(`/v1/alerts?bottle_id=${bottle_id.toHexString()}${query}`)).body.items.length;
      expect(await count('')).toBe(3);
      expect(await count('&state=open')).toBe(1);
      expect(await count('&kind=missed_dose')).toBe(2);
      expect(await count('&state=resolved&kind=bottle_silent')).toBe(1);
      expect(await count('&state=retracted')).toBe(0);
    });

    it('are acknowledged in the name of the caller', async () => {
      const [id] = await insertAlerts(support, [{}]);
      const key = await support.keyOf('support');
      const answer = await support.post(`/v1/alerts/${id}/acknowledge`, { note: 'called the carer' }, key);
      expect(answer).toMatchObject({ status: 200, body: { id, state: 'acknowledged' } });
      expect(answer.body.history).toEqual([
        {
          event: 'raised',
          at: at(-9).toISOString(),
          by: 'notifier',
          by_name: 'notifier',
          note: null,
          reason: null,
          to: null,
        },
        {
          event: 'acknowledged',
          at: NOW.toISOString(),
          by: 'a support',
          by_name: 'a support',
          note: 'called the carer',
          reason: null,
          to: null,
        },
      ]);
    });

    it('are acknowledged without a note, too', async () => {
      const [id] = await insertAlerts(support, [{}]);
      const answer = await support.post(`/v1/alerts/${id}/acknowledge`);
      expect(answer.body.history[1]).toMatchObject({ by: 'ADMIN_TOKEN', note: null });
    });

    it('say the name of the carer who acknowledged', async () => {
      const by = 'carer.jonas:of-jonas';
      const bottle = await support.register({ user_id: 'of-jonas' });
      const [id] = await insertAlerts(support, [
        {
          bottle_id: new Types.ObjectId(bottle.id),
          user_id: 'of-jonas',
          state: 'acknowledged',
          history: [{ event: 'acknowledged', at: at(-1), by }],
        },
      ]);
      await support.database.db.collection<{ _id: string; other_carers: object[] }>('contacts').insertOne({
        _id: 'of-jonas',
        other_carers: [{ id: 'jonas', name: 'Jonas Berg', webhook: true }],
      });
      const names = { acknowledged_by: by, acknowledged_by_name: 'Jonas Berg' };
      expect((await support.get(`/v1/alerts/${id}`)).body).toMatchObject({
        ...names,
        history: [{ by, by_name: 'Jonas Berg' }],
      });
      const { items } = (await support.get('/v1/alerts?state=acknowledged')).body;
      expect(items.find((alert: { id: string }) => alert.id === id)).toMatchObject(names);
      const { open_alerts } = (await support.get(`/v1/bottles/${bottle.id}`)).body;
      expect(open_alerts).toEqual([expect.objectContaining(names)]);
      const timeline = (await support.get(`/v1/bottles/${bottle.id}/timeline`)).body;
      expect(timeline.items).toContainEqual(
        expect.objectContaining({ kind: 'alert_raised', alert: expect.objectContaining(names) }),
      );
    });

    it('are acknowledged by one of two concurrent callers', async () => {
      for (let round = 0; round < 10; round += 1) {
        const [id] = await insertAlerts(support, [{}]);
        const answers = await Promise.all(
          ['one', 'other'].map((note) => support.post(`/v1/alerts/${id}/acknowledge`, { note })),
        );
        expect(answers.map(({ status }) => String(status)).sort()).toEqual(['200', '409']);
        expect(answers.find(({ status }) => status === 409)!.body).toMatchObject({
          code: 'alert_not_open',
          errors: [{ field: 'state', message: 'acknowledged' }],
        });
        expect((await support.get(`/v1/alerts/${id}`)).body.history).toHaveLength(2);
      }
    });

    it.each(['acknowledged', 'resolved', 'retracted'])('cannot be acknowledged when %s', async (state) => {
      const [id] = await insertAlerts(support, [{ state, open: undefined }]);
      const answer = await support.post(`/v1/alerts/${id}/acknowledge`);
      expect(answer).toMatchObject({
        status: 409,
        body: { code: 'alert_not_open', errors: [{ field: 'state', message: state }] },
      });
      expect(answer.body.detail).toContain(state);
    });

    it('return 404 for an unknown id', async () => {
      const nowhere = `/v1/alerts/${'0'.repeat(24)}`;
      const missing = { status: 404, body: { code: 'alert_not_found' } };
      expect(await support.get(nowhere)).toMatchObject(missing);
      expect(await support.post(`${nowhere}/acknowledge`)).toMatchObject(missing);
    });
  });

  describe('closing an alert', () => {
    it('needs a reason, and the reason "other" a note', async () => {
      const [id] = await insertAlerts(support, [{}]);
      for (const [body, field] of [
        [{}, 'reason'],
        [{ reason: 'resolved' }, 'reason'],
        [{ reason: 'other' }, 'note'],
        [{ reason: 'other', note: ' ' }, 'note'],
      ] as const)
        expect(await support.post(`/v1/alerts/${id}/close`, body)).toMatchObject({
          status: 400,
          body: { errors: [{ field }] },
        });
      expect((await support.get(`/v1/alerts/${id}`)).body.state).toBe('open');
      expect((await support.post(`/v1/alerts/${id}/resolve`, {})).status).toBe(404);
    });

    it('records who closed it and why, and follows its condition', async () => {
      const bottle_id = new Types.ObjectId();
      const [id] = await insertAlerts(support, [{ bottle_id, kind: 'missed_dose' }]);
      const { status, body } = await support.post(`/v1/alerts/${id}/close`, { reason: 'device_fault' });
      const closing = { by: 'ADMIN_TOKEN', at: NOW.toISOString(), reason: 'device_fault', note: null };
      expect(status).toBe(200);
      expect(body).toMatchObject({
        state: 'closed',
        ended_as: 'closed_by_staff',
        ended_at: null,
        closing: { ...closing, notified: true },
        next_step_at: null,
      });
      expect(body.history.at(-1)).toMatchObject({ event: 'closed_by_staff', reason: 'device_fault' });
      // the unique index keeps another alert for the same dose away, and the check ends this one
      expect(await stored(id!)).toMatchObject({ open: true, end_owed: 'closed_by_staff' });
      const [other] = await insertAlerts(support, [{ bottle_id, kind: 'extra_dose' }]);
      await support.post(`/v1/alerts/${other}/close`, { reason: 'not_relevant', notify: false });
      expect(await stored(other!)).toMatchObject({ closing: { notified: false } });
      for (const field of ['open', 'end_owed']) expect(await stored(other!)).not.toHaveProperty(field);
      for (const verb of ['acknowledge', 'snooze', 'close'])
        expect(
          await support.post(`/v1/alerts/${id}/${verb}`, {
            ...(verb === 'snooze' && { until: at(60) }),
            ...(verb === 'close' && { reason: 'duplicate' }),
          }),
        ).toMatchObject({ status: 409, body: { errors: [{ message: 'closed' }] } });
      const csv = await support.get(`/v1/alerts?bottle_id=${bottle_id.toHexString()}&format=csv`);
      expect(csv.text).toContain('ended_as,closing.by,closing.at,closing.reason,closing.note');
      expect(csv.text).toContain(`closed_by_staff,ADMIN_TOKEN,${NOW.toISOString()},device_fault,`);
    });

    it.each([
      ['missed_dose', { outcome: 'missed' }, 'missed'],
      ['missed_dose', { outcome: 'taken_late' }, 'taken_late'],
      ['bottle_open', { ended_by: { action: 'closed' } }, 'lid_closed'],
      ['bottle_open', { ended_by: { action: 'opened' } }, 'opened_again'],
      ['bottle_silent', {}, 'back_online'],
    ])('is not what a %s with %j says that ended it', async (kind, evidence, ended_as) => {
      const [id] = await insertAlerts(support, [
        { kind, evidence, state: 'resolved', open: undefined, ended_at: NOW },
      ]);
      expect((await support.get(`/v1/alerts/${id}`)).body).toMatchObject({ ended_as, closing: null });
    });

    it.each([
      ['taken', 'reported_taken'],
      ['skipped', 'reported_skipped'],
      ['withdrawn', 'missed'],
    ])('is no closing by staff where a statement that they recorded was %s', async (settled, ended_as) => {
      const note = settled === 'withdrawn' ? 'statement withdrawn' : `reported ${settled}`;
      const [id] = await insertAlerts(support, [
        {
          kind: 'missed_dose',
          evidence: {
            rule: 'late_after',
            outcome: 'missed',
            reported: { settled, by: 'Carol Smith', at: at(-1), entry: 'e'.repeat(24) },
          },
          state: 'resolved',
          open: undefined,
          ended_at: at(-1),
          history: [{ event: 'resolved', at: at(-1), by: 'Carol Smith', note }],
        },
      ]);
      expect((await support.get(`/v1/alerts/${id}`)).body).toMatchObject({ ended_as, closing: null });
      const { text } = await support.get('/v1/alerts?state=resolved&format=csv');
      expect(parse(text, { bom: true, columns: true })).toContainEqual(
        expect.objectContaining({ id, ended_as, 'closing.by': '' }),
      );
    });

    it('is what earlier versions recorded as resolved by a person', async () => {
      const history = [{ event: 'resolved', at: at(-1), by: 'Carol Smith', note: 'fine' }];
      const [id] = await insertAlerts(support, [
        { state: 'resolved', open: undefined, ended_at: at(-1), history },
      ]);
      expect((await support.get(`/v1/alerts/${id}`)).body).toMatchObject({
        ended_as: 'closed_by_staff',
        closing: { by: 'Carol Smith', at: at(-1).toISOString(), reason: 'other', note: 'fine' },
      });
    });

    it('shows before what people will read, and who', async () => {
      const user_id = 'anna';
      await support.call('put', `/v1/contacts/${user_id}`, {
        email: 'anna@example.test',
        email_verified: true,
        time_zone: 'Europe/Berlin',
        quiet_hours: { from: '12:00', to: '15:00' },
        carer: { webhook: true, time_zone: 'UTC' },
      });
      const slot = at(-120).toISOString();
      const [id, silent] = await insertAlerts(support, [
        { user_id, kind: 'missed_dose', subject: slot },
        { user_id, kind: 'bottle_silent' },
      ]);
      const alert_id = new Types.ObjectId(id);
      await insertDeliveries(support, [
        { alert_id, recipient: 'user:anna', channel: 'email', status: 'delivered' },
        {
          alert_id,
          recipient: 'carer:anna',
          channel: 'webhook',
          created_at: at(-8),
          attempts: [{ at: at(-5), ok: false }],
        },
        {
          alert_id,
          recipient: 'operator',
          attempts: [
            { at: at(-5), ok: false, status: 500 },
            { at: at(-4), ok: false, unsent: true },
          ],
        },
      ]);
      const body = { ids: [id, silent], reason: 'other', note: 'not clinically relevant' };
      const { messages } = (await support.post('/v1/alerts/close/preview', body)).body;
      expect(messages).toMatchObject([
        {
          alert_id: id,
          recipient: 'user:anna',
          channel: 'email',
          address: 'anna@example.test',
          title: 'Alert closed by support',
        },
        { alert_id: id, recipient: 'carer:anna', channel: 'webhook', address: null, not_before: null },
      ]);
      expect(messages[0].text).toContain('Closed by staff. Reason: not clinically relevant.');
      expect(messages[0].text).toContain('This does not say whether the dose was taken.');
      expect(messages[0].text).not.toMatch(/late dose was taken|all clear/i);
      expect(JSON.parse(messages[1].text)).toMatchObject({
        type: 'alert.closed_by_staff',
        data: { state: 'closed', ended_as: 'closed_by_staff', closed: { reason: 'other' } },
      });
      expect((await support.get(`/v1/alerts/${id}`)).body.state).toBe('open');
      const silently = await support.post('/v1/alerts/close/preview', { ...body, notify: false });
      expect(silently.body).toEqual({ messages: [] });
    });
  });

  describe('deliveries', () => {
    it('are listed by status and alert', async () => {
      const alert_id = new Types.ObjectId();
      await insertDeliveries(support, [
        { alert_id, step: 'a', status: 'dead', reason: 'gone' },
        { alert_id, step: 'b', status: 'delivered' },
        { step: 'c' },
      ]);
      const list = async (query: string) =>
        (await support.get(`/v1/deliveries?alert_id=${alert_id.toHexString()}${query}`)).body.items;
      expect(await list('')).toHaveLength(2);
      expect(await list('&status=dead')).toEqual([
        expect.objectContaining({ step: 'a', status: 'dead', reason: 'gone' }),
      ]);
      expect(await list('&status=cancelled')).toEqual([]);
    });

    it('have the label of the bottle, until it is another person’s', async () => {
      const { id } = await support.register({ user_id: 'had-it', label: 'blue, kitchen' });
      const bottle_id = new Types.ObjectId(id);
      const [alert] = await insertAlerts(support, [{ bottle_id, user_id: 'had-it' }]);
      await insertDeliveries(support, [{ bottle_id, alert_id: new Types.ObjectId(alert) }]);
      const labels = async (): Promise<unknown[]> => {
        const { items } = (await support.get(`/v1/deliveries?alert_id=${alert}`)).body;
        const listed = (await support.get(`/v1/alerts?bottle_id=${id}`)).body.items;
        return [...items, ...listed].map(({ label }: { label: string | null }) => label);
      };
      expect(await labels()).toEqual(['blue, kitchen', 'blue, kitchen']);
      await support.call('patch', `/v1/bottles/${id}`, { user_id: 'has-it-now' });
      expect(await labels()).toEqual([null, null]);
    });

    it('name a carer as the contact does, in each list', async () => {
      const [user, at_once] = ['has-a-named-carer', at(-9)];
      const { id } = await support.register({ user_id: user });
      await support.call('put', `/v1/contacts/${user}`, {
        webhook: true,
        carers: [{ name: 'Anna' }, { id: 'jonas', name: 'Jonas Vogt' }],
      });
      const bottle_id = new Types.ObjectId(id);
      const [alert] = await insertAlerts(support, [{ bottle_id, user_id: user }]);
      const of = { alert_id: new Types.ObjectId(alert), bottle_id, channel: 'email', created_at: NOW };
      await insertDeliveries(support, [
        { ...of, step: 'a', recipient: `carer.jonas:${user}` },
        // from before it was Jonas
        { ...of, step: 'b', recipient: `carer.jonas:${user}`, created_at: at_once },
        { ...of, step: 'c', recipient: 'operator' },
      ]);
      const names = (all: { step: string; recipient_name: string | null }[]): unknown[] =>
        all.toSorted((a, b) => (a.step < b.step ? -1 : 1)).map(({ recipient_name }) => recipient_name);
      const ofAlert = (await support.get(`/v1/alerts/${alert}`)).body.deliveries;
      const ofPerson = (await support.get(`/v1/people/${user}/messages`)).body.items;
      const inTimeline = (await support.get(`/v1/bottles/${id}/timeline`)).body.items.flatMap(
        ({ message }: { message: object | null }) => message ?? [],
      );
      for (const list of [ofAlert, ofPerson, inTimeline])
        expect(names(list)).toEqual(['Jonas Vogt', null, null]);
    });

    it('have no text where what they were about has changed since', async () => {
      const { id } = await support.register({ user_id: 'had-it-undone' });
      const bottle_id = new Types.ObjectId(id);
      const resolved = (minutes: number) => ({
        event: 'resolved',
        at: at(minutes),
        by: 'carer:had-it-undone',
      });
      const [alert] = await insertAlerts(support, [
        {
          bottle_id,
          user_id: 'had-it-undone',
          kind: 'missed_dose',
          subject: at(-60).toISOString(),
          state: 'resolved',
          ended_at: at(-2),
          // reported skipped, withdrawn, and then reported taken by the patient
          evidence: {
            reported: { settled: 'taken', by: 'the patient', at: at(-2), entry: 'f'.repeat(24) },
          },
          history: [{ event: 'raised', at: at(-9), by: 'notifier' }, ...[-6, -4, -2].map(resolved)],
        },
      ]);
      const of = { alert_id: new Types.ObjectId(alert), bottle_id, kind: 'missed_dose', channel: 'email' };
      const sent = (event: string, minutes: number, more: object = {}) => ({
        ...of,
        event,
        step: `${event} ${minutes}`,
        recipient: 'carer:had-it-undone',
        status: 'delivered',
        attempts: [{ at: at(minutes), ok: true }],
        created_at: at(minutes),
        ...more,
      });
      await insertDeliveries(support, [
        sent('raised', -9),
        sent('raised', -8, { recipient: 'operator', channel: 'webhook' }),
        sent('reported_skipped', -6),
        sent('reported_taken', -2),
      ]);
      const { items } = (await support.get('/v1/people/had-it-undone/messages')).body;
      type Item = { event: string; title: string | null; text: string | null; text_changed: boolean };
      const shown = (items as Item[]).map(({ event, title, text, text_changed }) => [
        event,
        title,
        text?.includes(title ?? '-') ?? null,
        text_changed,
      ]);
      expect(shown).toEqual([
        ['reported_taken', 'Dose reported taken by the patient', true, false],
        ['reported_skipped', null, null, true],
        // the JSON has all of the evidence
        ['raised', null, null, true],
        ['raised', 'Dose not taken yet', true, false],
      ]);
    });

    it('are listed as held where they wait for something else than their next attempt', async () => {
      const alert_id = new Types.ObjectId();
      const { id } = await support.register({ user_id: 'has-messages-that-wait' });
      const bottle_id = new Types.ObjectId(id);
      await insertDeliveries(support, [
        { alert_id, bottle_id, step: 'quiet', reason: 'quiet hours', next_attempt_at: at(30) },
        { alert_id, bottle_id, step: 'failed', next_attempt_at: at(30) },
        { alert_id, bottle_id, step: 'gone', status: 'cancelled', reason: 'the alert was erased' },
      ]);
      for (const path of [
        `/v1/deliveries?alert_id=${alert_id.toHexString()}&`,
        '/v1/people/has-messages-that-wait/messages?',
      ]) {
        const steps = async (status: string): Promise<string[]> => {
          const { items } = (await support.get(`${path}status=${status}`)).body;
          return (items as { step: string }[]).map(({ step }) => step).toSorted();
        };
        expect(await steps('held')).toEqual(['quiet']);
        expect(await steps('pending')).toEqual(['failed', 'quiet']);
        expect(await steps('cancelled')).toEqual(['gone']);
      }
      const { items } = (await support.get('/v1/deliveries?status=held')).body;
      expect((items as object[]).length).toBeGreaterThan(0);
      for (const item of items) expect(item).toMatchObject({ status: 'pending', reason: expect.any(String) });
    });

    it('are sent now when they failed and wait for their next attempt, and staff are on record for it', async () => {
      const later = new Date(NOW.getTime() + 30 * 60_000);
      const failed = { at: at(-5), ok: false, error: 'ECONNREFUSED', unsent: true };
      const claim = { token: 'of a notifier', until: later };
      const bottle_id = new Types.ObjectId();
      const [waiting, quiet, throttled, claimed] = await insertDeliveries(support, [
        {
          bottle_id,
          step: 'w',
          status: 'pending',
          attempts: [failed],
          next_attempt_at: later,
          retry_early_from: NOW,
        },
        { bottle_id, step: 'q', status: 'pending', reason: 'quiet hours', next_attempt_at: later },
        {
          bottle_id,
          step: 't',
          status: 'pending',
          attempts: [failed],
          reason: "delayed: recipient's hourly limit reached",
          throttled: true,
          next_attempt_at: later,
        },
        { bottle_id, step: 'c', status: 'pending', attempts: [failed], claim, next_attempt_at: later },
      ]);
      const answer = await support.post('/v1/deliveries/send-pending');
      expect(answer).toMatchObject({
        status: 200,
        body: { sent: [{ id: waiting, bottle_id: bottle_id.toHexString() }] },
      });
      const stored = async (id: unknown) =>
        support.database.db.collection('deliveries').findOne({ _id: id as never });
      expect(await stored(waiting)).toMatchObject({ status: 'pending', next_attempt_at: NOW });
      expect(await stored(waiting)).not.toHaveProperty('retry_early_from');
      for (const left of [quiet, throttled, claimed])
        expect(await stored(left)).toMatchObject({ next_attempt_at: later });
      const entry = await support.database.db
        .collection('audit')
        .findOne({ action: 'delivery.send_pending' });
      expect(entry).toMatchObject({
        subject: { kind: 'delivery', id: waiting },
        about: expect.arrayContaining([`bottle:${bottle_id.toHexString()}`]),
      });
    });

    it('show how each channel fares', async () => {
      await support.database.db.collection('deliveries').deleteMany({});
      const sent = { status: 'delivered', attempts: [{ at: at(-5), ok: true }] };
      await insertDeliveries(support, [
        sent,
        { ...sent, step: 'b', attempts: [{ at: at(-7), ok: true }] },
        { step: 'c', status: 'dead', created_at: at(-60) },
        { step: 'd', status: 'dead', created_at: at(-3 * 24 * 60) },
        { step: 'e', channel: 'email', status: 'pending', next_attempt_at: at(-2) },
      ]);
      const { body } = await support.get('/v1/settings', await support.keyOf('support'));
      expect(body.channels).toEqual([
        {
          channel: 'webhook',
          set_up: null,
          last_delivered_at: at(-5).toISOString(),
          due_since: null,
          failed: 1,
        },
        {
          channel: 'email',
          set_up: null,
          last_delivered_at: null,
          due_since: at(-2).toISOString(),
          failed: 0,
        },
        { channel: 'sms', set_up: null, last_delivered_at: null, due_since: null, failed: 0 },
        { channel: 'push', set_up: null, last_delivered_at: null, due_since: null, failed: 0 },
      ]);
      expect(body.settings).toContainEqual({ name: 'SILENT_BOTTLE_AFTER', value: '1h' });
      expect(body.versions.map(({ name }: { name: string }) => name)).toContain('MongoDB');
    });

    it('are replayed when dead, with their id and earlier attempts', async () => {
      const failed = { at: at(-5), ok: false, error: 'refused' };
      const [id] = await insertDeliveries(support, [
        { status: 'dead', reason: 'gave up', attempts: [failed] },
      ]);
      const answer = await support.post(`/v1/deliveries/${id}/replay`);
      expect(answer).toMatchObject({
        status: 200,
        body: {
          id,
          status: 'pending',
          reason: null,
          next_attempt_at: NOW.toISOString(),
          attempts: [{ error: 'refused' }],
        },
      });
      const stored = await support.database.db.collection('deliveries').findOne({ _id: id as never });
      expect(stored).toMatchObject({ attempts: [], earlier_attempts: [failed] });
    });

    it.each(['pending', 'delivered', 'cancelled'])('are not replayed when %s', async (status) => {
      const [id] = await insertDeliveries(support, [{ status }]);
      expect(await support.post(`/v1/deliveries/${id}/replay`)).toMatchObject({
        status: 409,
        body: { code: 'delivery_not_dead', errors: [{ field: 'status', message: status }] },
      });
    });

    it('return 404 for an unknown id', async () => {
      const answer = await support.post(`/v1/deliveries/${'0'.repeat(32)}/replay`);
      expect(answer).toMatchObject({ status: 404, body: { code: 'delivery_not_found' } });
    });
  });

  describe('the fleet', () => {
    it('is counted by status', async () => {
      const fresh = await Support.start('fleet');
      try {
        expect((await fresh.get('/v1/fleet')).body.bottles).toEqual({
          total: 0,
          by_status: { unknown: 0, silent: 0, late: 0, open: 0, ok: 0 },
        });
        const [reported, opened] = [
          await fresh.register(),
          await fresh.register({ schedule: { kind: 'times_of_day', times: ['08:00'] } }),
          await fresh.register(),
        ];
        await fresh.report(reported.token, 'heartbeats');
        fresh.clock.advance(30_000);
        await fresh.report(reported.token, 'heartbeats');
        await fresh.report(opened.token, 'actions', {
          action: 'opened',
          time: fresh.clock.now(),
          mass_of_contents: 1,
          number_of_pills: 1,
        });
        await insertAlerts(fresh, [
          {},
          { kind: 'missed_dose', state: 'acknowledged' },
          { kind: 'missed_dose', state: 'resolved', open: undefined },
          { kind: 'low_supply' },
          { kind: 'low_supply', snoozed_until: at(60) },
          // grouped under the incident
          { kind: 'bottle_silent' },
          { kind: 'bottle_silent', snoozed_until: at(60) },
          { kind: 'bottle_silent', raised_at: at(-99), assigned_to: { id: 'a'.repeat(24), name: 'Carol' } },
          { kind: 'fleet_incident', bottle_id: new Types.ObjectId('0'.repeat(24)), raised_at: at(-20) },
        ]);
        const { items } = (await fresh.get('/v1/alerts?order=needs_person')).body;
        expect(items).toHaveLength(4);
        // device-api counts once a second, and counts of bottles are kept for a moment
        await eventually(async () =>
          expect((await fresh.get('/v1/fleet')).body).toEqual({
            counted_at: fresh.clock.now().toISOString(),
            bottles: { total: 3, by_status: { unknown: 1, silent: 0, late: 0, open: 1, ok: 1 } },
            open_alerts: expect.objectContaining({ missed_dose: 1, bottle_open: 1, bottle_silent: 3 }),
            needs_attention: expect.objectContaining({
              missed_dose: 0,
              bottle_open: 1,
              low_supply: 1,
              bottle_silent: 1,
              fleet_incident: 1,
            }),
            unassigned: expect.objectContaining({ bottle_silent: 0, bottle_open: 1, fleet_incident: 1 }),
            ingest: { heartbeats_per_minute: 2, actions_per_minute: 1 },
            notifier: { lag_ms: { silent: 0, open: 0, dose: 30_000 }, running: 0 },
          }),
        );
        fresh.clock.advance(60_000);
        expect((await fresh.get('/v1/fleet')).body.ingest).toMatchObject({ heartbeats_per_minute: 0 });
      } finally {
        await fresh.stop();
      }
    });
  });
});
