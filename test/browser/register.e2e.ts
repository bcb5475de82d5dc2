import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import supertest from 'supertest';
import { BrowserHarness, PASSWORD } from '../../tools/browser/harness.js';

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
  await page.getByLabel('User id').fill(user);
  await page.getByLabel('Medication').fill('Metformin 500 mg');
  await page.getByLabel('Pills in it now').fill('60');
}

it('registers a bottle with a schedule; its token is shown once, also as a QR code', async () => {
  const page = await harness.openPage('/register');
  await fill(page, '<img src=x onerror=alert(1)>');
  await page.getByRole('switch', { name: 'With a schedule' }).check({ force: true });
  await page.getByLabel('Time 1').fill('07:15');
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await page.getByRole('img', { name: 'Token of the device as a QR code' }).waitFor();
  await page.getByText('<img src=x onerror=alert(1)>').waitFor();
  const token = await page.locator('code', { hasText: /^pwb_/ }).textContent();
  await heartbeat(token!).expect(204);
  await page.getByRole('link', { name: /^[0-9a-f]{24}$/ }).click();
  await page.getByRole('heading', { name: 'Metformin 500 mg', level: 1 }).waitFor();
  await page.goBack();
  await page.getByLabel('User id').waitFor();
  expect(await page.locator('code', { hasText: /^pwb_/ }).count()).toBe(0);
});

it('says at the field what is wrong with it', async () => {
  const page = await harness.openPage('/register');
  await fill(page, '   ');
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await page.getByText('user_id must not be blank').first().waitFor();
  expect(await page.getByLabel('User id').getAttribute('aria-invalid')).toBe('true');
});

it('keeps what was typed when the session ends, and goes on when one has signed in again', async () => {
  const person = await harness.createStaff('support');
  const page = await harness.openPage('/register', person);
  await fill(page, 'interrupted');
  await harness.services.database.db.collection('staff_sessions').deleteMany({});
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('img', { name: 'Token of the device as a QR code' }).waitFor();
  expect(await bottles().countDocuments({ user_id: 'interrupted' })).toBe(1);
});

it('registers many from a file, whose tokens can be taken', async () => {
  const page = await harness.openPage('/register');
  await page.getByText('Many, from CSV').click();
  const csv =
    'user_id,medication,time_zone,times\nanna,Aspirin,Europe/Berlin,08:00\nbert,Aspirin,Asia/Tokyo,\n';
  await page
    .getByLabel('CSV file', { exact: true })
    .setInputFiles({ name: 'bottles.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await page.getByRole('button', { name: 'Register them' }).click();
  await page.getByText('2 bottles are registered').waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Take the tokens' }).click(),
  ]);
  const [head, ...lines] = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
  expect(head).toBe('line,bottle_id,token');
  expect(lines).toHaveLength(2);
  for (const line of lines) await heartbeat(line.split(',')[2]!).expect(204);
});

it('says of a wrong file what is wrong in which line, and registers none; what is put right is taken', async () => {
  const page = await harness.openPage('/register');
  await page.getByText('Many, from CSV').click();
  const csv = page.getByLabel(/^A line for each bottle/);
  await csv.fill(
    'user_id,medication,time_zone,times\nfile-1,Aspirin,Europe/Berlin,25:00\nfile-2,,Nowhere,\n',
  );
  await page.getByRole('button', { name: 'Register them' }).click();
  await page.getByText('3 things are wrong').waitFor();
  await page.getByText('Nothing was registered').waitFor();
  const wrong = page.getByRole('alert').locator('tbody tr');
  expect((await wrong.allInnerTexts()).map((text) => /^\d+/.exec(text)?.[0])).toEqual(['2', '3', '3']);
  await wrong.nth(1).getByText('medication is missing').waitFor();
  await wrong.nth(2).getByText('time_zone must be an IANA time zone').waitFor();
  expect(await bottles().countDocuments({ user_id: /^file-/ })).toBe(0);
  await csv.fill('user_id,medication,time_zone\nfile-1,Aspirin,Europe/Berlin\n');
  await page.getByRole('button', { name: 'Register them' }).click();
  await page.getByText('One bottle is registered').waitFor();
});

it('offers a viewer no form, and refuses one who asks all the same', async () => {
  const page = await harness.openPage('/register', 'viewer');
  await page.getByText('Your role is viewer').waitFor();
  expect(await page.getByRole('button', { name: 'Register', exact: true }).count()).toBe(0);
  const asked = await page.evaluate(async () => {
    const { csrf_token } = (await (await fetch('/v1/session')).json()) as { csrf_token: string };
    const headers = { 'x-csrf-token': csrf_token, 'content-type': 'text/csv' };
    return (await fetch('/v1/bottles/import', { method: 'POST', headers, body: 'user_id' })).status;
  });
  expect(asked).toBe(403);
});
