import { asAdmin } from '../../tools/harness/services.js';
import { authenticatorCode } from '../../tools/harness/authenticator.js';
import { BrowserHarness, PASSWORD } from '../../tools/browser/harness.js';

describe('sign in', () => {
  let harness: BrowserHarness;

  beforeAll(async () => {
    harness = await BrowserHarness.start('sign-in', {
      SECOND_FACTOR: 'admin',
      SESSION_IDLE_TIMEOUT: '15m',
      SECOND_FACTOR_KEY: 'a-key-for-tests-0123456789-0123456789',
    });
  });
  afterAll(() => harness?.stop());
  afterEach(() => harness.endTest());

  it('signs in at the requested page, and out again', async () => {
    const { email, name } = await harness.createStaff('support', 'Carol Smith');
    const page = await harness.newPage();
    await page.goto('/bottles?status=open');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Bottles', level: 1 }).waitFor();
    expect(page.url()).toBe(`${harness.address}/bottles?status=open`);
    await page.getByRole('button', { name: new RegExp(name) }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('asks a new admin for a password of their own and a second factor, and then for its code', async () => {
    const [email, given, own] = ['ada@example.org', PASSWORD, 'a rather long new secret'];
    await asAdmin(harness.services.support)
      .post('/v1/staff')
      .send({ email, role: 'admin', name: 'Ada Admin', password: given })
      .expect(201);
    const page = await harness.newPage();
    await page.goto('/staff');
    const signIn = async (password: string): Promise<void> => {
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
    };
    await signIn(given);
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    await page.getByLabel('Current password').fill(given);
    await page.getByLabel('New password').fill(own);
    await page.getByRole('button', { name: 'Change password' }).click();

    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
    await page.getByLabel('Password', { exact: true }).fill(own);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('img', { name: 'Key as a QR code' }).waitFor();
    const key = (await page.locator('code').textContent())!;
    await page.getByLabel('Code').fill(authenticatorCode(key, harness.services.clock.now()));
    await page.getByRole('button', { name: 'Confirm' }).click();
    const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await codes.first().waitFor();
    const recovery = (await codes.first().textContent())!;
    expect(await codes.count()).toBe(10);
    // nothing leads past the codes, which are shown only now
    expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
    await page.getByRole('button', { name: 'I have stored the codes' }).click();
    await page
      .getByRole('row', { name: /Ada Admin/ })
      .getByText('On', { exact: true })
      .waitFor();

    await page.getByRole('button', { name: /account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await signIn(own);
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('code is wrong or was used before').waitFor();
    await page.getByLabel('Code').fill(recovery);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('row', { name: /Ada Admin/ }).waitFor();
  });

  it('keeps a new second factor’s key and recovery codes until they are stored, or asks', async () => {
    const page = await harness.openPage('/', await harness.createStaff('support', 'Sue Support'));
    await page.getByRole('button', { name: /account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Second factor' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set up a second factor' });
    const question = page.getByRole('dialog', { name: 'Close without finishing?' });
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    const image = dialog.getByRole('img', { name: 'Key as a QR code' });
    await image.waitFor();
    // a click beside the dialog
    await page.mouse.click(5, 5);
    await page.keyboard.press('Escape');
    await question.getByText('The second factor is not set up yet').waitFor();
    await question.getByRole('button', { name: 'Stay' }).click();
    await question.waitFor({ state: 'detached' });
    const key = (await dialog.locator('code').textContent())!;
    await dialog.getByLabel('Code').fill(authenticatorCode(key, harness.services.clock.now()));
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    const codes = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await codes.first().waitFor();
    const shown = await codes.allTextContents();
    await page.keyboard.press('Escape');
    await question.getByText('The recovery codes are shown only now').waitFor();
    // Escape again answers the question only
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await codes.allTextContents()).toEqual(shown);
    // so does a reload ask
    const asked = page.waitForEvent('dialog');
    // a reload that is refused does not end
    page.reload().catch(() => undefined);
    await (await asked).dismiss();
    expect(await codes.allTextContents()).toEqual(shown);
    await dialog.getByRole('button', { name: 'I have stored the codes' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('closes an unfinished second factor for those who say so', async () => {
    const page = await harness.openPage('/', await harness.createStaff('support', 'Sid Support'));
    await page.getByRole('button', { name: /account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Second factor' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set up a second factor' });
    await dialog.getByLabel('Password', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Second factor' }).click();
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Escape');
    const discard = page.getByRole('dialog', { name: 'Discard what you typed?' });
    await discard.getByRole('button', { name: 'Keep typing' }).click();
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('img', { name: 'Key as a QR code' }).waitFor();
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Close without finishing?' });
    await question.getByRole('button', { name: 'Close anyway' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('shows what is wrong, and locks out guessing', async () => {
    const { email } = await harness.createStaff('viewer');
    const page = await harness.newPage();
    await page.goto('/');
    await page.getByLabel('E-mail').fill(email);
    const enter = async (password: string): Promise<void> => {
      await page.getByLabel('Password', { exact: true }).fill(password);
      const answer = page.waitForResponse('**/v1/session');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await answer;
    };
    await enter('a wrong password');
    await page.getByRole('alert').getByText('Wrong e-mail or password.').waitFor();
    const lockedOut = page.getByRole('alert').getByText(/Too many failed attempts. Try again in \d+/);
    for (let guess = 0; guess < 30 && !(await lockedOut.isVisible()); guess += 1)
      await enter(`guess ${guess}`);
    await lockedOut.waitFor();
    await enter(PASSWORD);
    await lockedOut.waitFor();
  });

  it('keeps the input when the session ends', async () => {
    const person = await harness.createStaff('support');
    const page = await harness.openPage('/register', person);
    await page.getByLabel('User ID').fill('willcross1024');
    await page.getByLabel('Medication').fill('Cordrazine');
    // the same as an expired session
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Register bottle', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Bottle registered' }).waitFor();
    await page.getByText('Cordrazine for willcross1024').waitFor();
  });

  it('clears the page when nobody has used it for 15 minutes', async () => {
    const { id } = await harness.services.register({ medication: 'Cordrazine' });
    const { email } = await harness.createStaff('viewer');
    const page = await harness.newPage();
    await page.clock.install();
    await page.context().request.post('/v1/session', { data: { email, password: PASSWORD } });
    await page.goto(`/bottles/${id}`);
    await page.getByText('Cordrazine').first().waitFor();
    harness.services.clock.advance(16 * 60_000);
    await page.clock.fastForward('16:00');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByText('Nobody has used this page').waitFor();
    expect(await page.content()).not.toContain('Cordrazine');
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Cordrazine').first().waitFor();
  });

  it('is small and needs no exception from the content security policy', async () => {
    const page = await harness.newPage();
    const scripts: number[] = [];
    page.on('response', async (response) => {
      if (!response.url().endsWith('.js')) return;
      const { responseBodySize } = await response.request().sizes();
      scripts.push(responseBodySize);
    });
    const { email } = await harness.createStaff('viewer');
    await page.context().request.post('/v1/session', { data: { email, password: PASSWORD } });
    const answer = await page.goto('/', { waitUntil: 'networkidle' });
    expect(answer!.headers()['content-security-policy']).not.toMatch(/unsafe/);
    expect(scripts.length).toBeGreaterThan(2);
    expect(scripts.reduce((sum, size) => sum + size, 0)).toBeLessThan(300_000);
  });

  it('loads the session once, in parallel with the scripts', async () => {
    const page = await harness.openPage('/bottles', 'viewer');
    await page.getByRole('heading', { name: 'Bottles', level: 1 }).waitFor();
    const fetched = await page.evaluate(() =>
      performance.getEntriesByType('resource').map((entry) => ({
        path: new URL(entry.name).pathname,
        from: entry.startTime,
        to: entry.startTime + entry.duration,
      })),
    );
    const session = fetched.filter(({ path }) => path === '/v1/session');
    const libraries = fetched.find(({ path }) => path.startsWith('/assets/vendor-'))!;
    expect(session).toHaveLength(1);
    expect(session[0]!.from).toBeLessThan(libraries.to);
  });
});
