import type { TestBottle } from '../../tools/harness/services.js';
import { BrowserHarness, minutesAgo } from '../../tools/browser/harness.js';
import { notice } from '../../tools/browser/pages.js';

describe('two bottles of one plan', () => {
  let harness: BrowserHarness;
  let home: TestBottle;
  let work: TestBottle;

  beforeAll(async () => {
    harness = await BrowserHarness.start('shared-plan', {}, minutesAgo(10));
    const bottle = { user_id: 'ida', medication: 'Cordrazine', time_zone: 'UTC', number_of_pills: 30 };
    const schedule = { kind: 'times_of_day', times: ['08:00', '20:00'] };
    home = await harness.services.register({ ...bottle, schedule });
    work = await harness.services.register(bottle);
  });
  afterAll(() => harness?.stop());
  afterEach(() => harness.endTest());

  it('are chosen, and each page names the other', async () => {
    const page = await harness.openPage(`/bottles/${work.id}/manage`);
    await page.getByRole('combobox', { name: 'Plan', exact: true }).click();
    await page.getByRole('option', { name: `That of ${home.id}` }).click();
    await page.getByRole('button', { name: 'Save plan' }).click();
    await notice(page, 'Bottle updated.').waitFor();
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText('For the plan of another bottle, which has the doses.').waitFor();
    await status.getByRole('link', { name: home.id }).click();
    await page.getByRole('region', { name: 'Status' }).getByText('Also for this plan since').waitFor();
    await page.getByRole('link', { name: work.id }).click();
    await page.waitForURL(`**/bottles/${work.id}**`);
  });
});
