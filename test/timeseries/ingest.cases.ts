import { HOUR_MS } from '#domain';
import { ManualClock } from '#platform';
import { ReportRollUp, LiveCounts } from '#timeseries';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  asAdmin,
  registerBottle,
  startDeviceApi,
  startSupportApi,
  type TestBottle,
} from '../../tools/harness/services.js';
import { newDatabase, type TestDatabase } from '../../tools/harness/database.js';

describe('ingest', () => {
  const NOW = new Date('2026-03-02T12:00:30Z');

  let database: TestDatabase;
  let clock: ManualClock;
  let device: NestFastifyApplication;
  let support: NestFastifyApplication;
  let bottle: TestBottle;

  beforeEach(async () => {
    database = await newDatabase('ingest');
    clock = new ManualClock(NOW);
    device = await startDeviceApi(database.uri, clock);
    support = await startSupportApi(database.uri, clock);
    bottle = await registerBottle(support, device);
  });
  afterEach(async () => {
    await device.close();
    await support.close();
    await database.drop();
  });

  /** The counts follow the log, as if the present minute were over. */
  const follow = (): Promise<number> =>
    device.get(ReportRollUp).run({ now: () => new Date(clock.now().getTime() + 120_000) });

  /** The sums of the present hour. */
  async function sums(hour = new Date('2026-03-02T12:00:00Z')): Promise<Record<string, number>> {
    const name = `ts_1m_${hour.toISOString().slice(0, 10).replaceAll('-', '')}`;
    const found = await database.db
      .collection<{ _id: object; values: Record<string, Record<string, number>> }>(name)
      .findOne({ _id: { metric: 'reports', timestamp: hour } });
    const total: Record<string, number> = {};
    for (const [key, count] of Object.values(found?.values ?? {}).flatMap((counts) => Object.entries(counts)))
      total[key] = (total[key] ?? 0) + count;
    return total;
  }

  const closing = (event_id: string, ago = 0, pills_taken = 2): object => ({
    action: 'closed',
    time: new Date(NOW.getTime() - ago).toISOString(),
    mass_of_contents: 44,
    number_of_pills: 20,
    pills_taken,
    event_id,
  });

  it('what is stored is counted once, however often it comes', async () => {
    for (let time = 0; time < 3; time += 1) {
      await bottle.post('/v1/actions', closing('a'));
      await bottle.post('/v1/batch', {
        items: [
          { type: 'action', ...closing('a') },
          { type: 'action', ...closing('b') },
          { type: 'action', ...closing('b') },
          { type: 'heartbeat', sent_at: '2026-03-02T11:00:00Z' },
        ],
      });
    }
    await follow();
    expect(await sums()).toEqual({ closed: 2, pills_taken: 4, heartbeats: 1 });
  });

  it('an event is counted at its own time, a heartbeat at that of its receipt', async () => {
    await bottle.post('/v1/actions', closing('a', 5 * HOUR_MS)).expect(201);
    await bottle.post('/v1/heartbeats', {}).expect(204);
    await follow();
    expect(await sums(new Date('2026-03-02T07:00:00Z'))).toEqual({ closed: 1, pills_taken: 2 });
    expect(await sums()).toEqual({ heartbeats: 1 });
  });

  it('what is refused is counted by its code, and nowhere else', async () => {
    await bottle.post('/v1/actions', { action: 'closed' }).expect(400);
    await bottle.post('/v1/nowhere', {}).expect(404);
    await bottle.post('/v1/batch', { items: [{ type: 'nonsense' }, { type: 'heartbeat' }] }).expect(200);
    await device.get(LiveCounts).flush(NOW);
    await follow();
    const refused = await database.db
      .collection<{ _id: object }>('ts_live_20260302')
      .findOne({ _id: { kind: 'refused', timestamp_minute: new Date('2026-03-02T12:00:00Z') } });
    expect(refused).toMatchObject({
      total: 3,
      seconds: { '30': 3 },
      codes: { missing_field: 1, route_not_found: 1, invalid_value: 1 },
    });
    expect(await sums()).toEqual({ heartbeats: 1 });
  });

  it('an orderly stop writes what was counted by the second, too', async () => {
    await bottle.post('/v1/heartbeats', {}).expect(204);
    await device.close();
    const live = await database.db
      .collection<{ _id: object }>('ts_live_20260302')
      .findOne({ _id: { kind: 'heartbeats', timestamp_minute: new Date('2026-03-02T12:00:00Z') } });
    expect(live).toMatchObject({ total: 1, seconds: { '30': 1 }, listening: 1 });
    device = await startDeviceApi(database.uri, clock);
  });

  it('several processes add up', async () => {
    const other = await startDeviceApi(database.uri, clock);
    const same: TestBottle = { ...(await registerBottle(support, other)) };
    await Promise.all([bottle.post('/v1/actions', closing('a')), same.post('/v1/actions', closing('b'))]);
    await Promise.all(
      [device, other].map((app) =>
        app.get(ReportRollUp).run({ now: () => new Date(NOW.getTime() + 120_000) }),
      ),
    );
    expect(await sums()).toEqual({ closed: 2, pills_taken: 4 });
    await other.close();
  });

  it('what was taken belongs to the zone where the bottle was at that time', async () => {
    await bottle.post('/v1/actions', closing('a', HOUR_MS)).expect(201);
    await asAdmin(support).patch(`/v1/bottles/${bottle.id}`).send({ time_zone: 'Asia/Tokyo' }).expect(200);
    await bottle.post('/v1/actions', closing('b', 30 * 60_000)).expect(201);
    clock.advance(60_000);
    await bottle.post('/v1/actions', closing('c', -50_000)).expect(201);
    await follow();
    const months = await database.db
      .collection('ts_taken')
      .find({}, { projection: { days: 0 } })
      .toArray();
    expect(new Map(months.map((month) => [month['time_zone'], month['doses']]))).toEqual(
      new Map([
        ['Europe/Berlin', 2],
        ['Asia/Tokyo', 1],
        ['*', 3],
      ]),
    );
  });

  it('the vitals of a bottle are there to be drawn', async () => {
    await bottle.post('/v1/heartbeats', { battery_percent: 80, rssi_dbm: -60 }).expect(204);
    clock.advance(20_000);
    await bottle.post('/v1/heartbeats', { battery_percent: 70 }).expect(204);
    const path = `/v1/bottles/${bottle.id}/charts?series=battery`;
    const { body } = await asAdmin(support).get(`${path}&step=15m&from=2026-03-02T12:00:00Z`).expect(200);
    expect(body.columns.slice(1)).toEqual([[75], [70], [80]]);
    const seconds = await asAdmin(support).get(`${path}&step=1s&from=2026-03-02T12:00:29Z`).expect(200);
    expect(seconds.body.columns[1].filter((value: number | null) => value !== null)).toEqual([80, 70]);
  });
});
