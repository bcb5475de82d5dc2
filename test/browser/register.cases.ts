import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import supertest from 'supertest';
import { BrowserHarness, PASSWORD } from '../../tools/browser/harness.js';
import { notice } from '../../tools/browser/pages.js';

describe('register', () => {
  let harness: BrowserHarness;

  beforeAll(async () => {
    harness = await BrowserHarness.start('register');
  });
  afterAll(() => harness?.stop());
  afterEach(() => harness.endTest());

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
    await page.getByRole('region', { name: 'Next doses' }).getByText(/07:15/).first().waitFor();
    await page.getByRole('button', { name: 'Register bottle', exact: true }).click();
    await page.getByRole('img', { name: 'Device token as a QR code' }).waitFor();
    await page.getByRole('heading', { name: 'User <img src=x onerror=alert(1)>' }).waitFor();
    const token = await page.locator('code', { hasText: /^pwb_/ }).textContent();
    await heartbeat(token!).expect(204);
    // the token was not copied
    await page.getByRole('link', { name: /^[0-9a-f]{24}$/ }).click();
    const leave = page.getByRole('dialog', { name: 'Leave this page?' });
    await leave.getByRole('button', { name: 'Stay' }).click();
    await page.getByLabel('Name').first().fill('Will Cross');
    await page.getByRole('button', { name: 'Save contact' }).click();
    await notice(page, 'Contact saved.').waitFor();
    await page.getByRole('link', { name: /^[0-9a-f]{24}$/ }).click();
    await leave.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Metformin 500 mg', level: 1 }).waitFor();
    await page.goBack();
    await page.getByLabel('User ID').waitFor();
    expect(await page.locator('code', { hasText: /^pwb_/ }).count()).toBe(0);
  });

  it('puts the cursor where the next text goes, from a telephone’s first page to the saved contacts', async () => {
    const page = await harness.openPage('/', 'support', { viewport: { width: 390, height: 844 } });
    await page
      .getByRole('region', { name: 'Sidebar' })
      .getByRole('link', { name: 'Register a bottle' })
      .click();
    const isFocused = (label: string) => page.getByLabel(label).first().and(page.locator(':focus')).waitFor();
    await isFocused('User ID');
    await fill(page, 'swift');
    await page.getByRole('button', { name: 'Register bottle', exact: true }).click();
    await isFocused('Name');
    await page.getByLabel('Name').first().fill('Will Cross');
    // whoever has no carer leaves the fields blank
    const carer = page.getByRole('region', { name: 'Carer' });
    await carer.getByLabel('Time zone').waitFor();
    await page.getByRole('button', { name: 'Save contact' }).click();
    await notice(page, 'Contact saved.').waitFor();
    const contacts = harness.services.database.db.collection<{ _id: string }>('contacts');
    expect(await contacts.findOne({ _id: 'swift' })).not.toHaveProperty('carer');
    await page.getByRole('button', { name: 'Edit' }).click();
    await isFocused('Name');
    await page.getByRole('button', { name: 'Add carer' }).click();
    await carer.getByLabel('E-mail').fill('mum@cross.example');
    await page.getByText('No step goes to the carer: they are not notified.').waitFor();
    await page.getByRole('button', { name: 'Add step' }).click();
    await page.getByText('No step goes to the carer').waitFor({ state: 'detached' });
  });

  it('asks a new contact for a carer at once', async () => {
    const page = await harness.openPage('/register');
    await fill(page, 'cared for');
    await page.getByRole('button', { name: 'Register bottle', exact: true }).click();
    const carer = page.getByRole('region', { name: 'Carer' });
    await carer.getByLabel('E-mail').fill('mum@cross.example');
    await page.getByRole('button', { name: 'Save contact' }).click();
    await carer.getByText('mum@cross.example').waitFor();
  });

  it('shows errors at their fields', async () => {
    const page = await harness.openPage('/register');
    await fill(page, '   ');
    await page.getByRole('button', { name: 'Register bottle', exact: true }).click();
    await page.getByText('No spaces around it, and single ones inside only.').first().waitFor();
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
      'user_id,medication,time_zone,times\nanna,Aspirin,Europe/Berlin,08:00 09:00\nbert,Aspirin,Asia/Tokyo,\n';
    await page
      .getByLabel('CSV file', { exact: true })
      .setInputFiles({ name: 'bottles.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await page.getByRole('button', { name: 'Import bottles' }).click();
    await page.getByText('2 bottles registered').waitFor();
    await page.getByText(/^Doses are 1 h apart/).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download tokens' }).click(),
    ]);
    const [head, ...lines] = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
    expect(head).toBe('line,user_id,medication,label,bottle_id,token');
    expect(lines).toHaveLength(2);
    for (const line of lines) await heartbeat(line.split(',')[5]!).expect(204);
  });

  describe('a large file', () => {
    /** Three parts, the last of a single line. */
    const LINES = 1_001;
    const fileOf = (user: string, last = 'UTC') => ({
      name: 'bottles.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        [
          'user_id,medication,time_zone',
          ...Array.from(
            { length: LINES },
            (_, n) => `${user}-${n},Aspirin,${n === LINES - 1 ? last : 'UTC'}`,
          ),
        ].join('\n'),
      ),
    });
    const choose = async (page: Page, file: ReturnType<typeof fileOf>): Promise<void> => {
      await page.getByText('Import from CSV').click();
      await page.getByLabel('CSV file', { exact: true }).setInputFiles(file);
      await page.getByRole('button', { name: 'Import bottles' }).click();
    };
    const registered = (user: string) => bottles().countDocuments({ user_id: new RegExp(`^${user}-`) });
    /** The answer of the second part is lost on the way. */
    const loseSecond = (page: Page) => {
      let parts = 0;
      return page.route('**/v1/bottles/import', async (route) => {
        parts += 1;
        if (parts !== 2) return route.continue();
        await route.fetch();
        return route.abort();
      });
    };
    const tokensOf = async (page: Page): Promise<string[][]> => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download tokens', exact: true }).click(),
      ]);
      const text = await readFile(await file.path(), 'utf8');
      return text
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(','));
    };

    it('is imported in parts, and goes on after a lost answer and a reload: nothing twice, no token lost', async () => {
      const page = await harness.openPage('/register');
      await loseSecond(page);
      await choose(page, fileOf('part'));
      await page.getByRole('button', { name: 'Continue' }).waitFor();
      await page.getByText('500 of 1,001 bottles registered').waitFor();
      expect(await registered('part')).toBe(1_000);
      page.on('dialog', (dialog) => void dialog.accept());
      await page.unroute('**/v1/bottles/import');
      await page.reload();
      // neither patients nor tokens are kept in the browser
      const kept = await page.evaluate(() =>
        JSON.stringify({ ...(globalThis as unknown as { localStorage: object }).localStorage }),
      );
      expect(kept).toContain('pillwatch.import');
      for (const secret of ['part-', 'Aspirin', 'pwb_']) expect(kept).not.toContain(secret);
      await page.getByText('Import from CSV').click();
      await page.getByText('The last import is not finished: 1 of 3 parts').waitFor();
      await choose(page, fileOf('part'));
      await page.getByRole('link', { name: 'Download tokens', exact: true }).waitFor();
      expect(await registered('part')).toBe(LINES);
      const tokens = await tokensOf(page);
      expect(tokens.map(([line]) => Number(line))).toEqual(Array.from({ length: LINES }, (_, n) => n + 2));
      for (const [, , , , , token] of [tokens[0]!, tokens[600]!, tokens[1_000]!])
        await heartbeat(token!).expect(204);
    });

    it('asks what became of a part when the session has ended meanwhile', async () => {
      const person = await harness.createStaff('support');
      const page = await harness.openPage('/register', person);
      await loseSecond(page);
      await choose(page, fileOf('asked'));
      await page.getByRole('button', { name: 'Continue' }).waitFor();
      await harness.services.database.db.collection('staff_sessions').deleteMany({});
      // a poll in between may bring up the dialog, above the button
      await page.getByRole('button', { name: 'Continue', includeHidden: true }).dispatchEvent('click');
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
      await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await dialog.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('lines 502 to 1001 were being sent').waitFor();
      await page.getByRole('button', { name: 'Yes, continue after line 1001' }).click();
      await page.getByRole('alert').getByText('Lines 502–1001 were').waitFor();
      expect(await registered('asked')).toBe(LINES);
      expect(await tokensOf(page)).toHaveLength(501);
    });

    it('with an error in its last line imports nothing, and names the line', async () => {
      const page = await harness.openPage('/register');
      await choose(page, fileOf('wrong', 'Nowhere'));
      await page.getByText('1 error').waitFor();
      await page.getByRole('alert').getByText('1002').waitFor();
      expect(await registered('wrong')).toBe(0);
    });
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
    await errors.nth(1).getByText('medication: This is required.').waitFor();
    await errors.nth(2).getByText('time_zone: Choose a time zone such as Europe/Berlin.').waitFor();
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
