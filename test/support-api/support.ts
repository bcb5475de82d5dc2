import { ManualClock } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import supertest from 'supertest';
import { AuditLog } from '../../apps/support-api/src/auth/audit-log.js';
import { emptyDatabase, type TestDatabase } from '../../tools/harness/database.js';
import { ADMIN_TOKEN, startDeviceApi, startSupportApi } from '../../tools/harness/services.js';

/** A Sunday; the initial time of the clock. */
export const NOW = new Date('2026-03-01T12:00:00.000Z');

export interface Answer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- a response may be anything: that is what is tested
  body: any;
  text: string;
  headers: Record<string, string>;
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** support-api, and a device-api for the reports of bottles, on one database and one clock. */
export class Support {
  private constructor(
    readonly database: TestDatabase,
    readonly clock: ManualClock,
    readonly app: NestFastifyApplication,
    readonly device: NestFastifyApplication,
  ) {}

  /**
   * @param settings in addition to the usual ones
   * @param options as createSupportApi takes them
   */
  static async start(
    name: string,
    settings: Record<string, string> = {},
    options: { console?: string; live?: boolean; logs?: boolean } = {},
  ): Promise<Support> {
    const database = await emptyDatabase(`support-${name}`);
    const clock = new ManualClock(NOW);
    const app = await startSupportApi(database.uri, clock, settings, options);
    const { logs } = options;
    const device = await startDeviceApi(database.uri, clock, settings, logs === undefined ? {} : { logs });
    return new Support(database, clock, app, device);
  }

  async stop(): Promise<void> {
    await this.stopApps();
    await this.database.drop();
  }

  async stopApps(): Promise<void> {
    await this.app.close();
    await this.device.close();
  }

  /** Sends a request as staff; without a token if it is null. */
  async call(
    method: Method,
    path: string,
    body?: object | string,
    token: string | null = ADMIN_TOKEN,
  ): Promise<Answer> {
    const request = supertest(this.app.getHttpServer())[method](path);
    if (token !== null) void request.set('authorization', `Bearer ${token}`);
    return body === undefined ? request : request.set('content-type', 'application/json').send(body);
  }

  get(path: string, token?: string | null): Promise<Answer> {
    return this.call('get', path, undefined, token);
  }

  post(path: string, body?: object | string, token?: string | null): Promise<Answer> {
    return this.call('post', path, body, token);
  }

  /** Sends a report as a bottle. */
  async report(token: string, path: 'heartbeats' | 'actions', body: object = {}): Promise<Answer> {
    return supertest(this.device.getHttpServer())
      .post(`/v1/${path}`)
      .set('authorization', `Bearer ${token}`)
      .send(body);
  }

  /** Registers a bottle. */
  async register(body: object = {}): Promise<{ id: string; token: string }> {
    const given = { user_id: 'willcross1024', medication: 'Cordrazine', time_zone: 'Europe/Berlin', ...body };
    const answer = await this.post('/v1/bottles', given);
    if (answer.status !== 201) throw new Error(answer.text);
    return { id: answer.body.bottle_id, token: answer.body.token };
  }

  /** Registers the bottles of a CSV file. */
  importCsv(csv: string, token = ADMIN_TOKEN): Promise<Answer> {
    return this.sendCsv('/v1/bottles/import', csv, token);
  }

  async sendCsv(path: string, csv: string | Buffer, token = ADMIN_TOKEN): Promise<Answer> {
    return supertest(this.app.getHttpServer())
      .post(path)
      .set('authorization', `Bearer ${token}`)
      .set('content-type', 'text/csv')
      .send(csv);
  }

  /** Creates an API key of this role. */
  async keyOf(role: string): Promise<string> {
    return (await this.post('/v1/api-keys', { name: `a ${role}`, role })).body.key;
  }

  /** Returns everything that is stored, to check that a refused request or an erasure left nothing. */
  async stored(except: string[] = []): Promise<string> {
    // what was read before is noted a little later, with the pseudonyms of those whom it showed
    await this.app.get(AuditLog).finish();
    const collections = await this.database.db.listCollections({}, { nameOnly: true }).toArray();
    // device-api records by itself that it is accepting reports, and counts; refusals are to be in the audit
    const names = collections
      .map(({ name }) => name)
      .filter(
        (name) => ![...except, 'listening_spans', 'audit_head'].includes(name) && !name.startsWith('ts_'),
      );
    const all = await Promise.all(
      names.sort().map((name) => {
        const [filter, projection] =
          name === 'audit' ? [{ category: 'change' }, { seq: 0, previous: 0, hash: 0 }] : [{}, {}];
        return this.database.db.collection(name).find(filter, { projection }).sort({ _id: 1 }).toArray();
      }),
    );
    return JSON.stringify(all);
  }

  /** Reads a list to its end. */
  async pages(path: string, limit: number): Promise<{ items: Answer['body'][]; pages: number }> {
    const items: Answer['body'][] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const joined = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`;
      const answer = await this.get(joined);
      if (answer.status !== 200) throw new Error(answer.text);
      if (answer.body.items.length > limit) throw new Error('a page is longer than its limit');
      items.push(...answer.body.items);
      cursor = answer.body.next_cursor;
      pages += 1;
    } while (cursor !== undefined);
    return { items, pages };
  }
}
