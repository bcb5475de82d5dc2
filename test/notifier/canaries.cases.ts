import { CANARY_PILLS, CANARY_SCHEDULE, MINUTE_MS, HOUR_MS } from '#domain';
import {
  AlertsRepository,
  BottleHeartbeatsRepository,
  CanariesRepository,
  DeliveriesRepository,
  DoseOutcomesRepository,
} from '#persistence';
import { LiveCounts } from '#timeseries';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CoverageGaps } from '../../apps/notifier/src/alert-kinds/coverage-gap/coverage-gaps.js';
import { UnconfirmedDoses } from '../../apps/notifier/src/alert-kinds/coverage-gap/unconfirmed-doses.js';
import { ChartUpkeep } from '../../apps/notifier/src/charts/chart-upkeep.js';
import { asAdmin, type TestBottle } from '../../tools/harness/services.js';
import { WEBHOOK_SECRET, WebhookReceiver } from '../../tools/harness/webhook-receiver.js';
import supertest from 'supertest';
import { NotifierHarness } from './notifier-harness.js';

/** A canary beside another bottle that reports the same: what is shown and counted is the other's alone. */
describe('a canary', () => {
  let harness: NotifierHarness;
  let watchdog: WebhookReceiver;
  let canary: TestBottle;
  let other: TestBottle;

  beforeAll(async () => {
    watchdog = await WebhookReceiver.start({ secret: WEBHOOK_SECRET });
    harness = await NotifierHarness.start('canaries', {
      CANARY_WEBHOOK_URL: watchdog.url,
      FLEET_INCIDENT_BOTTLES: '2',
    });
    // no dose is due before the bottles report
    await harness.begin();
    const { body } = await asAdmin(harness.support).post('/v1/canaries').expect(201);
    const { bottle_id: id, token } = body as { bottle_id: string; token: string };
    const post = (path: string, sent?: object): supertest.Test =>
      supertest(harness.device.getHttpServer())
        .post(path)
        .set('authorization', `Bearer ${token}`)
        .send(sent ?? {});
    canary = { id, token, post };
    other = await harness.register({
      user_id: 'anna',
      time_zone: 'UTC',
      schedule: { ...CANARY_SCHEDULE, every: '1h' },
    });
    // a contact, as the mail leg needs it: other people are in the search by theirs
    await asAdmin(harness.support)
      .put(`/v1/contacts/canary-${id}`)
      .send({
        name: 'Canary Islands',
        webhook: true,
        email: `${id}@watchdog.example.test`,
        email_verified: true,
      })
      .expect(201);
  });
  afterAll(async () => {
    await harness?.stop();
    await watchdog?.stop();
  });

  const both = (): TestBottle[] => [canary, other];
  const get = async (path: string): Promise<supertest.Response['body']> =>
    (await asAdmin(harness.support).get(path).expect(200)).body;
  const idsIn = async (path: string): Promise<string[]> =>
    (await get(path)).items.map(({ bottle_id }: { bottle_id: string }) => bottle_id);

  describe('whose dose is late, and whose lid is open', () => {
    let from: Date;
    let to: Date;

    beforeAll(async () => {
      from = harness.clock.now();
      await harness.heartbeat(...both());
      for (const bottle of both()) await harness.action(bottle, 'opened', { number_of_pills: CANARY_PILLS });
      await harness.live(6, () => harness.heartbeat(...both()));
      await harness.device.get(LiveCounts).flush(harness.clock.now());
      to = harness.clock.now();
      await harness.pass(2 * MINUTE_MS);
      await harness.notifier.app.get(ChartUpkeep).follow();
    });

    it.each(['', '?status=late', '?status=open', '?medication=Cordrazine', '?q=anna'])(
      'is not in the list of bottles%s',
      async (query) => {
        const ids = await idsIn(`/v1/bottles${query}`);
        // the dose is missed by now
        expect(ids).toEqual(query === '?status=late' ? [] : [other.id]);
      },
    );

    it.each(['q=ffffffff', 'q=canary', 'medication=canary', 'status=late'])(
      'is not found by %s',
      async (query) => {
        expect(await idsIn(`/v1/bottles?${query}`)).toEqual([]);
        expect(await idsIn(`/v1/bottles?user_id=canary-${canary.id}`)).toEqual([]);
      },
    );

    it.each(['canary', 'canary islands', 'ffffffff', 'watchdog.example'])(
      'is not found by the search for %s',
      async (q) => {
        const { people, bottles, alerts, medications } = await get(`/v1/search?q=${q}`);
        expect({ people, bottles, alerts, medications }).toEqual({
          people: [],
          bottles: [],
          alerts: [],
          medications: [],
        });
        expect(await idsIn(`/v1/bottles?q=${canary.id}`)).toEqual([]);
        expect((await get(`/v1/search?q=${canary.id}`)).bottles).toEqual([]);
      },
    );

    it('is nobody’s on a person’s page', async () => {
      const person = await get(`/v1/people/canary-${canary.id}`);
      expect(person).toMatchObject({ bottles: [], former_bottles: [], open_alerts: [] });
      const { items } = await get(`/v1/people/canary-${canary.id}/messages`);
      expect(items).toEqual([]);
    });

    it.each([
      'alerts',
      'alerts?state=open',
      'alerts?kind=bottle_open',
      'alerts?state=resolved&kind=missed_dose',
      'alerts?order=needs_person',
      'alerts?order=needs_person&assigned=nobody',
      'deliveries',
      'deliveries?status=delivered',
    ])('is not in %s', async (list) => {
      const ids = await idsIn(`/v1/${list}`);
      expect([list, new Set(ids)]).toEqual([list, new Set([other.id])]);
    });

    it('shows its alerts on its own page, and its notifications to the watchdog alone', async () => {
      expect((await get(`/v1/bottles/${canary.id}`)).status).toBe('open');
      expect(await idsIn(`/v1/alerts?bottle_id=${canary.id}&state=open`)).toEqual([canary.id]);
      expect(harness.receiver.received(canary.id)).toEqual([]);
      expect(watchdog.received(canary.id)).toEqual(harness.receiver.received(other.id));
      expect(watchdog.received(other.id)).toEqual([]);
    });

    it('counts in no figure of the fleet', async () => {
      const { bottles, open_alerts, needs_attention, ingest } = await get('/v1/fleet');
      expect(bottles).toEqual({ total: 1, by_status: { unknown: 0, silent: 0, late: 0, open: 1, ok: 0 } });
      expect(open_alerts).toMatchObject({ bottle_open: 1, missed_dose: 0 });
      expect(needs_attention).toMatchObject({ bottle_open: 1, missed_dose: 0 });
      expect(ingest.actions_per_minute).not.toBeGreaterThan(1);
    });

    it('counts in no metric', async () => {
      const metricsOf = async ({ app }: { app: NestFastifyApplication }): Promise<string> =>
        (await supertest(app.getHttpServer()).get('/metrics').expect(200)).text;
      const reports = await metricsOf({ app: harness.device });
      expect(reports).toContain('pillwatch_reports_total{type="heartbeat",result="stored"} 7\n');
      expect(reports).toContain('pillwatch_reports_total{type="action",result="stored"} 1\n');
      const notifications = await metricsOf(harness.notifier);
      const sent = (await harness.deliveries(other)).filter(({ status }) => status === 'delivered').length;
      expect(notifications).toContain(
        `pillwatch_deliveries_total{channel="webhook",result="delivered"} ${sent}\n`,
      );
      for (const [, count] of notifications.matchAll(
        /^pillwatch_notification_delay_seconds_count\{.*\} (\d+)$/gm,
      ))
        expect(count).toBe('1');
    });

    it('counts in no chart', async () => {
      const range = `from=${from.toISOString()}&to=${to.toISOString()}`;
      const { columns, series } = await get(`/v1/fleet/charts?series=reports&step=1h&${range}`);
      const sums = series.map(({ key }: { key: string }, index: number) => [
        key,
        columns[index + 1].reduce((sum: number, value: number | null) => sum + (value ?? 0), 0),
      ]);
      expect(Object.fromEntries(sums)).toEqual({ heartbeats: 7, opened: 1, closed: 0, pills_taken: 0 });
      const { app } = harness.notifier;
      expect(await app.get(BottleHeartbeatsRepository).countReceived(from, to)).toBe(6);
      for (const [counted, expected] of [
        [BottleHeartbeatsRepository, 6],
        [AlertsRepository, 2],
        [DeliveriesRepository, 3],
        [DoseOutcomesRepository, 1],
      ] as const) {
        const counts = await app.get(counted).countByMinute(from, to);
        expect([counted.name, counts.reduce((sum, { count }) => sum + count, 0)]).toEqual([
          counted.name,
          expected,
        ]);
      }
    });

    it('keeps no history: no list has to pass over it', async () => {
      const ended = async (bottle: TestBottle) =>
        (await harness.alerts(bottle)).filter(({ ended_at }) => ended_at).length;
      expect(await ended(canary)).toBe(1);
      await harness.notifier.app.get(CanariesRepository).deleteBefore(harness.clock.now());
      expect([await ended(canary), await ended(other)]).toEqual([0, 1]);
      expect(await harness.deliveries(canary)).toEqual([]);
    });
  });

  it('counts in no fleet incident', async () => {
    await harness.begin();
    await harness.heartbeat(...both());
    await harness.pass(65 * MINUTE_MS);
    await harness.notifier.runAll();
    // one bottle is no incident, two would be one
    expect(await get('/v1/alerts?kind=fleet_incident')).toMatchObject({ items: [] });
    expect(harness.receiver.received(other.id)).toContain('bottle_silent raised');
  });

  it('has no doses in a coverage gap', async () => {
    await harness.begin();
    await harness.heartbeat(...both());
    // ends a silence of before
    await harness.notifier.silent.run();
    await harness.outage(HOUR_MS + MINUTE_MS);
    const { app } = harness.notifier;
    await app.get(CoverageGaps).run();
    const { items } = await get('/v1/fleet/coverage-gaps');
    expect(items[0]).toMatchObject({ part: 'device-api', doses: 1 });
    await harness.pass(31 * MINUTE_MS);
    await app.get(UnconfirmedDoses).run();
    expect(await idsIn('/v1/alerts?kind=coverage_gap')).toContain(other.id);
    expect(await idsIn(`/v1/alerts?kind=coverage_gap&bottle_id=${canary.id}`)).toEqual([]);
  });

  it('stays a canary: it gets no other user and no other medication', async () => {
    for (const change of [{ user_id: 'anna' }, { medication: 'Cordrazine' }]) {
      const { status, body } = await asAdmin(harness.support).patch(`/v1/bottles/${canary.id}`).send(change);
      expect([status, body.code]).toEqual([409, 'canary']);
    }
    await asAdmin(harness.support).patch(`/v1/bottles/${canary.id}`).send({ time_zone: 'UTC' }).expect(200);
  });
});
