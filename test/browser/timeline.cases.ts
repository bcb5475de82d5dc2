import type { TestBottle } from '../../tools/harness/services.js';
import { BrowserHarness, minutesAgo } from '../../tools/browser/harness.js';
import { downloadCsv } from './download-csv.js';

describe('timeline', () => {
  let harness: BrowserHarness;

  beforeAll(async () => {
    // long enough for the time that passes below: pages show the present
    harness = await BrowserHarness.start('timeline', {}, minutesAgo(120));
  });
  afterAll(() => harness?.stop());
  afterEach(() => harness.endTest());

  const register = (): Promise<TestBottle> => harness.services.register({ number_of_pills: 25 });

  it('shows all activity, newest first', async () => {
    const bottle = await register();
    await bottle.post('/v1/heartbeats').expect(204);
    await harness.services.open(bottle);
    await harness.services.pass(7, () => bottle.post('/v1/heartbeats'));
    await harness.services.close(bottle, 1, 24);
    await harness.services.pass(1);
    // it becomes silent, and reports again
    await harness.services.pass(80);
    await bottle.post('/v1/heartbeats').expect(204);
    await harness.services.pass(1);
    const page = await harness.openPage(`/bottles/${bottle.id}`, 'support');
    const timeline = page.getByRole('region', { name: 'Activity' });
    await timeline.getByText('Opened').waitFor();
    const entries = timeline.locator('li[data-kind]');
    expect(await entries.evaluateAll((items) => items.map((item) => item.getAttribute('data-kind')))).toEqual(
      [
        'message',
        'alert_ended',
        'message',
        'alert_raised',
        'heartbeats_missed',
        'message',
        'alert_ended',
        'action',
        'message',
        'alert_raised',
        'action',
      ],
    );
    await entries.getByText(/^2 heartbeats missed/).waitFor();
    await entries.getByText('Closed: 1 pill removed, 24 left').waitFor();
    await entries.getByText('Alert ended: Left open (Lid closed)').waitFor();
    await entries.getByText('Notification sent: alert (operator, webhook)').first().waitFor();
    // times have their zone: the patient's, or after a click the viewer's
    expect(await entries.first().locator('time').first().textContent()).toMatch(/ CES?T$/);
    await page.getByText('Your time (New York)').click();
    expect(await entries.first().locator('time').first().textContent()).toMatch(/ E[SD]T$/);
    await entries.getByRole('link', { name: 'Left open' }).first().click();
    await page.waitForURL(/\/alerts\/[0-9a-f]{24}$/);
  });

  it('says since when reports are refused, and what is left out of others', async () => {
    const bottle = await register();
    await bottle.post('/v1/actions', { action: 'opened', time: 'yesterday' }).expect(400);
    await bottle.post('/v1/heartbeats', { battery_percent: 255 }).expect(200);
    const page = await harness.openPage(`/bottles/${bottle.id}`, 'support');
    const problems = page.getByRole('region', { name: 'Problems with reports' });
    // it is noted a moment after the answer
    while ((await problems.count()) === 0) await page.reload();
    await problems.getByText(/^Refused: time \(invalid_time\) since /).waitFor();
    await problems.getByText(/^Left out: battery_percent \(out_of_range\) since /).waitFor();
    const timeline = page.getByRole('region', { name: 'Activity' });
    await timeline.getByText(/^Refused: time \(invalid_time\) since /).waitFor();
    await timeline.getByText(/^1 report, /).waitFor();
  });

  async function openedSixtyTimes() {
    const bottle = await register();
    for (let number = 0; number < 60; number += 1) {
      harness.services.clock.advance(1_000);
      await harness.services.open(bottle);
    }
    return bottle;
  }

  it('loads older activity, and exports all of it as CSV', async () => {
    const bottle = await openedSixtyTimes();
    const page = await harness.openPage(`/bottles/${bottle.id}`, 'support');
    const timeline = page.getByRole('region', { name: 'Activity' });
    const entries = timeline.locator('li[data-kind]');
    await entries.nth(49).waitFor();
    await timeline.getByRole('button', { name: 'Load more' }).click();
    await timeline.getByText(/60 results/).waitFor();
    expect(await entries.count()).toBe(60);
    const { name, rows } = await downloadCsv(page);
    expect(name).toBe(`timeline-${bottle.id}.csv`);
    expect(rows).toHaveLength(60);
    expect(rows[0]).toMatchObject({ kind: 'action', 'action.action': 'opened' });
  });

  it('loads older activity also when something happens meanwhile', async () => {
    const bottle = await openedSixtyTimes();
    const page = await harness.openPage(`/bottles/${bottle.id}`, 'support');
    const timeline = page.getByRole('region', { name: 'Activity' });
    await timeline.locator('li[data-kind]').nth(49).waitFor();
    let reloaded = false;
    await page.route(/timeline\?.*cursor=/, async (route) => {
      if (!reloaded) {
        reloaded = true;
        const again = page.waitForRequest((request) => /timeline\?(?!.*cursor=)/.test(request.url()));
        harness.services.clock.advance(1_000);
        await harness.services.open(bottle);
        await again;
      }
      // the first one may have been cancelled
      await route.continue().catch(() => undefined);
    });
    await timeline.getByRole('button', { name: 'Load more' }).click();
    await timeline.getByText(/61 results/).waitFor();
    expect(reloaded).toBe(true);
  });
});
