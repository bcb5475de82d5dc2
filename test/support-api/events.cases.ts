import { ChangesLostError, ChangesRepository } from '#persistence';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Types } from 'mongoose';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { FleetService } from '../../apps/support-api/src/fleet/fleet.service.js';
import { ChangeFeed } from '../../apps/support-api/src/live/change-feed.js';
import {
  LiveService,
  MAX_PAGES,
  MAX_PAGES_PER_SESSION,
} from '../../apps/support-api/src/live/live.service.js';
import { EventStream } from '../../apps/support-api/src/live/event-stream.js';
import { EventReader } from '../support/event-reader.js';
import { eventually } from '../../tools/harness/eventually.js';
import { startSupportApi } from '../../tools/harness/services.js';
import { signedIn } from './browser.js';
import { insertAlerts, insertDeliveries, setState } from './fixtures.js';
import { Support } from './support.js';

describe('events', () => {
  let support: Support;
  /** Another process of the same service. */
  let other: NestFastifyApplication;
  let key: string;
  const readers: EventReader[] = [];

  const addressOf = (app: NestFastifyApplication): string =>
    `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;

  beforeAll(async () => {
    support = await Support.start('events', {}, { live: true });
    other = await startSupportApi(support.database.uri, support.clock, {}, { live: true });
    await Promise.all([support.app, other].map((app) => app.listen(0, '127.0.0.1')));
    key = await support.keyOf('viewer');
  });
  afterEach(() => readers.splice(0).forEach((reader) => reader.close()));
  afterAll(async () => {
    await other?.close();
    await support?.stop();
  });

  async function follow(
    app: NestFastifyApplication,
    query = '',
    headers: Record<string, string> = { authorization: `Bearer ${key}` },
  ): Promise<EventReader> {
    const reader = await EventReader.open(`${addressOf(app)}/v1/events${query}`, headers);
    readers.push(reader);
    await eventually(() => expect(reader.lastId).not.toBe(''));
    return reader;
  }

  const toId = (hex: string): Types.ObjectId => new Types.ObjectId(hex);

  const has = (reader: EventReader, event: string, data: object = {}): Promise<void> =>
    eventually(() => expect(reader.of(event)).toContainEqual(data));

  it('is a stream that proxies must neither cache nor change', async () => {
    const { headers } = await follow(support.app);
    expect(headers).toMatchObject({
      'content-type': expect.stringContaining('text/event-stream'),
      'cache-control': 'no-store, no-transform',
      'x-content-type-options': 'nosniff',
    });
  });

  it('reports changes made through another process', async () => {
    const reader = await follow(other);
    await support.register();
    await has(reader, 'bottle');
    await has(reader, 'fleet');
    const bottle_id = 'a'.repeat(24);
    const [alert_id] = await insertAlerts(support, [{ bottle_id: toId(bottle_id) }]);
    await has(reader, 'alert', { alert_id, bottle_id });
    const sent = reader.of('alert').length;
    await support.post(`/v1/alerts/${alert_id}/acknowledge`, {});
    await eventually(() => expect(reader.of('alert').length).toBeGreaterThan(sent));
    await insertDeliveries(support, [{ bottle_id: toId(bottle_id), alert_id: toId(alert_id!) }]);
    await has(reader, 'delivery', { alert_id, bottle_id });
  });

  it("reports a bottle's heartbeats to pages that watch it, and to no other", async () => {
    const [watched, another] = [await support.register(), await support.register()];
    await support.report(watched.token, 'heartbeats');
    await support.report(another.token, 'heartbeats');
    const [watcher, bystander] = [await follow(other, `?bottle_id=${watched.id}`), await follow(other)];
    await has(watcher, 'bottle', { bottle_id: watched.id });
    const [before, seen] = [watcher.of('bottle').length, bystander.events.length];
    support.clock.advance(1_000);
    await support.report(another.token, 'heartbeats');
    await support.report(watched.token, 'heartbeats');
    await eventually(() => expect(watcher.of('bottle').length).toBeGreaterThan(before));
    expect(watcher.of('bottle').at(-1)).toEqual({ bottle_id: watched.id });
    // the next change is reported to all; there was none before
    await insertAlerts(support, [{}]);
    await eventually(() => expect(bystander.of('alert').length).toBeGreaterThan(0));
    const later = bystander.events.slice(seen).map(({ event }) => event);
    expect(later.filter((event) => !['alert', 'alive'].includes(event))).toEqual([]);
  });

  it('reports to every page about which bottle a statement was recorded', async () => {
    const { id } = await support.register({ schedule: { kind: 'times_of_day', times: ['08:00'] } });
    const reader = await follow(other);
    const { body } = await support.get(`/v1/bottles/${id}`);
    const { scheduled_at } = body.next_dose;
    await support.post(`/v1/bottles/${id}/attestations`, { scheduled_at, kind: 'taken' });
    await has(reader, 'bottle', { bottle_id: id });
  });

  it('notifies lists when a status changes', async () => {
    const { id } = await support.register();
    const reader = await follow(other, `?last_event_id=${(await follow(other)).lastId}`);
    await eventually(() => expect(reader.of('bottle')).toEqual([]));
    await setState(support, id, { late: true });
    await has(reader, 'fleet');
    await has(reader, 'bottle');
  });

  it('has counted what it reports, whoever asked for the counts before', async () => {
    const fleet = support.app.get(FleetService);
    const stored = support.database.db.collection('alerts');
    const reader = await follow(support.app);
    for (let round = 0; round < 3; round += 1) {
      // counts that are kept for up to a second
      await eventually(async () => {
        support.clock.advance(1);
        const began = performance.now();
        const { counted_at } = await fleet.overview();
        expect(counted_at).toEqual(support.clock.now());
        expect(performance.now() - began).toBeLessThan(100);
      });
      const sent = reader.of('alert').length;
      await insertAlerts(support, [{}]);
      await eventually(() => expect(reader.of('alert').length).toBeGreaterThan(sent), undefined, 1);
      const { open_alerts } = await fleet.overview();
      const open = await stored.countDocuments({ kind: 'bottle_open', open: true });
      expect(open_alerts.bottle_open).toBe(open);
    }
  });

  it('resumes where it stopped, at another process too, without repeats', async () => {
    const watched = await support.register();
    const [reader, there] = [await follow(support.app), await follow(other, `?bottle_id=${watched.id}`)];
    const expectAlertAt = async (...to: EventReader[]): Promise<object> => {
      const bottle_id = randomBytes(12).toString('hex');
      const [alert_id] = await insertAlerts(support, [{ bottle_id: toId(bottle_id) }]);
      for (const each of to) await has(each, 'alert', { alert_id, bottle_id });
      return { alert_id, bottle_id };
    };
    await has(there, 'bottle', { bottle_id: watched.id });
    await expectAlertAt(reader, there);
    // only the other process reports this; the next changes follow together, a second later
    const sent = there.of('bottle').length;
    await support.report(watched.token, 'heartbeats');
    await eventually(() => expect(there.of('bottle').length).toBeGreaterThan(sent));
    await expectAlertAt(reader);
    reader.close();
    const missed = await expectAlertAt();
    const later = await follow(other, `?last_event_id=${reader.lastId}`);
    const header = { authorization: `Bearer ${key}`, 'last-event-id': reader.lastId };
    const here = await follow(support.app, '', header);
    const last = await expectAlertAt(later, here);
    for (const back of [later, here]) {
      expect(back.of('alert')).toEqual([missed, last]);
      expect(back.of('reset')).toEqual([]);
    }
  });

  it('starts after the first change that it reads', async () => {
    const feed = new ChangeFeed(other.get(ChangesRepository));
    const tokens: string[] = [];
    let begin = '';
    feed.start({
      opened: (position) => (begin = position),
      changed: ({ token }) => tokens.push(token),
      quiet: () => undefined,
      interrupted: () => undefined,
      lost: () => undefined,
    });
    await eventually(async () => {
      await insertAlerts(support, [{}]);
      expect(tokens.length).toBeGreaterThan(0);
    });
    await feed.stop();
    expect(tokens.filter((token) => token <= begin)).toEqual([]);
  });

  it('sends the events of one change with one id, on the last of them', async () => {
    const reader = await follow(support.app);
    await support.register();
    await has(reader, 'fleet');
    const ids = reader.events.filter(({ event }) => event !== 'alive').map(({ event, id }) => [event, id]);
    expect(ids.slice(-2)).toEqual([
      ['bottle', undefined],
      ['fleet', expect.any(String)],
    ]);
  });

  it('makes a page read everything again when it cannot resume', async () => {
    const reader = await follow(other, '?last_event_id=8200');
    const reset = { event: 'reset', id: expect.stringMatching(/^82/) as string };
    expect(reader.events[0]).toMatchObject(reset);
    // the last one is of a database that was ahead of this one
    for (const id of ['garbage', '8200', `${reader.lastId}, ${reader.lastId}`, 'FF']) {
      const headers = { authorization: `Bearer ${key}`, 'last-event-id': id };
      expect((await follow(other, '', headers)).events[0]).toMatchObject(reset);
    }
    // a change that the oplog does not contain
    const changes = other.get(ChangesRepository);
    const now = changes.open([], undefined);
    // opened by the first read, which returns nothing
    await now.next();
    await insertAlerts(support, [{}]);
    const { token } = await eventually(async () => {
      const change = await now.next();
      if (!change) throw new Error('no change yet');
      return change;
    });
    await now.close();
    const expired = changes.open([], token.replace(/.{10}$/, '0'.repeat(8) + '04'));
    await expect(expired.next()).rejects.toThrow(ChangesLostError);
    await expired.close();
  });

  it('sends what docs/support-api.md describes', async () => {
    const [, section = ''] = /^## Live changes\n([^]*?)^## /m.exec(
      readFileSync('docs/support-api.md', 'utf8'),
    )!;
    const rows = [...section.matchAll(/^\| `(\w+)` +\| empty(?:, or (.+?))? +\|/gm)];
    const described = new Map(
      rows.map(([, event, ids = '']) => [event!, [...ids.matchAll(/`(\w+)`/g)].map(([, id]) => id!)]),
    );
    const { id, token } = await support.register();
    const reader = await follow(support.app, `?bottle_id=${id}&last_event_id=8200`);
    await support.report(token, 'heartbeats');
    await setState(support, id, { late: true });
    const [alert_id] = await insertAlerts(support, [{ bottle_id: toId(id) }]);
    await insertDeliveries(support, [{ bottle_id: toId(id), alert_id: toId(alert_id!) }]);
    await support.call('put', '/v1/contacts/willcross1024', { name: 'Will' });
    support.app.get(LiveService).sendAlive();
    await eventually(() =>
      expect(new Set(reader.events.map(({ event }) => event))).toEqual(new Set(described.keys())),
    );
    for (const { event, data } of reader.events)
      expect([[], described.get(event)]).toContainEqual(Object.keys(data));
  });

  it('reports many changes without ids', async () => {
    const reader = await follow(other);
    await insertAlerts(
      support,
      Array.from({ length: 5_000 }, () => ({
        bottle_id: toId('c'.repeat(24)),
        subject: crypto.randomUUID(),
      })),
    );
    await has(reader, 'alert', {});
    expect(reader.of('alert').length).toBeLessThan(1_000);
  });

  it.each([
    ['?bottle_id=x', 400],
    ['?bottle_id=0x01570aaa98db17dc6c142f', 400],
    ['?last_event_id=x', 400],
    ['?since=yesterday', 400],
  ])('refuses %s', async (query, status) => {
    await expect(follow(support.app, query)).rejects.toThrow(String(status));
  });

  it('goes on for the others when one page asks for what is no bottle', async () => {
    const reader = await follow(other);
    const page = await other
      .get(LiveService)
      .connect(
        { bottleId: '0x01570aaa98db17dc6c142f' },
        { id: 'another', authorize: () => Promise.resolve() },
      );
    // the flood of the test before may still be under way, and a page that lags behind is not sent every event
    await eventually(async () => {
      await insertAlerts(support, [{ bottle_id: toId('b'.repeat(24)), subject: crypto.randomUUID() }]);
      expect(reader.of('alert')).toContainEqual(expect.objectContaining({ bottle_id: 'b'.repeat(24) }));
    });
    expect(reader.ended).toBe(false);
    page.destroy();
  });

  it('has so many pages of one viewer, and no more, and asks once for all of them', async () => {
    const live = other.get(LiveService);
    let asked = 0;
    const viewer = { id: 'busy', authorize: () => Promise.resolve((asked += 1)) };
    const pages = await Promise.all(
      Array.from({ length: MAX_PAGES_PER_SESSION }, () => live.connect({}, viewer)),
    );
    await expect(live.connect({}, viewer)).rejects.toMatchObject({ code: 'too_many_streams' });
    (await live.connect({}, { id: 'calm', authorize: () => Promise.resolve() })).destroy();
    live.sendAlive();
    expect(asked).toBe(1);
    pages[0]!.destroy();
    await once(pages[0]!, 'close');
    pages[0] = await live.connect({}, viewer);
    for (const page of pages) page.destroy();
  });

  it('has so many pages in a process, and no more', async () => {
    const live = other.get(LiveService);
    const page = (n: number) => live.connect({}, { id: `viewer ${n}`, authorize: () => Promise.resolve() });
    const pages: EventStream[] = [];
    const open = async (): Promise<void> => {
      for (;;) pages.push(await page(pages.length));
    };
    await expect(open()).rejects.toMatchObject({ code: 'events_unavailable' });
    // some of other tests may not be closed yet
    expect(pages.length).toBeLessThanOrEqual(MAX_PAGES);
    expect(pages.length).toBeGreaterThan(MAX_PAGES - 50);
    for (const each of pages) each.destroy();
    await eventually(async () => (await page(0)).destroy());
  });

  it('is not opened by a HEAD request', async () => {
    const answer = await fetch(`${addressOf(other)}/v1/events`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${key}` },
    });
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
  });

  it('ends with the session', async () => {
    const browser = await signedIn(support, 'viewer');
    const reader = await follow(other, '', { cookie: browser.cookie! });
    const staying = await follow(other);
    await browser.call('delete', '/v1/session');
    await eventually(() => expect(reader.ended).toBe(true));
    await eventually(() => expect(staying.of('alive').length).toBeGreaterThan(0));
    expect(staying.ended).toBe(false);
  });

  describe('a client that does not read', () => {
    it('is disconnected when it does not read, although little is waiting', async () => {
      const stream = new EventStream(undefined);
      const server = createServer((_, answer) => stream.pipe(answer)).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const socket = connect((server.address() as AddressInfo).port);
      socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
      socket.pause();
      let written = 0;
      // fills the socket's buffer, then ours
      await eventually(
        () => {
          for (let turn = 0; turn < 500; turn += 1, written += 1)
            stream.notify([{ event: 'alert', data: {}, token: 'AA'.repeat(200) }]);
          expect(stream.destroyed).toBe(true);
        },
        60_000,
        1,
      );
      expect(written).toBeGreaterThan(100);
      expect(stream.readableLength).toBeLessThan(128 * 1024);
      socket.destroy();
      server.closeAllConnections();
      server.close();
    });

    it('is disconnected when its data is still unread at the next check', () => {
      const stream = new EventStream(undefined);
      stream.notify([{ event: 'alive', data: {}, token: 'AA' }]);
      stream.checkPace();
      expect(stream.destroyed).toBe(false);
      stream.checkPace();
      expect(stream.destroyed).toBe(true);
    });
  });

  it('does not keep the service from stopping', async () => {
    const third = await startSupportApi(support.database.uri, support.clock, {}, { live: true });
    await third.listen(0, '127.0.0.1');
    const reader = await follow(third);
    await third.close();
    await eventually(() => expect(reader.ended).toBe(true));
  });
});
