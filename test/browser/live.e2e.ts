import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { once } from 'node:events';
import type { Page } from 'playwright-core';
import { asAdmin, startSupportApi, type TestBottle } from '../../tools/harness/services.js';
import { BrowserHarness } from '../../tools/browser/harness.js';

let harness: BrowserHarness;
/** Through which others change things while the pages' own is away. */
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
const stale = (page: Page): ReturnType<Page['getByText']> => page.getByText('This page may be out of date.');

it('a change appears by itself', async () => {
  const [page, list] = [
    await harness.openPage(`/bottles/${bottle.id}`, 'viewer'),
    await harness.openPage('/bottles', 'viewer'),
  ];
  const sentence = page.getByRole('region', { name: 'Status' });
  await sentence
    .getByText(/^Closed|^In order|last heard/)
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
  // an alert, which nobody has asked for
  await page.getByRole('link', { name: /^Alerts\s*1\s*open/ }).waitFor();
  harness.expectNoPageErrors();
});

it('two people on one alert: what one does the other sees', async () => {
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
  await asAdmin(other).post(`/v1/alerts/${alert}/acknowledge`).send({ note: 'I ring them' }).expect(200);
  await page.getByText('I ring them').waitFor();
  harness.expectNoPageErrors();
});

it('says that it is stale while the server is away, and catches up by itself', async () => {
  const page = await harness.openPage(`/bottles/${bottle.id}`, 'viewer');
  await live(page);
  const server = harness.services.support.getHttpServer();
  const port = Number(new URL(harness.address).port);
  server.closeAllConnections();
  server.close();
  await stale(page).waitFor();
  await page.getByText('Not live').waitFor();
  // meanwhile
  await asAdmin(other).patch(`/v1/bottles/${bottle.id}`).send({ medication: 'Metformin' }).expect(200);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  await page.getByRole('heading', { name: 'Metformin', level: 1 }).waitFor();
  await stale(page).waitFor({ state: 'detached' });
  await live(page);
});

it('a bottle erased while it is shown is gone from the page', async () => {
  const page = await harness.openPage(`/bottles/${bottle.id}`, 'viewer');
  await live(page);
  await asAdmin(other).delete(`/v1/bottles/${bottle.id}`).expect(200);
  await page
    .getByText(/no such bottle|erased/i)
    .first()
    .waitFor();
});

it('says so when the session has ended elsewhere', async () => {
  const person = await harness.createStaff('viewer');
  const page = await harness.openPage('/', person);
  await live(page);
  const { body } = await asAdmin(other).get('/v1/staff').expect(200);
  const { id } = (body.items as { id: string; email: string }[]).find(({ email }) => email === person.email)!;
  await asAdmin(other).patch(`/v1/staff/${id}`).send({ disabled: true }).expect(200);
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor({ timeout: 30_000 });
});
