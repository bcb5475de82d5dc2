import { readFile } from 'node:fs/promises';
import { asAdmin, type TestBottle } from '../../tools/harness/services.js';
import { BrowserHarness } from '../../tools/browser/harness.js';

describe('erase', () => {
  let harness: BrowserHarness;

  beforeAll(async () => {
    harness = await BrowserHarness.start('erase');
  });
  afterAll(() => harness?.stop());
  afterEach(() => harness.endTest());

  const register = (): Promise<TestBottle> =>
    harness.services.register({ user_id: 'anna-schmidt', medication: 'Metformin', number_of_pills: 30 });

  it('exports all data of a bottle as one file', async () => {
    const bottle = await register();
    await harness.services.open(bottle);
    const page = await harness.openPage(`/bottles/${bottle.id}/manage`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('region', { name: 'Export' }).getByRole('link', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`bottle-${bottle.id}.json`);
    const file = JSON.parse(await readFile(await download.path(), 'utf8'));
    expect(file).toMatchObject({ bottle: { user_id: 'anna-schmidt' }, actions: [{ action: 'opened' }] });
  });

  it('erases a bottle after its id was typed, and shows a receipt', async () => {
    const bottle = await register();
    await harness.services.open(bottle);
    const carol = await harness.createStaff('admin', 'Carol Smith');
    const page = await harness.openPage(`/bottles/${bottle.id}/manage`, carol);
    await page.getByRole('button', { name: 'Erase bottle' }).click();
    const dialog = page.getByRole('dialog', { name: 'Erase this bottle permanently?' });
    const sure = dialog.getByRole('button', { name: 'Erase permanently' });
    expect(await sure.isDisabled()).toBe(true);
    await dialog.getByLabel('Bottle ID').fill(bottle.id.slice(1));
    expect(await sure.isDisabled()).toBe(true);
    await dialog.getByLabel('Bottle ID').fill(bottle.id);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Bottle erased', level: 1 }).waitFor();
    const receipt = page.getByRole('region', { name: 'Erasure receipt' });
    await receipt.getByText('Carol Smith').waitFor();
    // when it was erased, and until when the oplog has it
    await receipt
      .getByText(/\d\d:\d\d E[SD]T/)
      .nth(1)
      .waitFor();
    await bottle.post('/v1/heartbeats').expect(401);
    // the receipt stays, and contains nothing about the patient
    const later = await harness.openPage(`/bottles/${bottle.id}`, 'viewer');
    await later.getByRole('heading', { name: 'Bottle erased', level: 1 }).waitFor();
    await later.getByText('Erased by').waitFor();
    expect(await later.getByRole('main').textContent()).not.toMatch(/anna|Metformin/);
    const [download] = await Promise.all([
      later.waitForEvent('download'),
      later.getByRole('link', { name: 'Download receipt' }).click(),
    ]);
    expect(JSON.parse(await readFile(await download.path(), 'utf8'))).toMatchObject({
      bottle_id: bottle.id,
      erased_by: 'Carol Smith',
      counts: { actions: 1 },
    });
  });

  it('shows when a bottle is erased while someone edits it', async () => {
    const bottle = await register();
    const page = await harness.openPage(`/bottles/${bottle.id}/schedule`);
    await page.getByRole('button', { name: 'Create schedule' }).click();
    await page.getByLabel('Time 1').fill('07:15');
    await asAdmin(harness.services.support).delete(`/v1/bottles/${bottle.id}`).expect(200);
    // saving is refused, unless the page shows the erasure first
    await page
      .getByRole('button', { name: 'Save schedule' })
      .click({ timeout: 2_000 })
      .catch(() => undefined);
    await page.getByRole('heading', { name: 'Bottle erased', level: 1 }).waitFor();
    await page.getByText('Metformin for anna-schmidt was erased while you were viewing it.').waitFor();
  });

  it('distinguishes a wrong address from an erased bottle', async () => {
    const page = await harness.openPage(`/bottles/${'0'.repeat(24)}`, 'viewer');
    await page.getByRole('heading', { name: 'Bottle not found', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Find another bottle' }).click();
    await page.getByRole('heading', { name: 'Bottles', level: 1 }).waitFor();
    await page.goto('/bottles/what');
    await page.getByRole('heading', { name: 'Bottle not found', level: 1 }).waitFor();
  });

  it('offers erasing only to admins, and the server refuses others', async () => {
    const bottle = await register();
    const page = await harness.openPage(`/bottles/${bottle.id}/manage`, 'support');
    await page.getByRole('region', { name: 'Export' }).waitFor();
    expect(await page.getByRole('button', { name: 'Erase bottle' }).count()).toBe(0);
    const viewer = await harness.openPage(`/bottles/${bottle.id}`, 'viewer');
    await viewer.getByRole('region', { name: 'Status' }).waitFor();
    expect(await statusOf(page, 'DELETE', `/v1/bottles/${bottle.id}`)).toBe(403);
    for (const [method, path] of [
      ['DELETE', ''],
      ['GET', '/export'],
      ['POST', '/token'],
      ['PATCH', ''],
      ['PUT', '/schedule'],
      ['POST', '/pauses'],
    ] as const)
      expect([method, path, await statusOf(viewer, method, `/v1/bottles/${bottle.id}${path}`)]).toEqual([
        method,
        path,
        403,
      ]);
    await asAdmin(harness.services.support).get(`/v1/bottles/${bottle.id}`).expect(200);
  });

  /** The status of a request in this page's session. */
  function statusOf(
    page: Awaited<ReturnType<BrowserHarness['newPage']>>,
    method: string,
    path: string,
  ): Promise<number> {
    return page.evaluate(
      async ([verb, address]) => {
        const { csrf_token } = (await (await fetch('/v1/session')).json()) as { csrf_token: string };
        const headers = { 'x-csrf-token': csrf_token, 'content-type': 'application/json' };
        const body = verb === 'GET' ? null : '{}';
        return (await fetch(address!, { method: verb!, headers, body })).status;
      },
      [method, path],
    );
  }
});
