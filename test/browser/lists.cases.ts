import type { Page } from 'playwright-core';
import { BrowserHarness } from '../../tools/browser/harness.js';
import { insertOpenAlerts } from './insert-open-alerts.js';

describe('a list with records that cannot be read', () => {
  let harness: BrowserHarness;
  let bottle: string;

  beforeAll(async () => {
    harness = await BrowserHarness.start('lists');
    const { id } = await harness.services.register({
      user_id: 'anna',
      medication: 'Cordrazine',
      schedule: { kind: 'times_of_day', times: ['08:00'] },
    });
    bottle = id;
  });
  afterAll(() => harness?.stop());
  afterEach(() => harness.endTest());

  /** From now on, each page of a list leaves out two records. */
  const leaveOutTwo = (page: Page) =>
    page.route(/\/v1\/(?!events)/, async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      await route.fulfill({ response, body: text.replace(/^\{"items":/, '{"unreadable":2,"items":') });
    });
  const sentence = (page: Page, count: number) =>
    page.getByText(
      count === 1
        ? '1 record could not be read. Ask your operator.'
        : `${count} records could not be read. Ask your operator.`,
    );

  it.each([
    ['alerts', () => '/alerts', 1],
    ['bottles', () => '/bottles', 1],
    ['notifications', () => '/messages', 1],
    ['the audit log', () => '/audit', 1],
    ['a bottle’s doses and timeline', () => `/bottles/${bottle}`, 2],
    ['a person’s doses and messages', () => '/people/anna', 2],
    ['the report for a doctor', () => '/people/anna/report', 1],
  ])('says how many, in %s', async (_what, path, lists) => {
    const page = await harness.openPage('/settings', 'admin');
    await leaveOutTwo(page);
    await page.goto(path());
    await sentence(page, 2)
      .nth(lists - 1)
      .waitFor();
    expect(await sentence(page, 2).count()).toBe(lists);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('says so instead of “nothing there”, and shows the others', async () => {
    await insertOpenAlerts(harness.services, ['bert', 'cleo']);
    const alerts = harness.services.database.db.collection('alerts');
    await alerts.updateOne({ user_id: 'bert' }, { $unset: { history: '' } });
    const page = await harness.openPage('/alerts');
    await sentence(page, 1).waitFor();
    await page.getByText('cleo').first().waitFor();
    await alerts.updateOne({ user_id: 'cleo' }, { $unset: { history: '' } });
    await page.reload();
    await sentence(page, 2).waitFor();
    expect(await page.getByText('No alerts need attention').count()).toBe(0);
    await alerts.deleteMany({});
    await page.reload();
    await page.getByText('No alerts need attention').waitFor();
    expect(await page.getByText(/could not be read/).count()).toBe(0);
  });
});
