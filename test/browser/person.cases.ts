import { HOUR_MS } from '#domain';
import type { Page } from 'playwright-core';
import { eventually } from '../../tools/harness/eventually.js';
import { asAdmin, type TestBottle } from '../../tools/harness/services.js';
import { BrowserHarness, minutesAgo } from '../../tools/browser/harness.js';
import { notice } from '../../tools/browser/pages.js';

describe('person', () => {
  let harness: BrowserHarness;

  beforeAll(async () => {
    harness = await BrowserHarness.start('person', {}, minutesAgo(90));
  });
  afterAll(() => harness?.stop());
  afterEach(() => harness.endTest());

  const admin = () => asAdmin(harness.services.support);
  const fromNow = (hours: number): string =>
    new Date(harness.services.clock.now().getTime() + hours * HOUR_MS).toISOString();

  /** A bottle with a dose every six hours, the first one in a minute. */
  async function register(user_id: string, body: object = {}): Promise<TestBottle> {
    const bottle = await harness.services.register({
      user_id,
      medication: 'Cordrazine',
      number_of_pills: 30,
      schedule: { kind: 'interval', every: '6h', anchor: fromNow(1 / 60) },
      ...body,
    });
    await bottle.post('/v1/heartbeats').expect(204);
    return bottle;
  }

  /** The first dose that the page of today shows. */
  async function firstDose(bottle: TestBottle): Promise<string> {
    const { body } = await admin().get(`/v1/bottles/${bottle.id}`).expect(200);
    return body.today.doses[0].scheduled_at as string;
  }

  const live = (page: Page): Promise<void> => page.getByText('Live', { exact: true }).waitFor();

  it('shows at once what a colleague records about a dose', async () => {
    const bottle = await register('ada');
    const page = await harness.openPage('/people/ada');
    await live(page);
    const today = page.getByRole('region', { name: 'Today' });
    await today
      .getByRole('button', { name: /^Record what people say/ })
      .first()
      .waitFor();
    let asked = 0;
    page.on('request', (request) => (asked += /people\/ada\/doses/.test(request.url()) ? 1 : 0));
    const scheduled_at = await firstDose(bottle);
    await admin()
      .post(`/v1/bottles/${bottle.id}/attestations`)
      .send({ scheduled_at, kind: 'skipped', reason: 'away', attested_by: 'carer' })
      .expect(201);
    await today.getByText(/^Reported skipped \(not at home\) by the carer/).waitFor();
    // the calendar, too
    await eventually(() => expect(asked).toBeGreaterThan(0));
  });

  it('shows of an open alert who has it and until when it is snoozed', async () => {
    const bottle = await register('bea', { schedule: undefined });
    await harness.services.open(bottle);
    await harness.services.pass(8);
    const { body } = await admin().get(`/v1/bottles/${bottle.id}`).expect(200);
    const alert = body.open_alerts[0].id as string;
    const person = await harness.createStaff('support', 'Dora Diaz');
    const page = await harness.openPage(`/alerts/${alert}`, person);
    await page.getByRole('article', { name: 'Alert details' }).waitFor();
    const { body: staff } = await admin().get('/v1/staff').expect(200);
    const { id } = (staff.items as { id: string; email: string }[]).find(
      ({ email }) => email === person.email,
    )!;
    await admin().post(`/v1/alerts/${alert}/assign`).send({ to: id }).expect(200);
    await admin()
      .post(`/v1/alerts/${alert}/snooze`)
      .send({ until: fromNow(2) })
      .expect(200);
    for (const path of ['/people/bea', `/bottles/${bottle.id}`]) {
      await page.goto(path);
      const row = page.getByRole('region', { name: 'Alerts' }).locator(`[data-row="${alert}"]`);
      await row.getByText(/Snoozed until .* · assigned to Dora Diaz/).waitFor();
    }
    await admin().post(`/v1/alerts/${alert}/acknowledge`).send({}).expect(200);
    await page
      .getByRole('region', { name: 'Alerts' })
      .getByText(/Acknowledged by .* · assigned to Dora Diaz/)
      .waitFor();
  });

  it('deletes a note or a contact only after a second click', async () => {
    await register('cleo');
    await admin().post('/v1/people/cleo/notes').send({ text: 'Calls at noon.' }).expect(201);
    await admin().put('/v1/contacts/cleo').send({ name: 'Cleo Cruz', phone: '+49 30 1' }).expect(201);
    const page = await harness.openPage('/people/cleo');
    const notes = page.getByRole('region', { name: 'Notes' });
    await notes.getByRole('button', { name: 'Delete note' }).click();
    await notes.getByRole('button', { name: 'Cancel' }).click();
    await notes.getByRole('button', { name: 'Delete note' }).click();
    await notes.getByRole('button', { name: 'Delete the note' }).click();
    await notice(page, 'Note deleted.').waitFor();
    await notes.getByText('Calls at noon.').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('button', { name: 'Delete contact' }).click();
    await page.getByText('Alerts then go to the operator.').waitFor();
    expect((await admin().get('/v1/contacts/cleo')).status).toBe(200);
    await page.getByRole('button', { name: 'Delete the contact' }).click();
    await notice(page, 'Contact deleted.').waitFor();
    expect((await admin().get('/v1/contacts/cleo')).status).toBe(404);
  });

  it('asks before a typed note, pause or change is lost, and a click beside a form loses nothing', async () => {
    const bottle = await register('dan');
    const page = await harness.openPage('/people/dan');
    const leave = page.getByRole('dialog', { name: 'Leave this page?' });
    const stay = async (text: string): Promise<void> => {
      await page.getByRole('link', { name: 'Audit log' }).click();
      await leave.getByText(text).waitFor();
      await leave.getByRole('button', { name: 'Stay' }).click();
      await leave.waitFor({ state: 'detached' });
    };
    await page.getByRole('region', { name: 'Notes' }).getByRole('textbox').fill('Moves in May');
    await stay('The note is not saved.');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.getByRole('region', { name: 'Notes' }).getByText('Moves in May').waitFor();
    await page.goto(`/bottles/${bottle.id}/schedule`);
    await page.getByLabel('Until').fill('2040-01-01T08:00');
    await stay('The period is not added.');
    await page.getByLabel('Until').fill('');
    await page.goto(`/bottles/${bottle.id}/manage`);
    await page.getByLabel('Medication').fill('Masiform');
    await stay('The changes of the bottle are not saved.');
    await page.getByLabel('Medication').fill('Cordrazine');

    await page.goto(`/bottles/${bottle.id}`);
    await page
      .getByRole('button', { name: /^Record what people say/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'With details' }).click();
    const dialog = page.getByRole('dialog', { name: /^Dose of/ });
    await dialog.getByLabel('Note').fill('from the weekly box');
    await page.mouse.click(5, 5);
    expect(await dialog.getByLabel('Note').inputValue()).toBe('from the weekly box');
    // nor does Escape lose it, nor Escape of the question
    const question = page.getByRole('dialog', { name: 'Discard what you typed?' });
    await page.keyboard.press('Escape');
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await dialog.getByLabel('Note').inputValue()).toBe('from the weekly box');
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Keep typing' }).click();
    await question.waitFor({ state: 'detached' });
    // another day without a time is not dropped
    await dialog.getByLabel('Day').fill('2025-01-01');
    await dialog.getByRole('button', { name: 'Record' }).click();
    await dialog.getByLabel('Taken at').and(page.locator(':invalid')).waitFor();
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Discard' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('leaves a dose that is not of this day off the axis, and lists it', async () => {
    // where the person lives a day has begun, where the viewer is it is afternoon
    const hour = harness.services.clock.now().getUTCHours();
    const zoneAt = (local: number): string => {
      const offset = ((local - hour + 36) % 24) - 12;
      return `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
    };
    const bottle = await register('eve', {
      time_zone: zoneAt(2),
      schedule: { kind: 'interval', every: '1h', anchor: fromNow(1 / 60) },
    });
    const page = await harness.openPage('/people/eve', 'support', { timezoneId: zoneAt(14) });
    const today = page.getByRole('region', { name: 'Today' });
    const { body } = await admin().get(`/v1/bottles/${bottle.id}`).expect(200);
    const doses = (body.today.doses as object[]).length;
    const placed = today.locator('[class*=track] li');
    await placed.nth(doses - 1).waitFor();
    await page
      .getByRole('radiogroup', { name: 'Show times in' })
      .getByText(/^Your time/)
      .click();
    await placed.nth(doses - 1).waitFor({ state: 'detached' });
    for (const dose of await placed.all())
      expect(await dose.getAttribute('style')).not.toMatch(/left: (0|100)%/);
    await today
      .getByRole('button', { name: /^Record what people say/ })
      .nth(doses - 1)
      .waitFor();
  });

  it('names whom to call in an alert and at the head of a bottle', async () => {
    const bottle = await register('fay', { schedule: undefined });
    await admin()
      .put('/v1/contacts/fay')
      .send({ name: 'Fay Fox', phone: '+49 30 77', carer: { name: 'Gus Fox', phone: '+49 30 88' } })
      .expect(201);
    await harness.services.open(bottle);
    await harness.services.pass(8);
    const { body } = await admin().get(`/v1/bottles/${bottle.id}`).expect(200);
    const page = await harness.openPage(`/bottles/${bottle.id}`, 'viewer');
    for (const path of [`/bottles/${bottle.id}`, `/alerts/${body.open_alerts[0].id}`]) {
      await page.goto(path);
      await page.getByText('Fay Fox', { exact: true }).waitFor();
      await page.getByText('Carer: Gus Fox').waitFor();
      const phones = page.getByRole('link', { name: /^\+49 30/ });
      expect(await phones.allInnerTexts()).toEqual(['+49 30 77', '+49 30 88']);
    }
  });

  it('has in the report every statement with its note, dates with their year, and no dose twice', async () => {
    const bottle = await register('hal');
    await harness.services.pass(2);
    const scheduled_at = await firstDose(bottle);
    await harness.services.close(bottle, 1, 29);
    await harness.services.pass(2);
    const attest = (body: object) =>
      admin()
        .post(`/v1/bottles/${bottle.id}/attestations`)
        .send({ scheduled_at, ...body })
        .expect(201);
    await attest({ kind: 'not_taken', attested_by: 'user', note: 'for the journey' });
    await attest({ kind: 'taken', attested_by: 'carer', note: 'saw it' });
    // the bottle was somebody else's in between
    const { services } = harness;
    await admin().patch(`/v1/bottles/${bottle.id}`).send({ user_id: 'somebody' }).expect(200);
    await services.pass(2);
    await admin().patch(`/v1/bottles/${bottle.id}`).send({ user_id: 'hal' }).expect(200);
    await services.pass(2);
    await register('hal', { medication: 'Masiform', schedule: { kind: 'as_needed', max_per_day: 4 } });
    const page = await harness.openPage('/people/hal/report');
    const report = page.getByRole('article', { name: 'Report' });
    await report.getByRole('region', { name: 'Cordrazine' }).nth(1).waitFor();
    await report
      .getByText(
        /^\d+ \w{3,4} \d{4}, \d\d:\d\d CES?T: measured taken on time, reported taken by the carer \(recorded by .*\): saw it/,
      )
      .waitFor();
    await report
      .getByText(
        /^Before, on .*: reported not taken \(removed for later\) by the patient \(recorded by .*\): for the journey$/,
      )
      .waitFor();
    await report
      .getByText(/^From \d+ \w{3,4} \d{4} to \d+ \w{3,4} \d{4}\./)
      .first()
      .waitFor();
    expect(await report.getByText('Taken on time').count()).toBe(2);
    await report.getByText('To be taken as needed: no dose is due at a certain time.').waitFor();
    // both are monitored for minutes, and nothing says that the weeks before were seen
    await report
      .getByText(/^Monitored since \d+ \w{3,4} \d{4}, .*\.$/)
      .first()
      .waitFor();
    await report
      .getByText(/^No gap was found since /)
      .first()
      .waitFor();
    await report
      .getByText(/^From \d+ \w{3,4} \d{4}, .*: 1 pill every 6 h/)
      .first()
      .waitFor();
    await report.getByText('By: Carer (1).').first().waitFor();
    // of a bottle that has not reported nothing was seen
    await services.register({ user_id: 'hal', medication: 'Tricordrazine' });
    await page.reload();
    await report.getByText('Not monitored: the bottle has not reported yet.').waitFor();
    await report.getByText(/^Data as of \d+ \w{3,4} \d{4}, /).waitFor();
  });
});
