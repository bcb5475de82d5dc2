import type { Locator, Page } from 'playwright-core';
import { BrowserHarness } from '../../tools/browser/harness.js';
import { eventually } from '../../tools/harness/eventually.js';
import { asAdmin } from '../../tools/harness/services.js';
import { downloadCsv } from './download-csv.js';

describe('the list of bottles', () => {
  let harness: BrowserHarness;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    harness = await BrowserHarness.start('bottles');
    for (const user of ['anna', 'cleo', 'bert'])
      ids[user] = (
        await harness.services.register({
          user_id: user,
          medication: 'Cordrazine',
          time_zone: 'Europe/Berlin',
        })
      ).id;
  });
  afterAll(() => harness?.stop());
  afterEach(() => harness.endTest());

  const admin = () => asAdmin(harness.services.support);
  const users = (page: Page) => page.locator('tbody tr td:first-child').allInnerTexts();
  /** The first row may be the same before and after. */
  const orderIs = (page: Page, expected: string[]): Promise<void> =>
    eventually(async () => {
      expect((await users(page)).map((text) => text.split('\n').at(-1))).toEqual(expected);
    });
  const choose = async (page: Page, order: string): Promise<void> => {
    await page.getByRole('combobox', { name: 'Order' }).click();
    await page.getByRole('option', { name: order }).click();
  };
  const setColumn = async (page: Page, name: string, shown: boolean): Promise<void> => {
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name, exact: true }).setChecked(shown);
    await page.keyboard.press('Escape');
  };
  const select = (page: Page, user: string) =>
    page.getByRole('checkbox', { name: `Select Cordrazine, ${user}` }).check();

  it('has an order, which the file has too, and offers what the filters allow', async () => {
    const page = await harness.openPage('/bottles');
    await orderIs(page, ['anna', 'cleo', 'bert']);
    await choose(page, 'User ID, A to Z');
    await orderIs(page, ['anna', 'bert', 'cleo']);
    expect((await downloadCsv(page)).rows.map(({ user_id }) => user_id)).toEqual(['anna', 'bert', 'cleo']);
    await choose(page, 'Registered, newest first');
    await orderIs(page, ['bert', 'cleo', 'anna']);
    await page.goto('/bottles?sort=user_id');
    await page
      .getByRole('group', { name: 'Status' })
      .getByRole('button', { name: /^Silent/ })
      .click();
    await page.getByText('No matching bottles').waitFor();
    expect(page.url()).not.toContain('sort=');
    await choose(page, 'Longest silent');
    expect(page.url()).toContain('sort=last_seen');
  });

  it('is ordered by next dose and by battery, from their columns or the list of orders', async () => {
    const states = harness.services.database.db.collection('bottle_states');
    const inMinutes = (minutes: number): Date =>
      new Date(harness.services.clock.now().getTime() + minutes * 60_000);
    for (const [user_id, minutes, battery_percent] of [
      ['anna', 120, 9],
      ['bert', 60, 80],
      ['cleo', 180, 40],
    ] as const)
      await states.updateOne({ user_id }, { $set: { next_dose_at: inMinutes(minutes), battery_percent } });
    const page = await harness.openPage('/bottles');
    await setColumn(page, 'Battery', true);
    const head = (name: string) => page.getByRole('columnheader', { name });
    const leftOut = page.getByText('are not listed in this order');
    expect(await leftOut.count()).toBe(0);
    await head('Next dose').getByRole('button').click();
    await orderIs(page, ['bert', 'anna', 'cleo']);
    expect(await leftOut.textContent()).toBe('Bottles without a next dose are not listed in this order.');
    expect(await head('Next dose').getAttribute('aria-sort')).toBe('ascending');
    // by keyboard, the other way round
    await head('Next dose').getByRole('button').press('Enter');
    await orderIs(page, ['cleo', 'anna', 'bert']);
    expect(await head('Next dose').getAttribute('aria-sort')).toBe('descending');
    await head('Battery').getByRole('button').click();
    await orderIs(page, ['anna', 'cleo', 'bert']);
    expect(await leftOut.textContent()).toContain('Bottles that have not reported their battery');
    await choose(page, 'Battery, highest first');
    await orderIs(page, ['bert', 'cleo', 'anna']);
    // the server has no such order with a filter
    await page
      .getByRole('group', { name: 'Status' })
      .getByRole('button', { name: /^Silent/ })
      .click();
    await page.getByText('No matching bottles').waitFor();
    expect(page.url()).not.toContain('sort=');
  });

  it('says that an order has no bottles, not that there are none', async () => {
    const states = harness.services.database.db.collection('bottle_states');
    await states.updateMany({}, { $unset: { next_dose_at: '', battery_percent: '' } });
    const page = await harness.openPage('/bottles?sort=next_dose');
    await page.getByText('No bottles have a next dose').waitFor();
    await choose(page, 'Battery, lowest first');
    await page.getByText('No bottles have reported their battery').waitFor();
    expect(await page.getByText('No bottles yet').count()).toBe(0);
    await page.getByRole('link', { name: 'Show all bottles' }).click();
    await orderIs(page, ['anna', 'cleo', 'bert']);
  });

  it('keeps a name and its checkbox within their column, however many others there are', async () => {
    const page = await harness.openPage('/bottles', 'support', { viewport: { width: 1024, height: 768 } });
    for (const column of ['Battery', 'Time zone', 'Bottle ID']) await setColumn(page, column, true);
    await page.getByRole('columnheader', { name: 'Bottle ID' }).waitFor();
    const tooWide = await page
      .locator('tbody td:first-child')
      .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length);
    expect(tooWide).toBe(0);
  });

  it('remembers the columns in the browser, and views with the account', async () => {
    const person = await harness.createStaff('viewer');
    const page = await harness.openPage('/bottles', person);
    await setColumn(page, 'Time zone', true);
    await setColumn(page, 'Pills left', false);
    await page.getByRole('columnheader', { name: 'Time zone' }).waitFor();
    await page.reload();
    await page.getByRole('cell', { name: 'Europe/Berlin' }).first().waitFor();
    expect(await page.getByRole('columnheader', { name: 'Pills left' }).count()).toBe(0);
    await choose(page, 'User ID, Z to A');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save this view' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Zones');
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('button', { name: 'View: Zones' }).waitFor();
    const elsewhere = await harness.openPage('/bottles', person);
    await elsewhere.getByRole('button', { name: 'Views' }).click();
    await elsewhere.getByRole('menuitem', { name: 'Zones' }).click();
    await orderIs(elsewhere, ['cleo', 'bert', 'anna']);
    await elsewhere.getByRole('columnheader', { name: 'Time zone' }).waitFor();
    await elsewhere.getByRole('button', { name: 'View: Zones' }).click();
    await elsewhere.getByRole('menuitem', { name: 'Delete “Zones”' }).click();
    await elsewhere.getByRole('button', { name: 'Views' }).waitFor();
    // a viewer changes no bottle
    expect(await page.getByRole('checkbox', { name: /^Select/ }).count()).toBe(0);
  });

  it('changes the selected bottles one by one: one that fails leaves the others alone', async () => {
    const page = await harness.openPage('/bottles');
    await select(page, 'anna');
    await page.getByRole('button', { name: 'Select 3 shown' }).click();
    await page.getByText('3 selected').waitFor();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Pause 3 bottles' });
    await dialog.getByLabel('Last day of the pause').fill('2099-12-31');
    // somebody else changes a bottle after the dialog has loaded it
    await dialog.locator('button[type=submit]:not([data-loading])').waitFor();
    await admin().patch(`/v1/bottles/${ids['bert']}`).send({ time_zone: 'Asia/Tokyo' }).expect(200);
    await dialog.getByRole('button', { name: 'Pause', exact: true }).click();
    await dialog.getByText('2 bottles: done. 1 failed.').waitFor();
    const pausesOf = async (user: string): Promise<unknown[]> =>
      (await admin().get(`/v1/bottles/${ids[user]}`)).body.pauses;
    expect(await pausesOf('anna')).toMatchObject([{ to: '2099-12-31T23:00:00.000Z' }]);
    expect(await pausesOf('bert')).toEqual([]);
    await dialog.getByRole('button', { name: 'Load 1 failed bottle again' }).click();
    await dialog.locator('button[type=submit]:not([data-loading])').waitFor();
    await dialog.getByRole('button', { name: 'Pause', exact: true }).click();
    await dialog.getByText('3 bottles: done.').waitFor();
    // of each once, and to the end of the day there
    expect(await pausesOf('anna')).toHaveLength(1);
    expect(await pausesOf('bert')).toMatchObject([{ to: '2099-12-31T15:00:00.000Z' }]);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('3 selected').waitFor({ state: 'detached' });

    await select(page, 'cleo');
    await page.getByRole('button', { name: 'End pause' }).click();
    await page.locator('button[type=submit]:not([data-loading])').waitFor();
    await page.getByRole('button', { name: 'End pauses' }).click();
    await page.getByText('1 bottle: done.').waitFor();
    expect(await pausesOf('cleo')).toEqual([]);
    expect(await pausesOf('anna')).toHaveLength(1);
  });

  it('changes the carer of several people, each once, with a preview, and removes them again', async () => {
    const contactOf = async (user: string) => (await admin().get(`/v1/contacts/${user}`)).body;
    await admin()
      .put('/v1/contacts/anna')
      .set('if-none-match', '*')
      .send({
        time_zone: 'Europe/Berlin',
        email: 'anna@example.org',
        carer: { name: 'Old Nurse', webhook: true },
      })
      .expect(201);
    const page = await harness.openPage('/bottles');
    const choosePeople = async (button: string): Promise<Locator> => {
      for (const user of ['anna', 'bert']) await select(page, user);
      await page.getByRole('button', { name: button, exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.locator('button[type=submit]:not([data-loading])').waitFor();
      return dialog;
    };
    const save = async (dialog: Locator): Promise<void> => {
      await dialog.locator('button[type=submit]:not([disabled])').click();
      await dialog.getByText('2 bottles: done.').waitFor();
    };
    const close = (dialog: Locator) => dialog.getByRole('button', { name: 'Close' }).last().click();
    const given = async (dialog: Locator): Promise<void> => {
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Nora Nurse');
      await dialog.getByRole('textbox', { name: 'Phone, for staff' }).fill('+49 30 123456');
      await dialog.getByRole('switch', { name: 'Notify through the operator’s webhook' }).check();
    };
    let dialog = await choosePeople('Carer');
    await given(dialog);
    // before anything is changed
    await dialog.getByText('Old Nurse → Nora Nurse').waitFor();
    await dialog.getByText('no carer → Nora Nurse').waitFor();
    await save(dialog);
    await close(dialog);
    const nora = { name: 'Nora Nurse', phone: '+49 30 123456', webhook: true };
    expect(await contactOf('anna')).toMatchObject({ email: 'anna@example.org', carer: nora });
    expect(await contactOf('bert')).toMatchObject({
      carer: nora,
      escalation: [{ to: 'user' }, { after: '30m', to: 'carer' }],
    });
    // the same again has nothing to do
    dialog = await choosePeople('Carer');
    await given(dialog);
    await dialog.getByText('Nothing to do').first().waitFor();
    await save(dialog);
    await dialog.getByText('Is the carer already').first().waitFor();
    await close(dialog);
    dialog = await choosePeople('Remove carer');
    await dialog.getByText('Nora Nurse → no carer').first().waitFor();
    await save(dialog);
    await close(dialog);
    expect(await contactOf('anna')).not.toHaveProperty('carer');
    const audit = (await admin().get('/v1/audit?subject=contact:anna&category=change')).body.items;
    expect(audit.map(({ action }: { action: string }) => action)).toEqual([
      'contact.put',
      'contact.put',
      'contact.put',
    ]);
  });

  it('moves bottles to a zone and assigns them to a gateway, each with its own audit entry', async () => {
    const gateway = (await admin().post('/v1/gateways').send({ name: 'hub 7' }).expect(201)).body;
    await harness.services.register({
      user_id: 'dora',
      medication: 'Cordrazine',
      time_zone: 'Europe/Berlin',
      schedule: { kind: 'times_of_day', times: ['08:00'] },
    });
    const page = await harness.openPage('/bottles');
    for (const [button, field, value, result] of [
      ['Time zone', 'Patient’s time zone', 'Asia/Tokyo', 'Europe/Berlin → Asia/Tokyo'],
      ['Gateway', 'Gateway', 'hub 7', 'Assigned to hub 7'],
    ] as const) {
      for (const user of ['anna', 'bert', 'dora']) await select(page, user);
      await page.getByRole('button', { name: button, exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('combobox', { name: field }).fill(value);
      await page.getByRole('option', { name: value }).click();
      if (button === 'Time zone') {
        const ofDora = dialog.getByRole('listitem').filter({ hasText: 'Cordrazine · dora' });
        await ofDora.getByText('Doses that move').click();
        await ofDora
          .getByText(/ → .*\(1 pills?\)/)
          .first()
          .waitFor();
      }
      await dialog.locator('button[type=submit]:not([data-loading])').click();
      await dialog.getByText('3 bottles: done.').waitFor();
      await dialog.getByText(result).first().waitFor();
      await dialog.getByRole('button', { name: 'Close' }).last().click();
    }
    const { items } = (await admin().get(`/v1/gateways/${gateway.id}/bottles`)).body;
    expect(items.map(({ user_id }: { user_id: string }) => user_id).sort()).toEqual(['anna', 'bert', 'dora']);
    const audit = (await admin().get(`/v1/audit?subject=bottle:${ids['anna']}&category=change`)).body.items;
    expect(audit.map(({ action }: { action: string }) => action).slice(0, 3)).toEqual([
      'gateway.assign',
      'bottle.change',
      'bottle.pause',
    ]);
  });
});
