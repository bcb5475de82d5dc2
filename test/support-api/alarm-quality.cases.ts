import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { Types } from 'mongoose';
import { Random } from '../../tools/random.js';
import { at, insertAlerts, insertDeliveries } from './fixtures.js';
import { NOW, Support } from './support.js';

const DAY = 24 * 60;
const SCRIPT = join(import.meta.dirname, '../alarm-quality/alarm_quality.py');
const MEDICATIONS = ['Cordrazine', 'Inaprovaline', 'Hyronalin'];

/** Of an alert every second or so. */
const EVENTS = [
  'raised',
  'escalated',
  'missed',
  'corrected',
  'reported_taken',
  'reported_skipped',
  'retracted',
];
const KINDS = ['missed_dose', 'bottle_open', 'bottle_silent'];
const STATES = ['open', 'acknowledged', 'closed', 'resolved', 'retracted'];
const REASONS = ['device_fault', 'duplicate', 'settled_by_phone', 'not_relevant', 'other'];

describe('what alerts were worth', () => {
  let support: Support;
  const bottles: { id: string; medication: string }[] = [];
  let alertIds: string[];

  beforeAll(async () => {
    support = await Support.start('alarm-quality');
    const seeded = new Random('alarm quality');
    const random = (): number => seeded.next();
    const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
    const some = (chance: number): boolean => random() < chance;
    for (let index = 0; index < 9; index += 1) {
      support.clock.set(at(-70 * DAY + index * 8 * DAY + 77));
      const medication = MEDICATIONS[index % 3]!;
      const { id } = await support.register({ user_id: `user-${index}`, medication });
      bottles.push({ id, medication });
    }
    for (const [index, day] of [
      [0, -65],
      [1, -30],
      [2, -20],
      [3, -1],
    ] as const) {
      support.clock.set(at(day * DAY + 33));
      await support.post(`/v1/bottles/${bottles[index]!.id}/retire`, { reason: 'returned' });
    }
    await support.post(`/v1/bottles/${bottles[2]!.id}/assign`, { user_id: 'user-2' });
    support.clock.set(NOW);
    const alerts = Array.from({ length: 150 }, (_, index) => {
      const bottle = one(bottles);
      const raised = -Math.floor(random() * 69 * DAY);
      const state = one(STATES);
      const by = 'Carol Smith';
      return {
        bottle_id: new Types.ObjectId(bottle.id),
        medication: bottle.medication,
        kind: one(KINDS),
        subject: `${index}`,
        state,
        raised_at: at(raised),
        open: state === 'open' || state === 'acknowledged' ? true : undefined,
        ...(state === 'closed' && {
          closing: { by, at: at(raised + 60), reason: one(REASONS), notified: true, note: 'x' },
        }),
        history: [
          { event: 'raised', at: at(raised), by: 'notifier' },
          ...(some(0.4) ? [{ event: 'acknowledged', at: at(raised + one([5, 15, 25])), by }] : []),
        ],
      };
    });
    alertIds = await insertAlerts(
      support,
      alerts.map(({ open, ...alert }) => ({ ...alert, open })),
    );
    const deliveries = alerts.flatMap(({ bottle_id, kind, raised_at }, index) =>
      EVENTS.filter(() => some(0.4)).map((event, place) => ({
        alert_id: new Types.ObjectId(alertIds[index]),
        bottle_id,
        kind,
        event,
        step: `${event}:${place}`,
        recipient: one(['operator', 'operator', 'staff:1']),
        status: one(['delivered', 'delivered', 'cancelled', 'dead']),
        created_at: new Date(raised_at.getTime() + (event === 'escalated' ? 15 : place) * 60_000),
      })),
    );
    await insertDeliveries(support, deliveries);
  });
  beforeEach(() => support.clock.set(NOW));
  afterAll(() => support?.stop());

  const RANGE = { from: at(-60 * DAY).toISOString(), to: at(-3 * DAY).toISOString() };

  it.each(['fleet', 'medication', 'month'])(
    'by %s, are what a script that shares no code makes of the export',
    async (by) => {
      const details = await Promise.all(
        alertIds.map(async (id) => (await support.get(`/v1/alerts/${id}`)).body),
      );
      const registered = await Promise.all(
        bottles.map(async ({ id }) => (await support.get(`/v1/bottles/${id}`)).body),
      );
      expect(registered.filter(({ life }) => life?.state === 'retired')).toHaveLength(3);
      const input = JSON.stringify({ ...RANGE, by, alerts: details, bottles: registered });
      const expected = JSON.parse(execFileSync('python3', [SCRIPT], { input, encoding: 'utf8' })) as object[];
      const path = `/v1/alarm-quality?from=${RANGE.from}&to=${RANGE.to}&by=${by}`;
      const { body } = await support.get(path);
      expect(body.rows.length).toBeGreaterThanOrEqual(3);
      expect(rounded(body.rows)).toEqual(rounded(expected));
      const lines: Record<string, string>[] = parse((await support.get(`${path}&format=csv`)).text, {
        bom: true,
        columns: true,
      });
      expect(lines.map((line) => [line['group'], line['kind'], Number(line['messages'])])).toEqual(
        body.rows.map(({ group, kind, messages }: Record<string, unknown>) => [group ?? '', kind, messages]),
      );
    },
  );

  it('are refused for a time of which no notifications are kept, and unknown groups', async () => {
    expect((await support.get(`/v1/alarm-quality?from=${at(-91 * DAY).toISOString()}`)).body).toMatchObject({
      status: 400,
      code: 'invalid_range',
      field: 'from',
    });
    expect((await support.get('/v1/alarm-quality?by=user')).body).toMatchObject({ status: 400, field: 'by' });
  });

  it('reads of bottles an index only, and of alerts and notifications no more than there are', async () => {
    const { db } = support.database;
    await db.command({ profile: 2 });
    await support.get(`/v1/alarm-quality?from=${RANGE.from}&to=${RANGE.to}`);
    await db.command({ profile: 0 });
    const read = await db
      .collection('system.profile')
      .find({ ns: { $regex: '\\.(bottles|alerts|deliveries)$' }, op: { $in: ['query', 'command'] } })
      .toArray();
    const of = (name: string) => read.filter(({ ns }) => String(ns).endsWith(`.${name}`));
    expect(of('bottles')).toMatchObject([{ docsExamined: 0 }, { docsExamined: 0 }]);
    expect(of('alerts').map(({ docsExamined, nreturned }) => docsExamined - nreturned)).toEqual([0]);
    const [deliveries] = of('deliveries');
    expect(deliveries).toMatchObject({ docsExamined: deliveries!['nreturned'] });
  });
});

/** Of numbers that were added up in another order. */
const rounded = (rows: object[]): unknown =>
  JSON.parse(
    JSON.stringify(rows, (_, value: unknown) =>
      typeof value === 'number' ? Math.round(value * 1e9) / 1e9 : value,
    ),
  );
