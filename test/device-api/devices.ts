import type { BottleState, ReportProblem } from '#domain';
import { ManualClock } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { mongo } from 'mongoose';
import { request, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { emptyDatabase, type TestDatabase } from '../../tools/harness/database.js';
import { profiled } from '../../tools/harness/profiled.js';
import { asAdmin, registerBottle, startDeviceApi, startSupportApi } from '../../tools/harness/services.js';

/** Why a report was refused is noted, too. */
const NO_PROBLEMS = { projection: { report_problems: 0 } };

/** Monday morning; the clock's first moment. */
export const NOW = new Date('2026-03-02T08:00:00.000Z');

/** `ms` from NOW, as devices write it. */
export function at(ms: number): string {
  return new Date(NOW.getTime() + ms).toISOString();
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- an answer may be anything: that is what is tested
  body: any;
}

export interface Sent {
  method?: string;
  headers?: Record<string, string>;
  /** Text goes as it is, anything else as JSON; undefined is no body. */
  body?: unknown;
}

export interface RegisteredBottle {
  id: string;
  _id: mongo.ObjectId;
  token: string;
}

/** device-api on a port of its own, a support-api to register bottles, one database, one clock. */
export class Devices {
  private constructor(
    readonly database: TestDatabase,
    readonly clock: ManualClock,
    readonly app: NestFastifyApplication,
    readonly support: NestFastifyApplication,
  ) {}

  /** @param env device-api's settings beside the test's own; MONGODB_URI may lead to the same database another way. */
  static async start(
    name: string,
    env: Record<string, string> | ((uri: string) => Promise<Record<string, string>>) = {},
  ): Promise<Devices> {
    const database = await emptyDatabase(name);
    const clock = new ManualClock(NOW);
    const settings = typeof env === 'function' ? await env(database.uri) : env;
    const app = await startDeviceApi(database.uri, clock, settings);
    await app.listen(0, '127.0.0.1');
    return new Devices(database, clock, app, await startSupportApi(database.uri, clock));
  }

  async stop(): Promise<void> {
    await Promise.all([this.app.close(), this.support.close()]);
    await this.database.drop();
  }

  async register(body: object = {}): Promise<RegisteredBottle> {
    const { id, token } = await registerBottle(this.support, this.app, body);
    return { id, token, _id: new mongo.ObjectId(id) };
  }

  /** Gives the bottle a new token; the old one is revoked. */
  async rotate(bottle: RegisteredBottle): Promise<string> {
    const answer = await asAdmin(this.support).post(`/v1/bottles/${bottle.id}/token`);
    if (answer.status !== 200 && answer.status !== 201) throw new Error(answer.text);
    return (answer.body as { token: string }).token;
  }

  /** Registers a gateway that speaks for these bottles. */
  async gateway(...bottles: RegisteredBottle[]): Promise<{ id: string; token: string }> {
    const answer = await asAdmin(this.support).post('/v1/gateways').send({ name: 'a hub' });
    if (answer.status !== 201) throw new Error(answer.text);
    const gateway = answer.body as { id: string; token: string };
    if (bottles.length > 0) await this.assign(gateway, 'assign', ...bottles);
    return gateway;
  }

  /** Gives a gateway these bottles, or takes them from it. */
  async assign(
    gateway: { id: string },
    change: 'assign' | 'unassign',
    ...bottles: RegisteredBottle[]
  ): Promise<void> {
    const bottle_ids = bottles.map(({ id }) => id);
    const answer = await asAdmin(this.support)
      .post(`/v1/gateways/${gateway.id}/${change}`)
      .send({ bottle_ids });
    if (answer.status !== 200) throw new Error(answer.text);
  }

  /** A report by a bottle, or by whoever has this token. */
  post(from: { token: string } | null, path: string, body?: unknown, more: Sent = {}): Promise<Answer> {
    const headers = {
      ...(from ? { authorization: `Bearer ${from.token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...more.headers,
    };
    return this.send(path, { method: 'POST', body, ...more, headers });
  }

  get(path: string): Promise<Answer> {
    return this.send(path, { method: 'GET' });
  }

  /** One request by node:http: an answer that comes before the body is through counts, as it does for a device. */
  send(path: string, { method = 'GET', headers = {}, body }: Sent): Promise<Answer> {
    const { port } = this.app.getHttpServer().address() as AddressInfo;
    const payload =
      body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port,
          path,
          method,
          headers: {
            ...(payload && !('transfer-encoding' in headers) ? { 'content-length': payload.length } : {}),
            ...headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve(read(response.statusCode!, response.headers, Buffer.concat(chunks).toString())),
          );
        },
      );
      sent.on('error', reject);
      sent.setTimeout(10_000, () => sent.destroy(new Error(`${method} ${path}: no answer`)));
      sent.end(payload);
    });
  }

  /** Connections to device-api: as many requests are in progress as were sent at once. */
  connections(): Promise<number> {
    const server = this.app.getHttpServer();
    return new Promise((resolve, reject) =>
      server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  }

  actions(bottle: RegisteredBottle): Promise<mongo.Document[]> {
    return this.ofBottle('bottle_actions', bottle);
  }

  heartbeats(bottle: RegisteredBottle): Promise<mongo.Document[]> {
    return this.ofBottle('bottle_heartbeats', bottle);
  }

  async state(bottle: RegisteredBottle): Promise<mongo.Document> {
    return (await this.database.db.collection('bottle_states').findOne({ _id: bottle._id }))!;
  }

  /** What is noted on the bottle of its reports, as soon as there is so much. */
  async problems(bottle: RegisteredBottle, least: number): Promise<ReportProblem[]> {
    for (;;) {
      const { report_problems: problems = [] } = (await this.state(bottle)) as Partial<BottleState>;
      if (problems.length >= least) return problems;
      await sleep(20);
    }
  }

  /** How often bottles were looked up in the registry while `work` went on. */
  async lookups(work: () => Promise<unknown>): Promise<number> {
    const { db } = this.database;
    const found = await profiled(
      db,
      {
        ops: ['query'],
        wanted: {
          ns: `${db.databaseName}.bottles`,
          // what has changed is asked beside that, by the clock
          'command.filter.identity_changed_at': { $exists: false },
        },
      },
      work,
    );
    return found.length;
  }

  /** All that stored reports write, as text: equal before and after means that none was stored. */
  async stored(): Promise<string> {
    const all = await Promise.all(
      ['bottle_actions', 'bottle_heartbeats', 'bottle_states'].map((name) =>
        this.database.db.collection(name).find({}, NO_PROBLEMS).sort({ _id: 1 }).toArray(),
      ),
    );
    return mongo.BSON.EJSON.stringify(all);
  }

  /** How many reports the metrics count as refused with a code. */
  async refused(code: string): Promise<number> {
    const { text } = await this.get('/metrics');
    const counts = text.matchAll(
      new RegExp(`^pillwatch_reports_total\\{.*result="${code}"\\} (\\d+)$`, 'gm'),
    );
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  /** How many fields of this name the metrics count as left out. */
  async ignored(field: string): Promise<number> {
    const { text } = await this.get('/metrics');
    const counts = text.matchAll(
      new RegExp(`^pillwatch_report_fields_ignored_total\\{field="${field}".*\\} (\\d+)$`, 'gm'),
    );
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  private ofBottle(collection: string, { _id }: RegisteredBottle): Promise<mongo.Document[]> {
    return this.database.db
      .collection(collection)
      .find({ bottle_id: _id })
      .sort({ time: 1, _id: 1 })
      .toArray();
  }
}

function read(status: number, headers: IncomingHttpHeaders, text: string): Answer {
  const isJson = /json/.test(headers['content-type'] ?? '');
  return { status, headers, text, body: isJson && text !== '' ? JSON.parse(text) : undefined };
}

/** An opening, as a device reports it. */
export function opened(ms: number, more: object = {}): Record<string, unknown> {
  return { action: 'opened', time: at(ms), mass_of_contents: 44.25, number_of_pills: 30, ...more };
}

/** A closing after which one pill less is in it. */
export function closed(ms: number, more: object = {}): Record<string, unknown> {
  return {
    action: 'closed',
    time: at(ms),
    mass_of_contents: 42.78,
    number_of_pills: 29,
    pills_taken: 1,
    ...more,
  };
}
