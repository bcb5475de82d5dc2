import { BrowserHarness } from '../../tools/browser/harness.js';
import { asAdmin } from '../../tools/harness/services.js';
import { startSearch } from '../../tools/browser/pages.js';
import { downloadCsv } from './download-csv.js';

describe('find', () => {
  let harness: BrowserHarness;

  beforeAll(async () => {
    harness = await BrowserHarness.start('find');
    for (let number = 0; number < 60; number += 1) {
      await harness.services.register({
        user_id: `user-${String(number).padStart(2, '0')}`,
        medication: 'Cordrazine',
      });
    }
    const open = await harness.services.register({ user_id: 'anna-schmidt', medication: 'Metformin 500 mg' });
    await harness.services.open(open);
  });
  afterAll(() => harness?.stop());
  afterEach(() => harness.endTest());

  it('shows the fleet by status, with links to the bottles', async () => {
    const page = await harness.openPage('/', 'viewer');
    await page.getByText('61 bottles', { exact: true }).waitFor();
    await page.getByRole('link', { name: /^Open 1/ }).click();
    await page.getByRole('cell', { name: /anna-schmidt/ }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(1);
  });

  it('filters by status, and loads more pages', async () => {
    const page = await harness.openPage('/bottles', 'viewer');
    await page.locator('tbody tr').nth(49).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(50);
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText('61 results', { exact: true }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(61);
    await page.getByRole('group', { name: 'Status' }).getByRole('button', { name: /^Open/ }).click();
    await page.getByText('1 result', { exact: true }).waitFor();
    expect(page.url()).toContain('status=open');
  });

  it('opens a bottle by its full id', async () => {
    const { id } = await harness.services.register({ user_id: 'somebody', medication: 'Aspirin' });
    const page = await harness.openPage('/', 'viewer');
    await startSearch(page);
    await page.keyboard.type(id.toUpperCase());
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Aspirin', level: 1 }).waitFor();
    expect(page.url()).toBe(`${harness.address}/bottles/${id}`);
  });

  it('suggests bottles while typing', async () => {
    const page = await harness.openPage('/', 'viewer');
    for (const part of ['FORMIN', 'na-schm']) {
      await startSearch(page);
      await page.keyboard.type(part);
      const bottles = page.getByRole('group', { name: 'Bottles' });
      await bottles.getByRole('option', { name: /Metformin 500 mg.*anna-schmidt/ }).click();
      await page.getByRole('heading', { name: 'Metformin 500 mg', level: 1 }).waitFor();
      await page.goto('/');
    }
  });

  it('finds a person by name and medication in any order, and opens their page by keyboard', async () => {
    await asAdmin(harness.services.support)
      .put('/v1/contacts/anna-schmidt')
      .send({ name: 'Anna Schmidt', phone: '+49 30 123456' })
      .expect(201);
    const page = await harness.openPage('/', 'viewer');
    await startSearch(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Metformin, Anna');
    await page.getByRole('option', { name: /^Anna Schmidt/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Anna Schmidt', level: 1 }).waitFor();
    expect(page.url()).toBe(`${harness.address}/people/anna-schmidt`);
    await page.getByRole('link', { name: '+49 30 123456' }).waitFor();
    await page
      .getByRole('region', { name: 'Bottles' })
      .getByRole('cell', { name: 'Metformin 500 mg' })
      .waitFor();
    const support = await harness.openPage('/people/anna-schmidt', 'support');
    await support.getByRole('region', { name: 'Notes' }).getByRole('textbox').fill('Calls at noon.');
    await support.getByRole('button', { name: 'Add note' }).click();
    await support.getByRole('region', { name: 'Notes' }).getByText('Calls at noon.').waitFor();
    await page.reload();
    await page.getByText('Calls at noon.').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  });

  it('opens the person with Enter, as soon as the answer is for what was typed', async () => {
    for (const [user, name] of [
      ['u-771', 'Zoe Zander'],
      ['u-772', 'Zora Zander'],
    ]) {
      await harness.services.register({ user_id: user, medication: 'Masiform' });
      await asAdmin(harness.services.support).put(`/v1/contacts/${user}`).send({ name }).expect(201);
    }
    const page = await harness.openPage('/', 'viewer');
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/search\?q=Zora/, (route) => held.then(() => route.continue()));
    await startSearch(page);
    await page.keyboard.type('Zo');
    const zoe = page.getByRole('option', { name: /^Zoe Zander/ });
    await zoe.waitFor();
    await page.keyboard.type('ra');
    // what was found before is not what was asked for
    await page.waitForRequest(/search\?q=Zora/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    release();
    await page.getByRole('heading', { name: 'Zora Zander', level: 1 }).waitFor();
    await startSearch(page);
    await page.keyboard.type('nobody of this name');
    await page.getByText('No results', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/bottles\?q=/);
  });

  it('keeps the focus while someone types before the page is there', async () => {
    const page = await harness.newPage();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/FleetPage.*\.js/, (route) => held.then(() => route.continue()));
    await harness.signIn(page, 'viewer');
    await page.goto('/', { waitUntil: 'commit' });
    await startSearch(page);
    await page.keyboard.type('anna-schm');
    const option = page.getByRole('option', { name: /^anna-schmidt|^Anna Schmidt/ });
    await option.waitFor();
    release();
    await page.getByRole('heading', { name: 'Fleet', level: 1 }).waitFor();
    // a frame later the heading would have the focus
    await page.evaluate('new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))');
    expect(await option.isVisible()).toBe(true);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/people\/anna-schmidt$/);
  });

  it('says when the search fails, and tries again until it is answered', async () => {
    const page = await harness.openPage('/', 'viewer');
    await page.route('**/v1/search*', (route) => route.abort());
    await startSearch(page);
    await page.keyboard.type('anna-schm');
    await page.getByRole('alert').getByText('Can’t reach the server').waitFor();
    await page.unroute('**/v1/search*');
    await page.getByRole('option', { name: /^anna-schmidt|^Anna Schmidt/ }).waitFor();
  });

  it('lists the matches page by page, and says when there are none', async () => {
    const page = await harness.openPage('/', 'viewer');
    await startSearch(page);
    await page.keyboard.type('user-');
    await page.keyboard.press('Enter');
    await page.locator('tbody tr').nth(49).waitFor();
    expect(page.url()).toContain('q=user-');
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText('60 results', { exact: true }).waitFor();
    const box = page.getByLabel('Filter by user ID, medication or bottle ID');
    await box.fill('metf');
    await page.getByText('1 result', { exact: true }).waitFor();
    const status = page.getByRole('group', { name: 'Status' });
    await status.getByRole('button', { name: /^Open/ }).click();
    await page.getByRole('cell', { name: /anna-schmidt/ }).waitFor();
    await status.getByRole('button', { name: /^Silent/ }).click();
    await page.getByText('No matching bottles').waitFor();
  });

  it('exports all pages of the list as CSV, without formulas', async () => {
    const evil = '=HYPERLINK("http://example.org","click")';
    await harness.services.register({ user_id: evil, medication: 'Formulin' });
    const page = await harness.openPage('/bottles?q=user-', 'support');
    await page.locator('tbody tr').first().waitFor();
    const { name, rows } = await downloadCsv(page);
    expect(name).toBe('bottles.csv');
    expect(rows).toHaveLength(60);
    expect(new Set(rows.map(({ medication }) => medication))).toEqual(new Set(['Cordrazine']));
    await page.goto('/bottles?q=formulin');
    await page.getByRole('cell', { name: /HYPERLINK/ }).waitFor();
    expect((await downloadCsv(page)).rows).toMatchObject([{ user_id: `'${evil}` }]);
  });
});
