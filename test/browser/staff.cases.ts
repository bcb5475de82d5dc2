import type { Page } from 'playwright-core';
import { asAdmin, registerBottle } from '../../tools/harness/services.js';
import { keepPasswords } from '../../tools/harness/staff.js';
import { BrowserHarness, PASSWORD } from '../../tools/browser/harness.js';
import { downloadCsv } from './download-csv.js';

describe('staff', () => {
  let harness: BrowserHarness;

  beforeAll(async () => {
    harness = await BrowserHarness.start('staff');
  });
  afterAll(() => harness?.stop());
  afterEach(() => harness.endTest());

  const rowOf = (page: Page, name: string): ReturnType<Page['getByRole']> =>
    page.getByRole('row', { name: new RegExp(name) });

  async function signIn(page: Page, email: string, password: string): Promise<void> {
    await page.goto('/');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  it('creates an account and deactivates it', async () => {
    const page = await harness.openPage('/staff', 'admin');
    await page.getByRole('button', { name: 'Create account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create account' });
    await dialog.getByLabel('E-mail').fill('dora@example.org');
    await dialog.getByLabel('Name').fill('Dora Diaz');
    await dialog.getByLabel('Password', { exact: true }).fill('password1234');
    await dialog.getByRole('button', { name: 'Create account' }).click();
    // the server's error is shown at its field
    await dialog
      .getByText(/password/)
      .last()
      .waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: /^Viewer/i }).click();
    await dialog.getByRole('button', { name: 'Create account' }).click();
    await dialog.waitFor({ state: 'detached' });
    await rowOf(page, 'Dora Diaz').getByText('viewer').waitFor();

    await keepPasswords(harness.services.database.db);
    const herPage = await harness.newPage();
    await signIn(herPage, 'dora@example.org', PASSWORD);
    await herPage.getByRole('button', { name: /Dora Diaz/ }).waitFor();

    await page.getByRole('button', { name: 'Edit Dora Diaz' }).click();
    await page.getByRole('dialog').getByRole('switch', { name: 'Deactivated' }).check({ force: true });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await rowOf(page, 'Dora Diaz').getByText('Deactivated').waitFor();
    // her page asks her to sign in, which fails
    await herPage.goto('/bottles');
    await signIn(herPage, 'dora@example.org', PASSWORD);
    await herPage.getByText('Wrong e-mail or password.').waitFor();
  });

  it('lets no admin deactivate themselves', async () => {
    const page = await harness.openPage('/staff', await harness.createStaff('admin', 'Only Admin'));
    await page.getByRole('button', { name: 'Edit Only Admin' }).click();
    await page.getByRole('dialog').getByRole('switch', { name: 'Deactivated' }).check({ force: true });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page
      .getByRole('alert')
      .getByText(/another admin/)
      .waitFor();
  });

  it('shows a new API key once, and revokes it', async () => {
    const page = await harness.openPage('/api-keys', 'admin');
    await page.getByText('No API keys').waitFor();
    await page.getByRole('button', { name: 'Create API key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create API key' });
    await dialog.getByLabel('Name').fill('the user service');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('img', { name: /as a QR code/ }).waitFor();
    const key = (await page.locator('code', { hasText: /^pwk_/ }).textContent())!;
    const statusWithKey = (): Promise<number> =>
      fetch(`${harness.address}/v1/fleet`, { headers: { authorization: `Bearer ${key}` } }).then(
        ({ status }) => status,
      );
    expect(await statusWithKey()).toBe(200);
    await page.reload();
    await rowOf(page, 'the user service').waitFor();
    expect(await page.content()).not.toContain(key);
    await page.getByRole('button', { name: 'Revoke the user service' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('No API keys').waitFor();
    expect(await statusWithKey()).toBe(401);
  });

  it('asks for the password before what is sensitive, unless it was just given', async () => {
    const page = await harness.openPage('/api-keys', await harness.createStaff('admin', 'Fay Fresh'));
    const create = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'Create API key' }).click();
      await page.getByRole('dialog', { name: 'Create API key' }).getByLabel('Name').fill(name);
      await page.getByRole('button', { name: 'Create key' }).click();
    };
    const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' });
    harness.services.clock.advance(6 * 60_000);
    await create('cancelled');
    await confirm.getByRole('button', { name: 'Close' }).click();
    await page.getByText(/you did not sign in again/).waitFor();
    await page.getByRole('button', { name: 'Create key' }).click();
    await confirm.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await confirm.getByRole('button', { name: 'Confirm' }).click();
    await rowOf(page, 'cancelled').waitFor();
    await create('at once');
    await rowOf(page, 'at once').waitFor();
    // a download shows no error: the page asks before
    harness.services.clock.advance(6 * 60_000);
    await page.reload();
    await page.getByText('Export CSV').click();
    await confirm.getByLabel('Password', { exact: true }).fill(PASSWORD);
    const download = page.waitForEvent('download');
    await confirm.getByRole('button', { name: 'Confirm' }).click();
    expect((await download).suggestedFilename()).toBe('api-keys.csv');
    await harness.services.database.db.collection('api_keys').deleteMany({});
  });

  it('changes the own password nowhere without the current one', async () => {
    const page = await harness.openPage('/staff', 'admin');
    const own = page.getByRole('row').filter({ hasText: '(you)' });
    await own.getByRole('button', { name: /^Edit/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).waitFor();
    expect(await dialog.getByLabel('New password').count()).toBe(0);
  });

  it('shows the own sessions, and ends the others', async () => {
    const person = await harness.createStaff('viewer', 'Sally Sessions');
    const [page, other] = [
      await harness.openPage('/bottles', person),
      await harness.openPage('/bottles', person),
    ];
    await page.getByRole('button', { name: /Sally Sessions/ }).click();
    await page.getByRole('menuitem', { name: 'Sessions' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sessions' });
    await dialog.getByRole('row', { name: /This one/ }).waitFor();
    await dialog.getByRole('row', { name: /Active/ }).waitFor();
    await dialog.getByLabel('Current password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'End other sessions' }).click();
    await dialog.waitFor({ state: 'detached' });
    await other.reload();
    await other.getByLabel('E-mail').waitFor();
    await page.reload();
    await page.getByRole('button', { name: /Sally Sessions/ }).waitFor();
  });

  it('changes the own password', async () => {
    const person = await harness.createStaff('viewer', 'Vera Viewer');
    const page = await harness.openPage('/', person);
    await page.getByRole('button', { name: /Vera Viewer/ }).click();
    await page.getByRole('menuitem', { name: 'Change password' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change password' });
    await dialog.getByLabel('Current password').fill('not my password');
    await dialog.getByLabel('New password').fill('a rather long new secret');
    await dialog.getByRole('button', { name: 'Change password' }).click();
    await dialog
      .getByText(/not the current password/)
      .first()
      .waitFor();
    await dialog.getByLabel('Current password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Change password' }).click();
    await dialog.waitFor({ state: 'detached' });
    const again = await harness.newPage();
    await signIn(again, person.email, 'a rather long new secret');
    await again.getByRole('button', { name: /Vera Viewer/ }).waitFor();
  });

  it('shows the audit log to support, not to a viewer', async () => {
    const person = await harness.createStaff('support', 'Sam Support');
    const page = await harness.openPage('/register', person);
    const { id } = await registerBottle(harness.services.support, harness.services.device);
    await page.context().request.get('/v1/session');
    await page.goto('/audit');
    await page.getByRole('row', { name: new RegExp(`ADMIN_TOKEN.*${id}`) }).waitFor();
    await page.getByRole('link', { name: 'Sam Support' }).first().click();
    await page.getByText('By Sam Support').waitFor();
    await page.getByText('ADMIN_TOKEN').first().waitFor({ state: 'detached' });
    const { name, rows } = await downloadCsv(page);
    expect(name).toBe('audit.csv');
    expect(new Set(rows.map((row) => row['who.name']))).toEqual(new Set(['Sam Support']));
    await page.getByRole('button', { name: 'Clear filter' }).click();
    await page.getByText('ADMIN_TOKEN').first().waitFor();
    await page.getByText('Views and exports').click();
    await page.getByRole('row', { name: /Sam Support.*Downloaded audit/ }).waitFor();
    // who looked at this bottle: from its page, by day, with what else was done to it
    await page.goto(`/bottles/${id}`);
    await page.getByRole('link', { name: 'Viewed and changed by' }).click();
    await page
      .getByRole('row', { name: /Sam Support.*Viewed/ })
      .first()
      .waitFor();
    await page.getByRole('row', { name: /ADMIN_TOKEN.*Registered/ }).waitFor();
    await page.getByLabel('To day').fill('2020-01-01');
    await page.getByText('Nothing here yet').waitFor();
    await page.getByLabel('To day').fill('');
    await page.getByRole('textbox', { name: 'Filter by bottle or user ID' }).fill('nobody');
    await page.getByText('Nothing here yet').waitFor();
    const viewer = await harness.openPage('/audit', 'viewer');
    await viewer.getByText('You don’t have access to this page').waitFor();
    await viewer.goto('/bottles');
    await viewer.getByRole('table').waitFor();
    expect(await viewer.getByText('Export CSV').count()).toBe(0);
  });

  it('exports its lists as CSV', async () => {
    const person = await harness.createStaff('admin', 'Ada Admin');
    const page = await harness.openPage('/staff', person);
    const staff = await downloadCsv(page);
    expect(staff.name).toBe('staff.csv');
    expect(staff.rows).toContainEqual(expect.objectContaining({ email: person.email, role: 'admin' }));
    await asAdmin(harness.services.support)
      .post('/v1/api-keys')
      .send({ name: 'night shift', role: 'viewer' });
    await page.goto('/api-keys');
    const keys = await downloadCsv(page);
    expect(keys.name).toBe('api-keys.csv');
    expect(keys.rows).toMatchObject([{ name: 'night shift', role: 'viewer' }]);
  });

  describe('offers only what the role allows', () => {
    it.each([
      ['viewer', ['Fleet', 'Alerts', 'Bottles', 'Notifications']],
      ['support', ['Fleet', 'Alerts', 'Bottles', 'Notifications', 'Register', 'Audit log', 'Settings']],
      [
        'admin',
        [
          'Fleet',
          'Alerts',
          'Bottles',
          'Notifications',
          'Register',
          'Staff',
          'API keys',
          'Audit log',
          'Settings',
        ],
      ],
    ] as const)('pages of a %s: %p', async (role, pages) => {
      const page = await harness.openPage('/', role);
      const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
      await links.first().waitFor();
      const names = (await links.allTextContents()).map((text) => text.replace(/\s*\d.*$/, ''));
      expect(names).toEqual(pages);
    });

    it('no action for a viewer on any page; the server refuses them too', async () => {
      const bottle = await harness.services.register({
        schedule: { kind: 'times_of_day', times: ['08:00'] },
      });
      await harness.services.open(bottle);
      await harness.services.pass(8);
      const { body } = await asAdmin(harness.services.support).get(`/v1/bottles/${bottle.id}`).expect(200);
      const alert = body.open_alerts[0].id as string;
      const page = await harness.openPage('/', 'viewer');
      const actions =
        /^(Acknowledge|Snooze|Resolve|Confirm|Dismiss|Register|New|Create|Edit|Add|Erase|Pause|Revoke|Send again)/;
      for (const path of [
        '/',
        '/alerts',
        `/alerts/${alert}`,
        '/bottles',
        `/bottles/${bottle.id}`,
        `/bottles/${bottle.id}/schedule`,
        `/bottles/${bottle.id}/contacts`,
        `/bottles/${bottle.id}/manage`,
        '/messages',
        '/register',
        '/staff',
        '/api-keys',
        '/audit',
      ]) {
        await page.goto(path, { waitUntil: 'load' });
        await page.getByRole('main').locator('h1, h2').first().waitFor();
        expect([
          path,
          await page.getByRole('main').getByRole('button', { name: actions }).allTextContents(),
        ]).toEqual([path, []]);
      }
      const refused = await page.evaluate(async (url) => {
        const { csrf_token } = (await (await fetch('/v1/session')).json()) as { csrf_token: string };
        const answer = await fetch(url, {
          method: 'POST',
          headers: { 'x-csrf-token': csrf_token, 'content-type': 'application/json' },
          body: '{}',
        });
        return answer.status;
      }, `/v1/alerts/${alert}/acknowledge`);
      expect(refused).toBe(403);
    });
  });
});
