import { HOUR_MS, DAY_MS, MINUTE_MS } from '#domain';
import { ManualClock } from '#platform';
import { getConnectionToken } from '@nestjs/mongoose';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Connection, type mongo, Types } from 'mongoose';
import { newDatabase, type TestDatabase } from '../../tools/harness/database.js';
import { asAdmin, startSupportApi } from '../../tools/harness/services.js';

describe('reads', () => {
  const NOW = new Date('2026-04-20T12:00:30Z');
  /** Far more than any chart may read. */
  const OTHER_BOTTLES = 60;

  let database: TestDatabase;
  let support: NestFastifyApplication;
  const bottle = new Types.ObjectId();

  /** Documents of every unit of time that a chart can ask for, of many others beside the one that is asked for. */
  beforeAll(async () => {
    database = await newDatabase('reads');
    const watched = new URL(database.uri);
    watched.searchParams.set('monitorCommands', 'true');
    support = await startSupportApi(watched.toString(), new ManualClock(NOW));
    await database.db.collection('bottles').insertOne({ _id: bottle, token_hash: 'x' });
    const numbered = (count: number): object =>
      Object.fromEntries(Array.from({ length: count }, (_, field) => [field, { heartbeats: 1 }]));
    const metrics = ['reports', 'doses', 'statements', 'adherence', 'alerts', 'deliveries'];
    await fill(4 * 24, HOUR_MS, (timestamp, add) => {
      for (const metric of metrics) {
        add(`ts_1m_${digits(timestamp, 8)}`, { _id: { metric, timestamp }, values: numbered(60) });
        add(`ts_5m_${digits(timestamp, 8)}`, { _id: { metric, timestamp }, values: numbered(60) });
      }
    });
    const level = { battery: { num_samples: 1, total: 50, min: 50, max: 50 } };
    await fill(80, DAY_MS, (timestamp, add) => {
      for (const metric of metrics)
        add(`ts_1h_${digits(timestamp, 6)}`, { _id: { metric, timestamp }, values: numbered(24) });
      const bottles = [bottle, ...Array.from({ length: OTHER_BOTTLES }, () => new Types.ObjectId())];
      for (const bottle_id of bottles)
        add(`ts_vitals_${digits(timestamp, 6)}`, {
          _id: { bottle_id, timestamp },
          hours: { 8: level },
        });
    });
    await fill(40, MINUTE_MS, (timestamp_minute, add) => {
      for (const kind of ['heartbeats', 'opened', 'closed', 'refused'])
        add(`ts_live_${digits(timestamp_minute, 8)}`, {
          _id: { kind, timestamp_minute },
          seconds: { 0: 1 },
          total: 1,
        });
    });
    await database.db
      .collection<{ _id: string }>('ts_progress')
      .insertOne({ _id: 'vitals', until: new Date('2026-04-20T00:00:00Z') } as never);
    const months: mongo.Document[] = [];
    for (let month = 0; month < 60; month += 1)
      for (const medication of ['Cordrazine', 'Kironide', 'Masiform'])
        for (const time_zone of ['*', 'Europe/Berlin'])
          months.push({
            medication,
            time_zone,
            date: new Date(Date.UTC(2022, month)),
            pills_taken: 0,
            doses: 0,
            days: [],
          });
    await database.db
      .collection('ts_taken')
      .createIndex({ medication: 1, time_zone: 1, date: 1 }, { unique: true });
    await database.db.collection('ts_taken').insertMany(months);
    const year = new Date('2026-01-01');
    await database.db
      .collection<{ _id: object }>('ts_1d')
      .insertMany(metrics.map((metric) => ({ _id: { metric, timestamp: year }, values: numbered(110) })));
  });
  afterAll(async () => {
    await support?.close();
    await database?.drop();
  });

  /** The documents of so many units of time up to now. */
  async function fill(
    count: number,
    unit: number,
    documentsOf: (at: Date, add: (collection: string, document: mongo.Document) => void) => void,
  ): Promise<void> {
    const byCollection = new Map<string, mongo.Document[]>();
    const last = Math.floor(NOW.getTime() / unit) * unit;
    for (let back = 0; back < count; back += 1)
      documentsOf(new Date(last - back * unit), (name, document) =>
        byCollection.set(name, [...(byCollection.get(name) ?? []), document]),
      );
    for (const [name, documents] of byCollection) await database.db.collection(name).insertMany(documents);
  }

  const digits = (at: Date, count: number): string => at.toISOString().replaceAll('-', '').slice(0, count);
  const ago = (ms: number): string => `from=${new Date(NOW.getTime() - ms).toISOString()}`;

  /** What a request reads from the charts' collections, by the plans of the very commands that it sends. */
  async function reading(
    path: string,
  ): Promise<{ status: number; points: number; documents: number; stages: Set<string> }> {
    const client = support.get<Connection>(getConnectionToken(), { strict: false }).getClient();
    const commands: mongo.Document[] = [];
    const listen = ({ commandName, command }: mongo.CommandStartedEvent): void => {
      if (String(command[commandName]).startsWith('ts_')) commands.push(command);
    };
    client.on('commandStarted', listen);
    const { status, body } = await asAdmin(support).get(path);
    client.off('commandStarted', listen);
    const stages = new Set<string>();
    let documents = 0;
    for (const { lsid: _, $db: __, $clusterTime: ___, txnNumber: ____, ...command } of commands) {
      const plan = await database.db.command({ explain: command, verbosity: 'executionStats' });
      documents += examined(plan, stages);
    }
    const { columns = [[]] } = body as { columns?: number[][] };
    return { status, points: columns[0]!.length, documents, stages };
  }

  function examined(plan: unknown, stages: Set<string>): number {
    if (typeof plan !== 'object' || plan === null) return 0;
    const { stage } = plan as { stage?: string };
    if (stage !== undefined) stages.add(stage);
    return Math.max(
      0,
      ...Object.entries(plan).map(([key, value]) =>
        key === 'totalDocsExamined' ? Number(value) : examined(value, stages),
      ),
    );
  }

  const FLEET = '/v1/fleet/charts?series=';
  const VITALS = `/v1/bottles/${bottle.toHexString()}/charts?series=battery`;

  it.each([
    ['8 hours by the minute', `${FLEET}reports&step=1m&${ago(8 * HOUR_MS)}`, 8],
    ['41 hours by 5 minutes', `${FLEET}reports&step=5m&${ago(41 * HOUR_MS)}`, 41],
    ['48 hours by 15 minutes', `${FLEET}alerts&step=15m&${ago(48 * HOUR_MS)}`, 48],
    ['20 days by the hour', `${FLEET}doses&step=1h&${ago(20 * DAY_MS)}`, 20],
    [
      '47 days by 3 hours in another zone',
      `${FLEET}deliveries&step=3h&time_zone=Asia/Kolkata&${ago(47 * DAY_MS)}`,
      47,
    ],
    ['47 days by the day', `${FLEET}reports&step=1d&${ago(47 * DAY_MS)}`, 47],
    ['110 days by the day', `${FLEET}reports&step=1d&${ago(109 * DAY_MS)}`, 1],
    ['8 minutes by the second', `${FLEET}live&${ago(8 * MINUTE_MS)}`, 36],
    ['a bottle’s 47 days', `${VITALS}&${ago(47 * DAY_MS)}`, 47],
    ['a heat map of 48 months', '/v1/fleet/heatmap?medication=Cordrazine&from=2022-05-01&to=2026-05-01', 48],
  ])('%s reads at most 48 documents, by index, whatever else there is', async (_, path, least) => {
    const { status, documents, stages } = await reading(path);
    expect(status).toBe(200);
    expect(documents).toBeGreaterThanOrEqual(least);
    expect(documents).toBeLessThanOrEqual(48);
    expect([...stages]).not.toContain('COLLSCAN');
    expect([...stages].some((stage) => ['IXSCAN', 'IDHACK'].includes(stage))).toBe(true);
  });

  it('no chart that is chosen by itself has more than 500 points or reads more than 48 documents', async () => {
    for (const series of ['reports', 'adherence'])
      for (let span = 5 * MINUTE_MS; span < 1_000 * DAY_MS; span *= 2.7) {
        const { status, points, documents } = await reading(`${FLEET}${series}&${ago(span)}`);
        expect([series, span, status]).toEqual([series, span, 200]);
        expect(points).toBeGreaterThan(0);
        expect(points).toBeLessThanOrEqual(500);
        expect(documents).toBeLessThanOrEqual(48);
      }
  });

  it('a day of the asker’s zone has 23 hours when the clocks go forward, and none is counted twice or left out', async () => {
    const path = `${FLEET}reports&step=1d&time_zone=Europe/Berlin&from=2026-03-28T12:00:00Z&to=2026-03-30T12:00:00Z`;
    const { body } = await asAdmin(support).get(path).expect(200);
    const { columns, from, to } = body as { columns: number[][]; from: string; to: string };
    expect(columns[1]).toEqual([24, 23, 24]);
    expect([from, to]).toEqual(['2026-03-27T23:00:00.000Z', '2026-03-30T22:00:00.000Z']);
  });
});
