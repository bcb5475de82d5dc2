import { CoverageRepository } from '#persistence';
import type { Locator, Page } from 'playwright-core';
import { ChartUpkeep } from '../../apps/notifier/src/charts/chart-upkeep.js';
import { Types } from 'mongoose';
import { eventually } from '../../tools/harness/eventually.js';
import { asAdmin, type TestBottle } from '../../tools/harness/services.js';
import { BrowserHarness, minutesAgo } from '../../tools/browser/harness.js';
import { downloadCsv } from './download-csv.js';

describe('fleet', () => {
  let harness: BrowserHarness;
  let bottles: TestBottle[];

  beforeAll(async () => {
    harness = await BrowserHarness.start('fleet', {}, minutesAgo(50));
  });
  afterAll(() => harness?.stop());
  afterEach(() => harness.endTest());

  const panel = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

  it('says what to do while there are no bottles', async () => {
    const page = await harness.openPage('/');
    await panel(page, 'Bottles').getByText('No bottles yet').waitFor();
    await panel(page, 'Open alerts').getByText('No open alerts').waitFor();
    await panel(page, 'Activity').getByText('No data in this period').first().waitFor();
    await panel(page, 'Bottles').getByRole('link', { name: 'Register a bottle' }).click();
    await page.getByRole('heading', { name: 'Register', level: 1 }).waitFor();
  });

  it('counts bottles by status, alerts by kind, and incoming reports', async () => {
    bottles = [];
    for (let number = 0; number < 5; number += 1) bottles.push(await harness.services.register());
    const [one, two, three] = bottles;
    for (const bottle of [one, two, three]) await bottle!.post('/v1/heartbeats').expect(204);
    await harness.services.open(one!);
    await harness.services.pass(7);
    for (const bottle of [one, two, three]) await bottle!.post('/v1/heartbeats').expect(204);

    const page = await harness.openPage('/', 'viewer');
    const counts = panel(page, 'Bottles');
    await counts.getByText('5 bottles').waitFor();
    await counts.getByRole('link', { name: /^Open 1 20 %$/ }).waitFor();
    await counts.getByRole('link', { name: /^Reporting 2 40 %$/ }).waitFor();
    await counts.getByRole('link', { name: /^Silent 0 0 %$/ }).waitFor();
    await counts.getByRole('link', { name: /^Never connected 2 40 %$/ }).waitFor();
    await panel(page, 'Reports per minute')
      .getByText(/^Heartbeats\s*3$/)
      .waitFor();
    await panel(page, 'Notifier').getByText('No message reaches anybody: no notifier is running.').waitFor();
    await panel(page, 'Open alerts').getByRole('link', { name: 'Left open 1' }).click();
    await page.waitForURL(/\/alerts\?.*kind=bottle_open/);
  });

  it('charts the activity in every range', async () => {
    // the counts follow the log when its minutes are over
    await harness.services.pass(3);
    await eventually(async () => {
      await harness.services.notifier.app.get(ChartUpkeep).follow();
      const { body } = await asAdmin(harness.services.support)
        .get('/v1/fleet/charts?series=reports')
        .expect(200);
      expect(body.columns[1].some((value: number | null) => value !== null)).toBe(true);
    });
    const page = await harness.openPage('/', 'viewer');
    const activity = panel(page, 'Activity');
    const heartbeats = panel(page, 'Heartbeats');
    for (const [span, step] of [
      ['1 h', /\d+-minute intervals/],
      ['7 days', /(\d+-minute|1-hour) intervals/],
      ['30 days', /\d+-hour intervals/],
      ['1 year', /1-day intervals/],
      ['All', /\d+-day intervals/],
      ['24 h', /\d+-minute intervals/],
    ] as const) {
      await activity.getByText(span, { exact: true }).click();
      await heartbeats.getByText(step).waitFor();
      expect(await activity.getByRole('alert').count()).toBe(0);
    }
    // the same as a table
    await heartbeats.getByRole('button', { name: 'Table of Heartbeats' }).click();
    const table = heartbeats.getByRole('region', { name: 'Heartbeats: table' });
    await table
      .getByRole('row', { name: /E[SD]T [36]$/ })
      .first()
      .waitFor();
  });

  it('shows in legend, table and CSV what the API counts, and nothing unfinished as a fall', async () => {
    const page = await harness.openPage('/', 'viewer');
    const heartbeats = panel(page, 'Heartbeats');
    const shown = heartbeats.locator('[data-series="heartbeats"]');
    await shown.waitFor();
    const { body } = await asAdmin(harness.services.support)
      .get('/v1/fleet/charts?series=reports')
      .expect(200);
    const [times, values] = body.columns as [number[], (number | null)[]];
    const until = Date.parse(body.complete_until as string) / 1000;
    const finished = values.filter((value, row) => value !== null && times[row]! < until);
    expect(await shown.innerText()).toBe(String(finished.at(-1)));
    await heartbeats.getByRole('button', { name: 'Table of Heartbeats' }).click();
    const cells = await heartbeats.locator('tbody td[data-label="Heartbeats"]').allInnerTexts();
    const counted = cells.filter((text) => text !== '–').map(Number);
    expect(counted).toEqual(values.filter((value) => value !== null).toReversed());
    // what is unusual now comes first
    await panel(page, 'Unusual now').getByText('as soon as there are two').waitFor();
  });

  it('moves the cursor of all charts together, over one axis', async () => {
    const page = await harness.openPage('/', 'viewer');
    const drawing = panel(page, 'Heartbeats').locator('.u-over');
    await drawing.scrollIntoViewIfNeeded();
    const box = (await drawing.boundingBox())!;
    const legend = (name: string) => panel(page, name).getByRole('list', { name: `${name}: values` });
    await page.mouse.move(box.x + box.width * 0.97, box.y + box.height / 2);
    await eventually(async () => {
      const [one, other] = await Promise.all(
        ['Heartbeats', 'Actions and pills taken'].map((name) =>
          legend(name).getByRole('listitem').first().innerText(),
        ),
      );
      expect(one).toMatch(/\d\d:\d\d/);
      expect(other).toBe(one);
    });
  });

  it('charts adherence as measured and with reports, with the share from people’s statements, also as CSV', async () => {
    const { db } = harness.services.database;
    const scheduled_at = harness.services.clock.now();
    const ids = bottles.slice(0, 2).map(({ id }) => new Types.ObjectId(id));
    // written directly, as their doses
    await db.collection('dose_outcomes').insertMany(
      ids.map((bottle_id, index) => ({
        bottle_id,
        scheduled_at,
        outcome: index === 0 ? 'missed' : 'taken_on_time',
        pills_scheduled: 1,
        pills_taken: index,
        judged_at: scheduled_at,
      })),
    );
    const statement = { kind: 'taken', outcome: 'taken', attested_by: 'user', recorded_by: 'A support' };
    await db
      .collection('attestations')
      .insertOne({ ...statement, bottle_id: ids[0], scheduled_at, at: scheduled_at });
    await harness.services.notifier.app.get(ChartUpkeep).follow();
    const page = await harness.openPage('/');
    const chart = panel(page, 'Doses taken, as measured and with reports');
    await chart.getByRole('button', { name: /^Table/ }).click();
    await chart.getByRole('columnheader', { name: 'From people’s statements (%)' }).waitFor();
    await chart.getByRole('row', { name: / 50 100 50$/ }).waitFor();
    const { rows } = await downloadCsv(page, 'CSV of Doses taken, as measured and with reports');
    expect(rows.filter(({ measured_known }) => measured_known === '2')).toMatchObject([
      { measured_taken: '1', reported_taken: '2', attested: '1', attested_share: '50' },
    ]);
  });

  it('zooms into a selected part, and out again', async () => {
    const page = await harness.openPage('/', 'viewer');
    const activity = panel(page, 'Activity');
    const drawing = panel(page, 'Heartbeats').locator('.u-over');
    await drawing.scrollIntoViewIfNeeded();
    const box = (await drawing.boundingBox())!;
    const at = (share: number): [number, number] => [box.x + box.width * share, box.y + box.height / 2];
    await page.mouse.move(...at(0.3));
    await page.mouse.down();
    await page.mouse.move(...at(0.5), { steps: 4 });
    const asked = page.waitForRequest(/fleet\/charts.*series=reports.*&to=/);
    await page.mouse.up();
    await asked;
    await activity.getByText(/E[SD]T – .*E[SD]T/).waitFor();
    expect(await activity.getByRole('alert').count()).toBe(0);
    await activity.getByRole('button', { name: 'Reset zoom' }).click();
    await panel(page, 'Heartbeats').locator('.u-over').waitFor();
  });

  it('switches ranges by keyboard', async () => {
    const page = await harness.openPage('/', 'viewer');
    const ranges = page.getByRole('radiogroup', { name: 'Time range' });
    await ranges.getByRole('radio', { name: '24 h' }).focus();
    await page.keyboard.press('ArrowLeft');
    await eventually(async () =>
      expect(await ranges.getByRole('radio', { name: '1 h' }).isChecked()).toBe(true),
    );
  });

  it('shows when the notifier is delayed, and when the server is unreachable', async () => {
    const runs = async (): Promise<unknown> =>
      harness.services.support
        .get(CoverageRepository)
        .beat('notifier', undefined, harness.services.clock.now(), 15_000, { channels: ['email'] });
    await runs();
    const page = await harness.openPage('/', 'viewer');
    await panel(page, 'Notifier').getByText('on schedule').waitFor();
    await harness.services.open(bottles[1]!);
    harness.services.clock.advance(20 * 60_000);
    await harness.services.coverage.record();
    await runs();
    await page.reload();
    await panel(page, 'Notifier').getByText('delayed', { exact: true }).waitFor();
    await panel(page, 'Notifier')
      .getByText('Alerts are delayed. Check what holds the notifier up.')
      .waitFor();

    await page.route('**/v1/fleet', (route) => route.abort());
    await page.reload();
    const failed = page.getByRole('alert').filter({ hasText: 'Can’t reach the server' });
    await failed.first().waitFor();
    await failed.first().getByRole('button', { name: 'Try again' }).click();
    await page.unroute('**/v1/fleet');
    await panel(page, 'Bottles').getByText('5 bottles').waitFor();
  });
});
