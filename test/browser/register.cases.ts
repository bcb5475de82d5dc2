import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import supertest from 'supertest';
import { BrowserHarness, PASSWORD } from '../../tools/browser/harness.js';

describe('register', () => {
  let harness: BrowserHarness;

  beforeAll(async () => {
    harness = await BrowserHarness.start('register');
  });
  afterAll(() => harness?.stop());
  afterEach(() => harness.expectNoPageErrors());

  const bottles = () => harness.services.database.db.collection('bottles');
  const heartbeat = (token: string) =>
    supertest(harness.services.device.getHttpServer())
      .post('/v1/heartbeats')
      .set('authorization', `Bearer ${token}`);

  async function fill(page: Page, user: string): Promise<void> {
    await page.getByLabel('User ID').fill(user);
    await page.getByLabel('Medication').fill('Metformin 500 mg');
    await page.getByLabel('Pills in the bottle').fill('60');
  }

  it('registers a bottle with a schedule and shows its token once, also as a QR code', async () => {
    const page = await harness.openPage('/register');
    await fill(page, '<img src=x onerror=alert(1)>');
    await page.getByRole('switch', { name: 'Add a schedule' }).check({ force: true });
    await page.getByLabel('Time 1').fill('07:15');
    await page.getByRole('button', { name: 'Register bottle', exact: true }).click();
    await page.getByRole('img', { name: 'Device token as a QR code' }).waitFor();
    await page.getByText('<img src=x onerror=alert(1)>').waitFor();
    const token = await page.locator('code', { hasText: /^pwb_/ }).textContent();
    await heartbeat(token!).expect(204);
    await page.getByRole('link', { name: /^[0-9a-f]{24}$/ }).click();
    await page.getByRole('heading', { name: 'Metformin 500 mg', level: 1 }).waitFor();
    await page.goBack();
    await page.getByLabel('User ID').waitFor();
    expect(await page.locator('code', { hasText: /^pwb_/ }).count()).toBe(0);
  });

  it('shows errors at their fields', async () => {
    const page = await harness.openPage('/register');
    await fill(page, '   ');
    await page.getByRole('button', { name: 'Register bottle', exact: true }).click();
    await page.getByText('user_id must not be blank').first().waitFor();
    expect(await page.getByLabel('User ID').getAttribute('aria-invalid')).toBe('true');
  });

  it('keeps the input when the session ends, and continues after sign-in', async () => {
    const person = await harness.createStaff('support');
    const page = await harness.openPage('/register', person);
    await fill(page, 'interrupted');
    await harness.services.database.db.collection('staff_sessions').deleteMany({});
    await page.getByRole('button', { name: 'Register bottle', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('img', { name: 'Device token as a QR code' }).waitFor();
    expect(await bottles().countDocuments({ user_id: 'interrupted' })).toBe(1);
  });

  it('imports bottles from a file and offers their tokens', async () => {
    const page = await harness.openPage('/register');
    await page.getByText('Import from CSV').click();
    const csv =
      'user_id,medication,time_zone,times\nanna,Aspirin,Europe/Berlin,08:00\nbert,Aspirin,Asia/Tokyo,\n';
    await page
      .getByLabel('CSV file', { exact: true })
      .setInputFiles({ name: 'bottles.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await page.getByRole('button', { name: 'Import bottles' }).click();
    await page.getByText('2 bottles registered').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download tokens' }).click(),
    ]);
    const [head, ...lines] = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
    expect(head).toBe('line,bottle_id,token');
    expect(lines).toHaveLength(2);
    for (const line of lines) await heartbeat(line.split(',')[2]!).expect(204);
  });

  it('shows errors by line and imports nothing until they are fixed', async () => {
    const page = await harness.openPage('/register');
    await page.getByText('Import from CSV').click();
    const csv = page.getByLabel(/^CSV: a header/);
    await csv.fill(
      'user_id,medication,time_zone,times\nfile-1,Aspirin,Europe/Berlin,25:00\nfile-2,,Nowhere,\n',
    );
    await page.getByRole('button', { name: 'Import bottles' }).click();
    await page.getByText('3 errors').waitFor();
    await page.getByText('Nothing was imported').waitFor();
    const errors = page.getByRole('alert').locator('tbody tr');
    expect((await errors.allInnerTexts()).map((text) => /^\d+/.exec(text)?.[0])).toEqual(['2', '3', '3']);
    await errors.nth(1).getByText('medication is missing').waitFor();
    await errors.nth(2).getByText('time_zone must be an IANA time zone').waitFor();
    expect(await bottles().countDocuments({ user_id: /^file-/ })).toBe(0);
    await csv.fill('user_id,medication,time_zone\nfile-1,Aspirin,Europe/Berlin\n');
    await page.getByRole('button', { name: 'Import bottles' }).click();
    await page.getByText('1 bottle registered').waitFor();
  });

  it('offers a viewer no form, and the server refuses an import', async () => {
    const page = await harness.openPage('/register', 'viewer');
    await page.getByText('You don’t have access to this page').waitFor();
    expect(await page.getByRole('button', { name: 'Register bottle', exact: true }).count()).toBe(0);
    const status = await page.evaluate(async () => {
      const { csrf_token } = (await (await fetch('/v1/session')).json()) as { csrf_token: string };
      const headers = { 'x-csrf-token': csrf_token, 'content-type': 'text/csv' };
      return (await fetch('/v1/bottles/import', { method: 'POST', headers, body: 'user_id' })).status;
    });
    expect(status).toBe(403);
  });
});
