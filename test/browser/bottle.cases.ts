import { CoverageGaps } from '../../apps/notifier/src/alert-kinds/coverage-gap/coverage-gaps.js';
import { asAdmin, type TestBottle } from '../../tools/harness/services.js';
import { BrowserHarness, minutesAgo } from '../../tools/browser/harness.js';
import { calendarAt, notice } from '../../tools/browser/pages.js';

describe('bottle', () => {
  let harness: BrowserHarness;

  beforeAll(async () => {
    harness = await BrowserHarness.start('bottle', {}, minutesAgo(90));
  });
  afterAll(() => harness?.stop());
  afterEach(() => harness.endTest());

  const register = (body: object = {}): Promise<TestBottle> =>
    harness.services.register({
      user_id: 'willcross1024',
      medication: 'Cordrazine',
      number_of_pills: 30,
      ...body,
    });

  it('shows the status and its reason, in the patient’s time and the viewer’s', async () => {
    const bottle = await register();
    await harness.services.open(bottle);
    const since = harness.services.clock.now();
    const page = await harness.openPage(`/bottles/${bottle.id}`, 'viewer');
    const status = page.getByRole('region', { name: 'Status' });
    const clock = (zone: string): string => since.toLocaleTimeString('en-GB', { timeZone: zone }).slice(0, 5);
    await status
      .getByText(
        new RegExp(`^Open since .*${clock('Europe/Berlin')} CES?T, (\\d+ h )?\\d+ (min|h); last seen`),
      )
      .waitFor();
    await status
      .getByText(new RegExp(`Your time \\(E[SD]T\\): since .*${clock('America/New_York')} E[SD]T`))
      .waitFor();
    await status.getByText('25', { exact: true }).last().waitFor();
  });

  it.each([
    ['en-US', /^\d{1,2}:\d\d [ap]m GMT\+5:30$/, '1 pill at 1:15 pm, every day.'],
    ['en-GB', /^\d\d:\d\d GMT\+5:30$/, '1 pill at 13:15, every day.'],
  ])(
    'shows times by the clock of the browser’s locale, none of them cut off: %s',
    async (locale, time, plan) => {
      const bottle = await register({
        time_zone: 'Asia/Kolkata',
        schedule: { kind: 'times_of_day', times: ['13:15'] },
      });
      await harness.services.open(bottle);
      const page = await harness.openPage(`/bottles/${bottle.id}/schedule`, 'viewer', { locale });
      await page.getByText(plan).waitFor();
      await page.goto(`/bottles/${bottle.id}`);
      const timeline = page.getByRole('region', { name: 'Activity' });
      const shown = timeline.getByRole('listitem').locator('time').first();
      await shown.waitFor();
      expect(await shown.innerText()).toMatch(time);
      const cut = await timeline.evaluate(
        (element) =>
          [...element.querySelectorAll('time')].filter(
            ({ parentElement: cell }) => cell!.scrollWidth > cell!.clientWidth,
          ).length,
      );
      expect(cut).toBe(0);
    },
  );

  it('shows a month of doses, and a day in full', async () => {
    const bottle = await register({ schedule: { kind: 'times_of_day', times: [localTime(-20)] } });
    await bottle.post('/v1/heartbeats').expect(204);
    await harness.services.pass(21);
    await harness.services.close(bottle, 1, 29);
    await harness.services.pass(2);
    const doses = asAdmin(harness.services.support).get(`/v1/bottles/${bottle.id}/doses`);
    const { scheduled_at } = (await doses.expect(200)).body.items[0];
    const due = new Date(scheduled_at);
    const page = await harness.openPage(`/bottles/${bottle.id}`, 'viewer');
    const day = (await calendarAt(page, due, 'Europe/Berlin')).getByRole('button', { name: /taken on time/ });
    await day.click();
    await page.getByRole('region', { name: 'Doses by day' }).getByText('Taken on time').first().waitFor();
    expect(await day.getAttribute('aria-pressed')).toBe('true');
    // what people report stands beside what was measured
    await asAdmin(harness.services.support)
      .post(`/v1/bottles/${bottle.id}/attestations`)
      .send({ scheduled_at, kind: 'not_taken' })
      .expect(201);
    await page.reload();
    const attested = (await calendarAt(page, due, 'Europe/Berlin')).getByRole('button', {
      name: /taken on time, reported not taken$/,
    });
    await attested.waitFor();
    expect(await attested.locator('svg').count()).toBe(2);
    await page.getByText('Measured, and as reported by people').waitFor();
  });

  it('records in two clicks what a caller says about a dose, and withdraws it', async () => {
    const bottle = await register({ schedule: { kind: 'times_of_day', times: [localTime(-20)] } });
    await bottle.post('/v1/heartbeats').expect(204);
    await harness.services.pass(21);
    const page = await harness.openPage(`/bottles/${bottle.id}`);
    const today = page.getByRole('region', { name: 'Today' });
    const record = today.getByRole('button', { name: /^Record what people say about the dose of/ });
    await record.click();
    await page.getByRole('menuitem', { name: 'Skipped: a side effect' }).click();
    await today
      .getByText(
        /^Reported skipped \(a side effect\) by the patient, .*; recorded by A support\. Not measured by the bottle/,
      )
      .waitFor();
    await today.getByText('Due', { exact: true }).waitFor();
    // disabled until everything on the page has been loaded again
    await today.getByRole('button', { name: /^Record/, disabled: false }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Withdraw what was recorded' }).click();
    await notice(page, 'Withdrawn.').waitFor();
    await today.getByText(/^Reported/).waitFor({ state: 'detached' });
  });

  it('shows all that was recorded about a dose, and withdraws any of it', async () => {
    const bottle = await register({ schedule: { kind: 'times_of_day', times: [localTime(-20)] } });
    await bottle.post('/v1/heartbeats').expect(204);
    await harness.services.pass(21);
    const other = asAdmin(harness.services.support);
    const { body } = await other.get(`/v1/bottles/${bottle.id}`).expect(200);
    const { scheduled_at } = body.today.doses[0];
    const path = `/v1/bottles/${bottle.id}/attestations`;
    const attest = async (statement: object): Promise<string> =>
      (
        await other
          .post(path)
          .send({ scheduled_at, ...statement })
          .expect(201)
      ).body.id as string;
    const mistaken = await attest({ kind: 'taken', attested_by: 'user' });
    await other.post(`${path}/${mistaken}/withdraw`).send({ attested_by: 'carer' }).expect(201);
    await harness.services.pass(1);
    await attest({ kind: 'skipped', reason: 'away', attested_by: 'user' });
    await harness.services.pass(1);
    await attest({ kind: 'taken', source: 'elsewhere', attested_by: 'carer' });
    const page = await harness.openPage(`/bottles/${bottle.id}`);
    await page
      .getByRole('region', { name: 'Today' })
      .getByRole('button', { name: /^Record what people say/ })
      .click();
    await page.getByRole('menuitem', { name: 'With details' }).click();
    const before = page.getByRole('region', { name: 'Recorded before' });
    await before.getByRole('listitem').nth(2).waitFor();
    const texts = await before.getByRole('listitem').allInnerTexts();
    expect(texts).toEqual([
      expect.stringMatching(/^Reported taken from elsewhere by the carer.*Withdraw$/s),
      expect.stringMatching(/^Reported skipped \(not at home\) by the patient.*Withdraw$/s),
      expect.stringMatching(/^Reported taken by the patient.*Withdrawn by the carer, [^\n]*$/s),
    ]);
    // one that does not count, too
    const skipped = before.getByRole('listitem').filter({ hasText: 'Reported skipped' });
    await skipped.getByRole('button', { name: 'Withdraw' }).click();
    await notice(page, 'Withdrawn.').waitFor();
    await before.getByText(/^Withdrawn by the patient/).waitFor();
    const { body: list } = await other.get(path).expect(200);
    const standing = (list.items as { kind: string; is_withdrawn: boolean }[]).filter(
      ({ kind, is_withdrawn }) => kind !== 'withdrawn' && !is_withdrawn,
    );
    expect(standing).toMatchObject([{ kind: 'taken', source: 'elsewhere' }]);
  });

  it('records when, how many, where from, whose word it is and a note, where a dose is listed', async () => {
    const bottle = await register({
      schedule: { kind: 'times_of_day', times: [localTime(-20)], pills_per_dose: 2 },
    });
    await bottle.post('/v1/heartbeats').expect(204);
    await harness.services.pass(21);
    const page = await harness.openPage(`/bottles/${bottle.id}`);
    const today = page.getByRole('region', { name: 'Today' });
    const dialog = page.getByRole('dialog', { name: /^Dose of/ });
    const withDetails = async (): Promise<void> => {
      await today.getByRole('button', { name: /^Record what people say/ }).click();
      await page.getByRole('menuitem', { name: 'With details' }).click();
    };
    await withDetails();
    await dialog.getByLabel('Taken at').fill(localTime(0));
    await dialog.getByLabel('Pills').fill('2');
    await dialog.getByRole('radiogroup', { name: 'Where from' }).getByText('Elsewhere').click();
    await dialog.getByRole('radiogroup', { name: 'Reported by' }).getByText('Carer').click();
    await dialog.getByLabel('Note').fill('from the weekly box');
    await dialog.getByRole('button', { name: 'Record' }).click();
    await today
      .getByText(
        /^Reported taken from elsewhere at .* by the carer, .*; recorded by A support: from the weekly box/,
      )
      .waitFor();
    // what the server refuses stays in the form
    await withDetails();
    await dialog.getByLabel('Taken at').fill(localTime(-15));
    await dialog.getByRole('button', { name: 'Record' }).click();
    await dialog
      .getByText(/Enter a time in the past/)
      .first()
      .waitFor();
    await dialog.getByRole('radiogroup', { name: 'What they say' }).getByText('Skipped').click();
    await dialog.getByRole('combobox', { name: 'Reason' }).click();
    await page.getByRole('option', { name: 'not at home' }).click();
    await dialog.getByRole('radiogroup', { name: 'Reported by' }).getByText('Staff').click();
    await dialog.getByRole('button', { name: 'Record' }).click();
    await today.getByText(/^Reported skipped \(not at home\) by A support, /).waitFor();
    await today.getByText(/^Before: Reported taken from elsewhere/).waitFor();
    const { body } = await asAdmin(harness.services.support)
      .get(`/v1/bottles/${bottle.id}/attestations`)
      .expect(200);
    expect((body.items as object[]).at(-1)).toMatchObject({ kind: 'taken', pills: 2, source: 'elsewhere' });
  });

  it('changes the schedule, with a preview', async () => {
    const bottle = await register();
    const page = await harness.openPage(`/bottles/${bottle.id}/schedule`);
    await page.getByRole('button', { name: 'Create schedule' }).click();
    await page.getByLabel('Time 1').fill('07:15');
    await page.getByRole('button', { name: 'Add time' }).click();
    await page.getByLabel('Time 2').fill('19:45');
    const preview = page.getByRole('region', { name: 'Next doses' });
    await preview
      .getByText(/07:15 CES?T/)
      .first()
      .waitFor();
    await preview
      .getByText(/19:45 CES?T/)
      .first()
      .waitFor();
    await page.getByLabel('Missed after').fill('30m');
    await page.getByRole('button', { name: 'Save schedule' }).click();
    await page
      .getByText(/A dose must be late before it is missed/)
      .first()
      .waitFor();
    await page.getByLabel('Missed after').fill('4h');
    await page.getByRole('button', { name: 'Save schedule' }).click();
    await page.getByText('1 pill at 07:15 and 19:45, every day.').waitFor();
    const { body } = await asAdmin(harness.services.support).get(`/v1/bottles/${bottle.id}`).expect(200);
    expect(body.schedule).toMatchObject({
      time_zone: 'Europe/Berlin',
      schedule: { kind: 'times_of_day', times: ['07:15', '19:45'] },
    });
  });

  it('enters a period without monitoring, and ends it', async () => {
    const bottle = await register({ schedule: { kind: 'times_of_day', times: ['08:00'] } });
    const page = await harness.openPage(`/bottles/${bottle.id}/schedule`);
    const form = page.getByRole('form', { name: 'New period' });
    await form.getByLabel('Until').fill('2030-01-05T12:00');
    await form.getByLabel('Note').fill("St. Mary's");
    await form.getByRole('button', { name: 'Add period' }).click();
    const periods = page.getByRole('region', { name: 'Periods without monitoring' });
    await periods.getByText(/Now: Hospital stay.*5 Jan 2030, 12:00 CET.*St. Mary's/).waitFor();
    await periods.getByRole('button', { name: 'End now' }).click();
    await periods.getByText('Now:').waitFor({ state: 'detached' });
    await periods.getByRole('button', { name: 'Remove' }).click();
    await periods.getByRole('button', { name: 'Remove the period' }).click();
    await periods.getByText('None so far.').waitFor();
  });

  it('saves how and when people are notified', async () => {
    const bottle = await register({ user_id: 'somebody else' });
    const { notifier, clock } = harness.services;
    await notifier.app.get(CoverageGaps).recordChecks(clock.now());
    const page = await harness.openPage(`/bottles/${bottle.id}/contacts`);
    await page.getByRole('button', { name: 'Add contact' }).click();
    await page.getByLabel('E-mail').first().fill('not an address@');
    await page
      .getByRole('switch', { name: /Quiet hours/ })
      .first()
      .check({ force: true });
    await page.getByLabel('E-mail').first().fill('somebody@example.org');
    await page.getByLabel('E-mail').last().fill('carer@example.org');
    await page.getByRole('button', { name: 'Add step' }).click();
    await page.getByRole('button', { name: 'Save contact' }).click();
    await page.getByText('22:00 to 07:00; non-critical notifications wait until they end').waitFor();
    await page.getByText('carer@example.org').waitFor();
    await page.getByText('After 30 min: the carer').waitFor();
    const unreachable =
      'No message reaches this person: the e-mail address is not verified. Messages go to the operator instead.';
    expect(await page.getByText(unreachable).count()).toBe(2);
  });

  it('says by the clock who is notified of a late dose, what is missing for it, and follows a verification', async () => {
    const user = 'is to confirm';
    const schedule = { kind: 'times_of_day', times: ['08:00'], late_after: '1h' };
    const bottle = await register({ user_id: user, time_zone: 'Europe/Berlin', schedule });
    const { notifier, clock, support, database } = harness.services;
    await notifier.app.get(CoverageGaps).recordChecks(clock.now());
    await asAdmin(support)
      .put('/v1/contacts/is%20to%20confirm')
      .send({
        name: 'Anna',
        email: 'anna@example.org',
        time_zone: 'Europe/Berlin',
        carer: { name: 'Jonas', phone: '+49 30 1' },
        escalation: [{ after: '0m', to: 'user' }],
      })
      .expect(201);
    const page = await harness.openPage(`/bottles/${bottle.id}/contacts`);
    await page
      .getByText(
        /If the dose of .*08:00 CES?T is late: at 09:00 Anna \(e-mail address not verified: goes to the operator by/,
      )
      .waitFor();
    await page.getByText('No step goes to the carer: they are not notified.').waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByText(/^Not set up, so that nothing is sent over it: .*e-mail/).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('No message goes to this e-mail address before it is confirmed').waitFor();
    const contacts = database.db.collection<{ _id: string }>('contacts');
    await contacts.updateOne({ _id: user }, { $set: { email_verified_at: clock.now() } });
    await page
      .getByText('No message goes to this e-mail address before it is confirmed')
      .waitFor({ state: 'detached' });
  });

  it('overwrites nothing that somebody else changes while an editor is open', async () => {
    const other = asAdmin(harness.services.support);
    const bottle = await register({
      user_id: 'edited by two',
      schedule: { kind: 'times_of_day', times: ['08:00'] },
    });
    await other.put('/v1/contacts/edited%20by%20two').send({ phone: '+49 30 1' }).expect(201);
    const page = await harness.openPage(`/bottles/${bottle.id}/contacts`);
    const isRefused = () =>
      page.getByRole('alert').filter({ hasText: 'Somebody else has changed this meanwhile.' }).waitFor();

    await page.getByRole('button', { name: 'Edit' }).click();
    const conflict = page.getByRole('region', { name: 'Changed meanwhile' });
    const saveBoth = conflict.getByRole('button', { name: 'Save both changes' });
    await page.getByLabel('Name').first().fill('Mine');
    await page.getByLabel('Phone, for staff').fill('+49 30 2');
    const theirs = { phone: '+49 30 3', language: 'de' };
    await other.put('/v1/contacts/edited%20by%20two').send(theirs).expect(200);
    await page.getByRole('button', { name: 'Save contact' }).click();
    await isRefused();
    await conflict.getByText(/The other’s changes stay: language of pages: de/).waitFor();
    await conflict.getByRole('radio', { name: 'Yours: +49 30 2' }).waitFor();
    await conflict.getByRole('radio', { name: 'Theirs: +49 30 3' }).check();
    await saveBoth.click();
    await page.getByText('Contact saved.').waitFor();
    const merged = await other.get('/v1/contacts/edited%20by%20two').expect(200);
    expect(merged.body).toMatchObject({ ...theirs, name: 'Mine' });

    await page.getByRole('button', { name: 'Edit' }).click();
    await other.put('/v1/contacts/edited%20by%20two').send({ phone: '+49 30 3' }).expect(200);
    await page.getByRole('button', { name: 'Delete contact' }).click();
    await page.getByRole('button', { name: 'Delete the contact' }).click();
    await isRefused();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    expect(await page.getByLabel('Phone, for staff').inputValue()).toBe('+49 30 3');
    await page.getByLabel('Phone, for staff').fill('+49 30 4');
    await page.getByRole('button', { name: 'Save contact' }).click();
    await page.getByText('Contact saved.').waitFor();

    await page.goto(`/bottles/${bottle.id}/schedule`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Time 1').fill('09:00');
    const schedule = { kind: 'times_of_day', times: ['10:00'] };
    await other.put(`/v1/bottles/${bottle.id}/schedule`).send({ schedule }).expect(200);
    await page.getByRole('button', { name: 'Save schedule' }).click();
    await isRefused();
    await conflict.getByRole('radio', { name: 'Theirs: 10:00' }).waitFor();
    await conflict.getByRole('radio', { name: 'Yours: 09:00' }).check();
    await saveBoth.click();
    await page.getByText('Schedule saved.').waitFor();

    await page.goto(`/bottles/${bottle.id}/manage`);
    await page.getByLabel('Medication').fill('Inaprovaline');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Bottle updated.').waitFor();
    await page.getByLabel('Medication').fill('Masiform');
    await other.patch(`/v1/bottles/${bottle.id}`).send({ medication: 'Tri-ox' }).expect(200);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await isRefused();

    const { body } = await other.get(`/v1/bottles/${bottle.id}`).expect(200);
    expect(body).toMatchObject({ medication: 'Tri-ox', schedule: { schedule: { times: ['09:00'] } } });
    const { body: contact } = await other.get('/v1/contacts/edited%20by%20two').expect(200);
    expect(contact).toMatchObject({ phone: '+49 30 4' });
  });

  it('replaces the device token and shows it once', async () => {
    const bottle = await register();
    const page = await harness.openPage(`/bottles/${bottle.id}/manage`);
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByRole('button', { name: 'Replace the token' }).click();
    await page.getByRole('img', { name: 'New device token as a QR code' }).waitFor();
    const token = await page.locator('code', { hasText: /^pwb_/ }).textContent();
    await bottle.post('/v1/heartbeats').expect(401);
    await bottle.post('/v1/heartbeats').set('authorization', `Bearer ${token}`).expect(204);
  });

  it('shows HTML in names as text', async () => {
    const evil = '<img src=x onerror="document.title=`broken`"><b>bold</b>';
    const bottle = await register({ user_id: evil, medication: evil });
    const page = await harness.openPage(`/bottles/${bottle.id}`);
    await page.getByRole('heading', { name: evil, level: 1 }).waitFor();
    await page.goto('/bottles');
    await page.getByText(evil).first().waitFor();
    expect(await page.locator('img, b').count()).toBe(0);
    expect(await page.title()).toMatch(/^(\(\d+\) )?Bottles · Pillwatch$/);
  });

  it('offers a viewer no forbidden action', async () => {
    const bottle = await register({ schedule: { kind: 'times_of_day', times: ['08:00'] } });
    const page = await harness.openPage(`/bottles/${bottle.id}/schedule`, 'viewer');
    await page.getByText('1 pill at 08:00, every day.').waitFor();
    for (const name of ['Edit', 'Add pause', 'End now']) {
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
    }
    expect(await page.getByRole('link', { name: 'Manage' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Register' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Staff' }).count()).toBe(0);
    await page.goto(`/bottles/${bottle.id}/manage`);
    await page.getByText('You don’t have access to this page').waitFor();
    expect(await page.getByRole('button', { name: 'New token' }).count()).toBe(0);
  });

  /** The local time in Berlin, this many minutes before the fake clock's present. */
  function localTime(minutes: number): string {
    const at = new Date(harness.services.clock.now().getTime() - minutes * 60_000);
    return at.toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' }).slice(0, 5);
  }
});
