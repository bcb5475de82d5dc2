import type { Locator, Page } from 'playwright-core';
import { ChartUpkeep } from '../../apps/notifier/src/charts/chart-upkeep.js';
import { eventually } from '../../tools/harness/eventually.js';
import { asAdmin, type TestBottle } from '../../tools/harness/services.js';
import { BrowserHarness, minutesAgo } from '../../tools/browser/harness.js';

let harness: BrowserHarness;
let bottles: TestBottle[];

beforeAll(async () => {
  harness = await BrowserHarness.start('fleet', {}, minutesAgo(50));
});
afterAll(() => harness?.stop());
afterEach(() => harness.expectNoPageErrors());

const panel = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

it('says what to do while there is no bottle', async () => {
  const page = await harness.openPage('/');
  await panel(page, 'Bottles').getByText('No bottle is registered yet').waitFor();
  await panel(page, 'Alerts now').getByText('No alert is open.').waitFor();
  await panel(page, 'Activity').getByText('Nothing was measured in this time').first().waitFor();
  await panel(page, 'Bottles').getByRole('link', { name: 'Register one' }).click();
  await page.getByRole('heading', { name: 'Register', level: 1 }).waitFor();
});

it('counts the bottles by how they are, the alerts by kind, and what comes in', async () => {
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
  await counts.getByRole('link', { name: /^OK 2 40 %$/ }).waitFor();
  await counts.getByRole('link', { name: /^Silent 0 0 %$/ }).waitFor();
  await counts.getByRole('link', { name: /^Never heard 2 40 %$/ }).waitFor();
  await panel(page, 'Coming in')
    .getByText(/^Heartbeats\s*3$/)
    .waitFor();
  await panel(page, 'Notifier').getByText('keeping up').waitFor();
  await panel(page, 'Alerts now').getByRole('link', { name: 'Left open 1' }).click();
  await page.waitForURL(/\/alerts\?.*kind=bottle_open/);
});

it('charts what happened, from the last hour to all time', async () => {
  // device-api counts in memory and writes once a second; the notifier lets the coarser tiers follow
  await eventually(async () => {
    await harness.services.notifier.app.get(ChartUpkeep).rollUp();
    const { body } = await asAdmin(harness.services.support)
      .get('/v1/fleet/charts?series=reports')
      .expect(200);
    expect(body.columns[1].some((value: number | null) => value !== null)).toBe(true);
  });
  const page = await harness.openPage('/', 'viewer');
  const activity = panel(page, 'Activity');
  const heartbeats = panel(page, 'Heartbeats');
  for (const [span, step] of [
    ['1 h', /a point is \d+ min/],
    ['7 days', /a point is (\d+ min|1 h)/],
    ['30 days', /a point is \d+ h/],
    ['1 year', /a point is 1 day(?!s)/],
    ['All', /a point is \d+ days/],
    ['24 h', /a point is \d+ min/],
  ] as const) {
    await activity.getByText(span, { exact: true }).click();
    await heartbeats.getByText(step).waitFor();
    expect(await activity.getByRole('alert').count()).toBe(0);
  }
  // the same as numbers, for who does not see the picture
  await heartbeats.getByRole('button', { name: 'Table of Heartbeats' }).click();
  const table = heartbeats.getByRole('region', { name: 'Heartbeats: table' });
  await table
    .getByRole('row', { name: /E[SD]T [36]$/ })
    .first()
    .waitFor();
});

it('looks closer at a part that is marked, and leaves it again', async () => {
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
  await activity.getByRole('button', { name: 'Leave' }).click();
  await panel(page, 'Heartbeats').locator('.u-over').waitFor();
});

it('reaches every range by the keyboard', async () => {
  const page = await harness.openPage('/', 'viewer');
  const ranges = page.getByRole('radiogroup', { name: 'How far back' });
  await ranges.getByRole('radio', { name: '24 h' }).focus();
  await page.keyboard.press('ArrowLeft');
  await eventually(async () =>
    expect(await ranges.getByRole('radio', { name: '1 h' }).isChecked()).toBe(true),
  );
});

it('says so when the notifier falls behind, and when the server cannot be reached', async () => {
  const page = await harness.openPage('/', 'viewer');
  await panel(page, 'Notifier').getByText('keeping up').waitFor();
  await harness.services.open(bottles[1]!);
  harness.services.clock.advance(20 * 60_000);
  await page.reload();
  await panel(page, 'Notifier').getByText('behind', { exact: true }).waitFor();
  await panel(page, 'Notifier').getByText('Alerts come late. Check that a notifier is running.').waitFor();

  await page.route('**/v1/fleet', (route) => route.abort());
  await page.reload();
  const failed = page.getByRole('alert').filter({ hasText: 'The server cannot be reached' });
  await failed.first().waitFor();
  await failed.first().getByRole('button', { name: 'Try again' }).click();
  await page.unroute('**/v1/fleet');
  await panel(page, 'Bottles').getByText('5 bottles').waitFor();
});
