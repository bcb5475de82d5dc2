import { parse } from 'csv-parse/sync';
import { Types } from 'mongoose';
import supertest from 'supertest';
import { at } from './fixtures.js';
import { ADMIN_TOKEN } from '../../tools/harness/services.js';
import { type Answer, NOW, Support } from './support.js';

const READ = { bom: true, columns: true } as const;

describe('what people say about doses', () => {
  /** 12:00 in Berlin, and NOW is 13:00 there. */
  const SLOT = at(-60).toISOString();
  const NOON = { kind: 'times_of_day', times: ['12:00'], pills_per_dose: 2 };
  let support: Support;

  beforeAll(async () => {
    support = await Support.start('attestations');
  });
  beforeEach(() => support.clock.set(NOW));
  afterAll(() => support?.stop());

  /** A bottle since yesterday, with a dose an hour ago. */
  async function newBottle(): Promise<{ id: string; path: string; stored: () => Promise<object[]> }> {
    support.clock.set(at(-24 * 60));
    const { id } = await support.register({ schedule: NOON });
    support.clock.set(NOW);
    const bottle_id = new Types.ObjectId(id);
    const stored = () => support.database.db.collection('attestations').find({ bottle_id }).toArray();
    return { id, path: `/v1/bottles/${id}/attestations`, stored };
  }
  async function setOutcome(id: string, outcome: string): Promise<void> {
    const dose = { bottle_id: new Types.ObjectId(id), scheduled_at: at(-60), judged_at: NOW };
    await support.database.db
      .collection('dose_outcomes')
      .insertOne({ ...dose, outcome, pills_scheduled: 2, pills_taken: 0 });
  }
  const taken = { scheduled_at: SLOT, kind: 'taken' };
  const doses = async (id: string): Promise<Answer['body'][]> =>
    (await support.get(`/v1/bottles/${id}/doses`)).body.items;

  it('stand beside what was measured, in the list of doses, in Today, in CSV and in the adherence figures', async () => {
    const { id, path } = await newBottle();
    await setOutcome(id, 'missed');
    const [before] = await doses(id);
    const stated = await support.post(path, {
      ...taken,
      taken_at: at(-50).toISOString(),
      source: 'elsewhere',
      attested_by: 'user',
      note: 'from the organiser',
    });
    expect(stated).toMatchObject({
      status: 201,
      body: {
        outcome: 'taken_on_time',
        pills: 2,
        source: 'elsewhere',
        attested_by: 'user',
        recorded_by: 'ADMIN_TOKEN',
        is_withdrawn: false,
        withdraws: null,
      },
    });
    const reported = { id: stated.body.id, outcome: 'taken_on_time', agreement: 'agrees' };
    const [dose] = await doses(id);
    expect(dose).toMatchObject({ reported });
    expect({ ...dose, reported: null }).toEqual(before);
    const bottle = (await support.get(`/v1/bottles/${id}`)).body;
    expect(bottle.today.doses).toMatchObject([
      { scheduled_at: SLOT, reported: { outcome: 'taken_on_time' } },
    ]);
    const csv = await support.get(`/v1/bottles/${id}/doses?format=csv`);
    expect(csv.text.split('\r\n')[0]).toMatch(/scheduled_at,outcome,.*,reported\.note,.*,reported\.outcome/);
    expect(csv.text).toContain('from the organiser');
    expect((await support.get(`/v1/bottles/${id}/adherence`)).body).toMatchObject({
      taking: { numerator: 0, denominator: 1 },
      reported: { taking: { numerator: 1, denominator: 1 }, attested: { numerator: 1, denominator: 1 } },
    });
    expect(parse((await support.get(`/v1/bottles/${id}/adherence?format=csv`)).text, READ)).toMatchObject([
      {
        time_zone: 'Europe/Berlin',
        'taking.numerator': '0',
        'taking.ratio': '0',
        'doses.missed': '1',
        'reported.taking.numerator': '1',
        'reported.taking.ratio': '1',
        'reported.doses.taken_on_time': '1',
        'reported.attested.numerator': '1',
        'reported.attested.ratio': '1',
      },
    ]);
  });

  it('are never changed: of two the latest counts, a withdrawal is a further entry, and all are listed', async () => {
    const { id, path, stored } = await newBottle();
    await setOutcome(id, 'unknown');
    const first = await support.post(path, taken);
    const kept = await stored();
    support.clock.advance(1);
    const second = await support.post(path, { scheduled_at: SLOT, kind: 'skipped', reason: 'away' });
    expect(await doses(id)).toMatchObject([
      { reported: { outcome: 'skipped', agreement: 'unproven' }, earlier_reports: [{ outcome: 'taken' }] },
    ]);
    support.clock.advance(1);
    const withdrawal = await support.post(`${path}/${second.body.id}/withdraw`, { note: 'mistyped' });
    expect(withdrawal).toMatchObject({ status: 201, body: { kind: 'withdrawn', withdraws: second.body.id } });
    expect(await doses(id)).toMatchObject([{ reported: { id: first.body.id }, earlier_reports: [] }]);
    expect(await stored()).toEqual(expect.arrayContaining(kept));
    // their hour in the chart of the fleet is counted again
    const hour = {
      metric: 'statements',
      timestamp: new Date(Math.floor(Date.parse(SLOT) / 3_600_000) * 3_600_000),
    };
    const dirty = await support.database.db.collection('ts_marks').findOne({ _id: hour });
    expect(dirty).toMatchObject({ done: false });
    const { items } = (await support.get(path)).body;
    expect(items.map((one: Answer['body']) => [one.kind, one.is_withdrawn])).toEqual(
      expect.arrayContaining([
        ['withdrawn', false],
        ['skipped', true],
        ['taken', false],
      ]),
    );
    expect(await support.post(`${path}/${second.body.id}/withdraw`, {})).toMatchObject({
      status: 409,
      body: { code: 'already_attested' },
    });
    expect((await support.pages(path, 1)).items).toHaveLength(3);
    const { body } = await support.get(`/v1/audit?category=change&subject=bottle:${id}`);
    expect(body.items.map(({ action }: Answer['body']) => action)).toEqual([
      'dose.withdraw_attestation',
      'dose.attest',
      'dose.attest',
      'bottle.register',
    ]);
    expect(JSON.stringify(body)).not.toContain('mistyped');
  });

  let refused: ReturnType<typeof newBottle> | undefined;
  it.each<[string, object, string, string]>([
    ['no time of a dose', { scheduled_at: at(-59).toISOString() }, 'unknown_dose', 'scheduled_at'],
    [
      'a dose of the day after tomorrow',
      { scheduled_at: at(47 * 60).toISOString() },
      'out_of_range',
      'scheduled_at',
    ],
    ['a time in the future', { taken_at: at(1).toISOString() }, 'out_of_range', 'taken_at'],
    [
      'a time before the dose could be taken',
      { taken_at: at(-181).toISOString() },
      'out_of_range',
      'taken_at',
    ],
    ['a quarter more than the dose', { pills: 2.25 }, 'out_of_range', 'pills'],
    ['no reason', { kind: 'skipped' }, 'missing_field', 'reason'],
    ['a reason of a dose that was taken', { reason: 'away' }, 'forbidden_field', 'reason'],
    [
      'pills of a dose that was skipped',
      { kind: 'skipped', reason: 'away', pills: 1 },
      'forbidden_field',
      'pills',
    ],
    ['no kind that there is', { kind: 'missed' }, 'invalid_value', 'kind'],
    ['a field that there is not', { outcome: 'taken' }, 'unknown_field', 'outcome'],
  ])('%s is refused by its name, and nothing is stored', async (_, body, code, field) => {
    const { path, stored } = await (refused ??= newBottle());
    expect(await support.post(path, { ...taken, ...body })).toMatchObject({
      status: 400,
      body: { code, field },
    });
    expect(await stored()).toEqual([]);
  });

  it('are for staff who may change something, about a bottle that is there', async () => {
    const { path } = await newBottle();
    expect((await support.post(path, taken, await support.keyOf('viewer'))).status).toBe(403);
    const nothing = `/v1/bottles/${new Types.ObjectId().toHexString()}/attestations`;
    for (const answer of [await support.post(nothing, taken), await support.get(nothing)])
      expect(answer).toMatchObject({ status: 404, body: { code: 'bottle_not_found' } });
    expect(await support.post(`${path}/${new Types.ObjectId().toHexString()}/withdraw`, {})).toMatchObject({
      status: 404,
      body: { code: 'attestation_not_found' },
    });
  });

  it('are recorded once for an Idempotency-Key; of two people at once both stay, and of two withdrawals one', async () => {
    const { id, path, stored } = await newBottle();
    const post = (to: string, body: object, key: string) =>
      supertest(support.app.getHttpServer())
        .post(to)
        .set('authorization', `Bearer ${ADMIN_TOKEN}`)
        .set('idempotency-key', key)
        .send(body);
    const retries = await Promise.all([1, 2, 3].map(() => post(path, taken, `key ${id}`.replace(' ', '-'))));
    expect(new Set(retries.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    await Promise.all([support.post(path, taken), support.post(path, { ...taken, attested_by: 'carer' })]);
    expect(await stored()).toHaveLength(3);
    const withdraw = `${path}/${retries[0]!.body.id}/withdraw`;
    const statuses = await Promise.all([1, 2].map((n) => post(withdraw, {}, `${id}-${n}`)));
    expect(statuses.map(({ status }) => status)).toEqual(expect.arrayContaining([201, 409]));
    expect(await stored()).toHaveLength(4);
  });

  it('arm the check of doses', async () => {
    const { id, path } = await newBottle();
    await support.post(path, taken);
    const state = await support.database.db
      .collection('bottle_states')
      .findOne({ _id: new Types.ObjectId(id) });
    expect(state).toMatchObject({ attested_slots: [at(-60)] });
  });
});
