import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { once } from 'node:events';
import type { Page } from 'playwright-core';
import { asAdmin, startSupportApi, type TestBottle } from '../../tools/harness/services.js';
import { BrowserHarness } from '../../tools/browser/harness.js';

describe('live', () => {
  let harness: BrowserHarness;
  /** Another instance, for changes while the pages' own is down. */
  let other: NestFastifyApplication;
  let bottle: TestBottle;

  beforeAll(async () => {
    harness = await BrowserHarness.start('live');
    other = await startSupportApi(harness.services.database.uri, harness.services.clock);
  });
  beforeEach(async () => {
    bottle = await harness.services.register({ user_id: 'anna-schmidt', medication: 'Cordrazine' });
    await bottle.post('/v1/heartbeats').expect(204);
  });
  afterAll(async () => {
    await other?.close();
    await harness?.stop();
  });

  const live = (page: Page): Promise<void> => page.getByText('Live', { exact: true }).waitFor();
  const stale = (page: Page): ReturnType<Page['getByText']> =>
    page.getByText('This page may be out of date.');

  it('shows a change without reload', async () => {
    const [page, list] = [
      await harness.openPage(`/bottles/${bottle.id}`, 'viewer'),
      await harness.openPage('/bottles', 'viewer'),
    ];
    const sentence = page.getByRole('region', { name: 'Status' });
    await sentence
      .getByText(/last seen/)
      .first()
      .waitFor();
    await Promise.all([live(page), live(list)]);
    await harness.services.open(bottle);
    await sentence.getByText(/^Open since/).waitFor();
    await list
      .getByRole('row', { name: /anna-schmidt/ })
      .getByText('Open')
      .first()
      .waitFor();
    await harness.services.pass(8);
    // an alert appears too
    await page.getByRole('link', { name: /^Alerts\s*1\s*need attention/ }).waitFor();
    harness.expectNoPageErrors();
  });

  it('shows a dose as due, and as taken when the report is logged, before any check of the notifier', async () => {
    const { services } = harness;
    const now = services.clock.now().getTime();
    const due = await services.register({
      number_of_pills: 30,
      schedule: { kind: 'interval', every: '6h', anchor: new Date(now + 60_000).toISOString() },
    });
    await due.post('/v1/heartbeats').expect(204);
    const page = await harness.openPage(`/bottles/${due.id}`, 'viewer');
    const [today, doses, device] = [
      page.getByRole('region', { name: 'Today' }),
      page.getByRole('group', { name: 'Doses' }),
      page.getByRole('group', { name: 'Bottle' }),
    ];
    await today.getByText('Upcoming').first().waitFor();
    await doses.getByText(/^No dose due yet today/).waitFor();
    // time alone makes it due: there is no event
    services.clock.advance(2 * 60_000);
    await today.getByText('Due', { exact: true }).waitFor();
    await doses.getByText(/^Dose due since /).waitFor();
    await device.getByText(/^Not opened yet; last seen/).waitFor();
    await page.getByText('The bottle reports; it has not been opened or closed.').waitFor();
    await live(page);
    await services.close(due, 1, 29);
    await today.getByText('Taken on time').waitFor();
    await doses.getByText(/^(The dose of today is|\d of \d doses) taken/).waitFor();
    await device.getByText(/^Closed since/).waitFor();
    harness.expectNoPageErrors();
  });

  it('shows one person’s action on an alert to another', async () => {
    await harness.services.open(bottle);
    await harness.services.pass(8);
    const { body } = await asAdmin(other).get(`/v1/bottles/${bottle.id}`).expect(200);
    const alert = body.open_alerts[0].id as string;
    const page = await harness.openPage(`/alerts/${alert}`);
    await page
      .getByRole('button', { name: /^Acknowledge/ })
      .first()
      .waitFor();
    await live(page);
    await asAdmin(other)
      .post(`/v1/alerts/${alert}/acknowledge`)
      .send({ note: 'I am calling them' })
      .expect(200);
    await page.getByText('I am calling them').waitFor();
    harness.expectNoPageErrors();
  });

  it('shows that it is out of date while the server is down, and catches up', async () => {
    const page = await harness.openPage(`/bottles/${bottle.id}`, 'viewer');
    await live(page);
    const server = harness.services.support.getHttpServer();
    const port = Number(new URL(harness.address).port);
    server.closeAllConnections();
    server.close();
    await stale(page).waitFor();
    await page.getByText('Disconnected').waitFor();
    // a change in the meantime
    await asAdmin(other).patch(`/v1/bottles/${bottle.id}`).send({ medication: 'Metformin' }).expect(200);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    await page.getByRole('heading', { name: 'Metformin', level: 1 }).waitFor();
    await stale(page).waitFor({ state: 'detached' });
    await live(page);
  });

  it('is not live from the first request that gets no response', async () => {
    const page = await harness.openPage('/', 'support');
    await live(page);
    // the stream stays silent: no event says that the network is gone
    await page.evaluate(`window.EventSource = class extends EventTarget { close() {} }`);
    await page.route('**/v1/**', (route) => route.abort());
    const asked = performance.now();
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Bottles', exact: true })
      .click();
    await stale(page).waitFor();
    expect(performance.now() - asked).toBeLessThan(15_000);
  });

  it('opens a page while offline, and fills it when the network is back', async () => {
    const page = await harness.openPage('/', 'support');
    await live(page);
    await page.context().setOffline(true);
    await stale(page).waitFor();
    const menu = page.getByRole('navigation', { name: 'Main' });
    await menu.getByRole('link', { name: 'Audit log', exact: true }).click();
    await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
    const entry = page.getByRole('row', { name: /Registered/ }).first();
    expect(await entry.count()).toBe(0);
    await page.context().setOffline(false);
    await entry.waitFor();
    await live(page);
  });

  it('shows that a bottle was erased', async () => {
    const page = await harness.openPage(`/bottles/${bottle.id}`, 'viewer');
    await live(page);
    await asAdmin(other).delete(`/v1/bottles/${bottle.id}`).expect(200);
    await page
      .getByText(/not found|erased/i)
      .first()
      .waitFor();
  });

  it('shows that the session was ended elsewhere', async () => {
    const person = await harness.createStaff('viewer');
    const page = await harness.openPage('/', person);
    await live(page);
    const { body } = await asAdmin(other).get('/v1/staff').expect(200);
    const { id } = (body.items as { id: string; email: string }[]).find(
      ({ email }) => email === person.email,
    )!;
    await asAdmin(other).patch(`/v1/staff/${id}`).send({ disabled: true }).expect(200);
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor({ timeout: 30_000 });
  });
});
