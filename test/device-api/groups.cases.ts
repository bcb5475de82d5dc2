import { MINUTE_MS, HOUR_MS } from '#domain';
import { setImmediate } from 'node:timers/promises';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection, mongo } from 'mongoose';
import type { IncomingReport } from '../../apps/device-api/src/reports/report.js';
import { ReportWriter } from '../../apps/device-api/src/reports/report-writer.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { eventually } from '../../tools/harness/eventually.js';
import { profiled } from '../../tools/harness/profiled.js';
import { type Answer, closed, Devices, opened, type RegisteredBottle } from './devices.js';

describe('groups', () => {
  const BOTTLES = 100;
  /** What waits for its group at most, in reports, and what a batch may have. */
  const QUEUE = 4_000;
  const BATCH = 500;
  /** More than are answered in one turn of the event loop. */
  const FLOOD = 300;
  /** What a report is written to. */
  const WRITTEN = ['bottle_heartbeats', 'bottle_actions', 'bottle_states'];
  const DOCUMENT_VALIDATION_FAILURE = { validationLevel: 'strict', validationAction: 'error' };

  let devices: Devices;
  let proxy: DatabaseProxy;
  let bottles: RegisteredBottle[];

  beforeAll(async () => {
    devices = await Devices.start('groups', async (uri) => {
      proxy = await DatabaseProxy.start(uri);
      return { MONGODB_URI: proxy.uri };
    });
    bottles = await Promise.all(Array.from({ length: BOTTLES }, () => devices.register()));
  });
  afterEach(() => proxy.goOn());
  afterAll(async () => {
    await devices?.stop();
    await proxy?.stop();
  });

  const heartbeatLog = (chunk: Buffer): boolean => chunk.includes('bottle_heartbeats');
  const statuses = (answers: Answer[]): number[] => answers.map(({ status }) => status);

  /** The commands that wrote reports while `work` went on; charts and listening spans are written beside, by the clock. */
  function commandsOf(work: () => Promise<unknown>): Promise<mongo.Document[]> {
    const { db } = devices.database;
    const ns = { $in: WRITTEN.map((name) => `${db.databaseName}.${name}`) };
    return profiled(db, { ops: ['insert', 'update'], wanted: { ns } }, work);
  }

  async function refuse(collection: string, bottle: RegisteredBottle | undefined): Promise<void> {
    const field = collection === 'bottle_states' ? '_id' : 'bottle_id';
    // a state is refused only after the first report, so that registration can insert it
    const reported = collection === 'bottle_states' ? { last_heard_at: { $exists: true } } : {};
    const validator = bottle ? { $nor: [{ [field]: bottle._id, ...reported }] } : {};
    await devices.database.db.command({ collMod: collection, validator, ...DOCUMENT_VALIDATION_FAILURE });
  }

  it('concurrent heartbeats are one insert and one update, whatever they carry, and each bottle has been seen', async () => {
    const commands = await commandsOf(async () => {
      // the first goes at once; the others find it on its way
      proxy.hold(heartbeatLog);
      const answers = Promise.all(
        bottles.map((bottle, n) =>
          devices.post(bottle, '/v1/heartbeats', { battery_percent: 20 + (n % 80), rssi_dbm: -n }),
        ),
      );
      await eventually(async () => expect(await devices.connections()).toBe(BOTTLES));
      proxy.goOn();
      expect(statuses(await answers)).toEqual(bottles.map(() => 204));
    });
    const inserts = commands.filter(({ op }) => op === 'insert');
    expect(inserts.length).toBeLessThanOrEqual(3);
    expect(commands.length).toBeLessThanOrEqual(6);
    for (const bottle of bottles) {
      const [heartbeat, ...more] = await devices.heartbeats(bottle);
      expect(more).toEqual([]);
      expect((await devices.state(bottle))['last_heard_at']).toEqual(heartbeat!['time']);
    }
  });

  it('a bottle that was opened and closed is one update, and one more if a newer action is known', async () => {
    const [bottle, other] = [await devices.register(), await devices.register()];
    const gateway = await devices.gateway(bottle, other);
    const send = (...items: object[]): Promise<Answer> =>
      devices.post(gateway, '/v1/gateway/batch', { items });
    const action = ({ id }: RegisteredBottle, body: object): object => ({
      type: 'action',
      bottle_id: id,
      ...body,
    });
    const updates = async (work: () => Promise<unknown>): Promise<number> =>
      (await commandsOf(work)).filter(({ op }) => op === 'update').length;
    const both = (): Promise<Answer> =>
      send(
        action(bottle, opened(-2 * MINUTE_MS)),
        action(bottle, closed(-MINUTE_MS)),
        action(other, opened(-MINUTE_MS)),
      );
    expect(await updates(both)).toBe(2);
    const state = await devices.state(bottle);
    expect(state).toMatchObject({ last_action: { action: 'closed' }, unjudged_removals: [{}] });
    expect(await devices.state(other)).toMatchObject({ open: true });
    // repeated; the profile has an update that matches nothing, too
    devices.clock.advance(1_000);
    expect(await updates(both)).toBe(4);
    expect(await devices.state(bottle)).toEqual({
      ...state,
      last_heard_at: expect.any(Date) as Date,
      silent_at: expect.any(Date) as Date,
    });
    // of one moment the closing is the newer
    await send(action(other, closed(-MINUTE_MS)));
    expect(await devices.state(other)).not.toHaveProperty('open');
  });

  it('each report of a group is received in the second in which it came, in one insert and one update', async () => {
    const writer = devices.app.get(ReportWriter);
    const began = devices.clock.now().getTime();
    const group = await Promise.all([0, 1, 2].map(() => devices.register()));
    const [one, other, third] = group as [RegisteredBottle, RegisteredBottle, RegisteredBottle];
    const came: [RegisteredBottle, number][] = [
      [one, 0],
      [other, 400],
      [third, 5_000],
      [one, 90_000],
    ];
    const device = { user_id: 'u1', medication: 'Cordrazine', time_zone: 'UTC', schedules: [] };
    const commands = await commandsOf(() =>
      Promise.all(
        came.map(([{ _id }, ms]) => {
          devices.clock.set(new Date(began + ms));
          const heartbeat = {
            kind: 'heartbeat',
            device: { _id, ...device },
            body: {},
            clock: undefined,
            request: { id: 'r1' },
          } as const;
          return writer.write([heartbeat], { kind: 'bottle', client: heartbeat.device });
        }),
      ),
    );
    const received = async (bottle: RegisteredBottle): Promise<number[]> =>
      (await devices.heartbeats(bottle)).map(({ time }) => (time as Date).getTime() - began);
    // those of one second share its latest moment
    expect((await received(one)).sort((a, b) => a - b)).toEqual([400, 90_000]);
    expect(await received(other)).toEqual([400]);
    expect(await received(third)).toEqual([5_000]);
    for (const [bottle, ms] of came.slice(1))
      expect(await devices.state(bottle)).toMatchObject({ last_heard_at: new Date(began + ms) });
    expect(commands.filter(({ op }) => op === 'insert')).toHaveLength(1);
  });

  it('heartbeats by wrong clocks are one insert and one update: for all of a hub, or one for each clock', async () => {
    const writer = devices.app.get(ReportWriter);
    const group = await Promise.all([0, 1, 2].map(() => devices.register()));
    const now = devices.clock.now().getTime();
    const owner = { user_id: 'u1', medication: 'Cordrazine', time_zone: 'UTC', schedules: [] };
    const report = ({ _id }: RegisteredBottle, clock: number): IncomingReport => ({
      kind: 'heartbeat',
      device: { _id, ...owner },
      body: { battery_percent: 50 },
      clock: new Date(now + clock),
      request: { id: 'r1' },
    });
    for (const [clocks, updates] of [
      [[HOUR_MS, HOUR_MS, HOUR_MS], 1],
      [[-HOUR_MS, -2 * HOUR_MS, 2 * HOUR_MS], 3],
    ] as const) {
      devices.clock.advance(1_000);
      const reports = group.map((bottle, index) => report(bottle, clocks[index]!));
      const client = reports[0]!.device;
      const commands = await commandsOf(() => writer.write(reports, { kind: 'bottle', client }));
      const of = (op: string): number => commands.filter((command) => command['op'] === op).length;
      expect([of('insert'), of('update')]).toEqual([1, updates]);
      for (const [index, bottle] of group.entries()) {
        const at = devices.clock.now();
        const bad_clock = { at, offset_ms: now + clocks[index]! - at.getTime() };
        expect(await devices.state(bottle)).toMatchObject({ last_heard_at: at, bad_clock });
      }
    }
  });

  it('an opening and its closing in one group end closed, whichever comes first', async () => {
    for (const order of [
      [opened(-2 * MINUTE_MS), closed(-MINUTE_MS)],
      [closed(-MINUTE_MS), opened(-2 * MINUTE_MS)],
    ]) {
      const bottle = await devices.register();
      const answers = await Promise.all(order.map((action) => devices.post(bottle, '/v1/actions', action)));
      expect(statuses(answers)).toEqual([201, 201]);
      const state = await devices.state(bottle);
      expect(state['last_action']).toMatchObject({ action: 'closed' });
      expect(state).not.toHaveProperty('open');
    }
  });

  it.each(['bottle_heartbeats', 'bottle_actions', 'bottle_states'])(
    'a report that %s refuses fails alone: the rest of its group is stored',
    async (collection) => {
      const group = await Promise.all(Array.from({ length: 10 }, () => devices.register()));
      const bad = group[4]!;
      await refuse(collection, bad);
      const heartbeats = await Promise.all(group.map((bottle) => devices.post(bottle, '/v1/heartbeats')));
      const actions = await Promise.all(
        group.map((bottle) => devices.post(bottle, '/v1/actions', opened(0))),
      );
      await refuse(collection, undefined);
      const refusedBy = (log: string) => (bottle: RegisteredBottle) =>
        bottle === bad && (collection === 'bottle_states' || collection === log);
      expect(statuses(heartbeats)).toEqual(
        group.map((bottle) => (refusedBy('bottle_heartbeats')(bottle) ? 503 : 204)),
      );
      expect(statuses(actions)).toEqual(
        group.map((bottle) => (refusedBy('bottle_actions')(bottle) ? 503 : 201)),
      );
      for (const answer of [...heartbeats, ...actions].filter(({ status }) => status === 503))
        expect(answer.body.code).toBe('not_stored');
      for (const bottle of group.filter((one) => one !== bad))
        expect(await devices.state(bottle)).toMatchObject({ open: true, last_heard_at: expect.any(Date) });
      // what was refused is sent again and is well
      expect((await devices.post(bad, '/v1/heartbeats')).status).toBe(204);
      expect([200, 201]).toContain((await devices.post(bad, '/v1/actions', opened(0))).status);
      expect(await devices.state(bad)).toMatchObject({ open: true, last_heard_at: expect.any(Date) });
    },
  );

  it('a report that cannot be written fails alone: the rest of its group is stored', async () => {
    const writer = devices.app.get(ReportWriter);
    const group = await Promise.all([0, 1, 2].map(() => devices.register()));
    const faulty = {
      get sent_at(): string {
        throw new TypeError('a fault');
      },
    };
    const reports = group.map(({ _id }, index): IncomingReport => {
      const device = { _id, user_id: 'u1', medication: 'Cordrazine', time_zone: 'UTC', schedules: [] };
      const body = index === 1 ? faulty : {};
      return { kind: 'heartbeat', device, body, clock: undefined, request: { id: 'r1' } };
    });
    const results = await Promise.all(
      reports.map((report) => writer.write([report], { kind: 'bottle', client: report.device })),
    );
    expect(results.map(([result]) => result?.kind)).toEqual(['stored', 'refused', 'stored']);
    expect(await Promise.all(group.map((bottle) => devices.heartbeats(bottle)))).toMatchObject([
      [{}],
      [],
      [{}],
    ]);
  });

  it('refuses at once what would wait too long, and stores what waited', async () => {
    const items = Array.from({ length: BATCH }, () => ({ type: 'heartbeat' }));
    const before = await devices.database.db.collection('bottle_heartbeats').countDocuments();
    devices.clock.advance(MINUTE_MS);
    proxy.hold(heartbeatLog);
    const answers: Answer[] = [];
    const sent = bottles.slice(0, QUEUE / BATCH + 5).map(async (bottle) => {
      const answer = await devices.post(bottle, '/v1/batch', { items });
      answers.push(answer);
    });
    // while nothing gets through
    const refused = await eventually(() => {
      const overloaded = answers.filter(({ body }) => body.code === 'overloaded');
      expect(overloaded).not.toHaveLength(0);
      return overloaded;
    });
    proxy.goOn();
    for (const { status, headers } of refused) {
      expect(status).toBe(503);
      expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
    }
    await Promise.all(sent);
    // on a slow machine a group may have been given up meanwhile; then it is not acknowledged, stored or not
    const taken = answers.filter(({ status }) => status === 200);
    expect(taken.length + answers.filter(({ status }) => status === 503).length).toBe(answers.length);
    // a bottle lives once in a moment: of 500 alike one is kept
    const { db } = devices.database;
    const stored = (await db.collection('bottle_heartbeats').countDocuments()) - before;
    expect(stored).toBeGreaterThanOrEqual(taken.length);
    expect((await devices.post(bottles[0]!, '/v1/heartbeats')).status).toBe(204);
  });

  it('tells each of a flood that it is refused, while nothing gets through', async () => {
    const writer = devices.app.get(ReportWriter);
    const device = { _id: bottles[0]!._id, user_id: 'u1', medication: 'Cordrazine', time_zone: 'UTC' };
    const heartbeat = {
      kind: 'heartbeat',
      device: { ...device, schedules: [] },
      body: {},
      clock: undefined,
      request: { id: 'r1' },
    } as const;
    const waiting: Promise<unknown>[] = [];
    proxy.hold(heartbeatLog);
    await eventually(async () => {
      // one of each of many bottles
      for (let count = 0; count < QUEUE && !writer.isFull; count += 1)
        waiting.push(writer.write([heartbeat], { kind: 'bottle', client: { ...heartbeat.device } }));
      // a group that may begin takes from what waits
      await setImmediate();
      expect(writer.isFull).toBe(true);
    });
    const counted = await devices.refused('overloaded');
    const flood = Array.from({ length: FLOOD }, (_, n) =>
      devices.post(bottles[n % BOTTLES]!, '/v1/heartbeats'),
    );
    const answers = await Promise.all(flood);
    proxy.goOn();
    await Promise.all(waiting);
    for (const { status, headers, body } of answers) {
      const instance = `urn:pillwatch:request:${String(headers['x-request-id'])}`;
      expect({ status, ...body }).toMatchObject({ status: 503, code: 'overloaded', instance });
      expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
    }
    expect((await devices.refused('overloaded')) - counted).toBe(FLOOD);
    expect((await devices.post(bottles[0]!, '/v1/heartbeats')).status).toBe(204);
  });

  it('a server that takes a write and never answers is given up: 503, and all is well when it is back', async () => {
    proxy.lose(heartbeatLog);
    const began = performance.now();
    const counted = await devices.refused('database_unavailable');
    const answer = await devices.post(bottles[0]!, '/v1/heartbeats');
    proxy.goOn();
    expect(answer).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });
    expect(performance.now() - began).toBeLessThan(9_000);
    expect((await devices.refused('database_unavailable')) - counted).toBe(1);
    await eventually(async () =>
      expect((await devices.post(bottles[0]!, '/v1/heartbeats')).status).toBe(204),
    );
  });
});

it('a report that gets no connection is given up: 503, it is not logged, and all is well when there is one', async () => {
  const devices = await Devices.start('connections', async (uri) => {
    const one = new URL(uri);
    one.searchParams.set('maxPoolSize', '1');
    return { MONGODB_URI: one.href };
  });
  const { db } = devices.database;
  const { db: busy } = devices.app.get<Connection>(getConnectionToken());
  const [bottle, other] = [await devices.register(), await devices.register()];
  const comment = 'keeps the only connection';
  const sleeps = { $function: { body: 'function () { sleep(30000) }', args: [], lang: 'js' } };
  const pipeline = [{ $documents: [{}] }, { $set: { slept: sleeps } }];
  const limit = { socketTimeoutMS: 60_000 } as mongo.RunCommandOptions;
  const asleep = busy!.command({ aggregate: 1, pipeline, cursor: {}, comment }, limit).catch(() => undefined);
  try {
    const running = async (): Promise<mongo.Document | undefined> => {
      const { inprog } = await db.admin().command({ currentOp: 1, 'command.comment': comment });
      return (inprog as mongo.Document[])[0];
    };
    await eventually(async () => expect(await running()).toBeDefined());
    const answers = await Promise.all([
      devices.post(bottle, '/v1/heartbeats'),
      devices.post(other, '/v1/batch', { items: [{ type: 'heartbeat' }] }),
    ]);
    for (const { status, headers, body } of answers)
      expect([status, headers['retry-after'], body.code]).toEqual([
        503,
        expect.stringMatching(/^[1-9]/),
        'database_unavailable',
      ]);
    const logged = { bottle_id: { $in: [bottle._id, other._id] } };
    expect(await db.collection('bottle_heartbeats').countDocuments(logged)).toBe(0);
    await db.admin().command({ killOp: 1, op: (await running())!['opid'] as number });
    await eventually(async () => expect((await devices.post(bottle, '/v1/heartbeats')).status).toBe(204));
  } finally {
    await asleep;
    await devices.stop();
  }
});
