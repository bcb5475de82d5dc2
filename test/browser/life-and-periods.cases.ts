import { asAdmin, type TestBottle } from '../../tools/harness/services.js';
import { BrowserHarness, minutesAgo } from '../../tools/browser/harness.js';
import { calendarAt, notice } from '../../tools/browser/pages.js';

describe('periods, a bottle’s life, and what a course has left', () => {
  let harness: BrowserHarness;
  let bottle: TestBottle;

  beforeAll(async () => {
    harness = await BrowserHarness.start('life-and-periods', {}, minutesAgo(180));
    const begins = harness.services.clock.now().getTime();
    bottle = await harness.services.register({
      user_id: 'ida',
      medication: 'Cordrazine',
      time_zone: 'UTC',
      number_of_pills: 30,
      schedule: {
        kind: 'interval',
        every: '1h',
        anchor: new Date(begins + 60_000).toISOString(),
        early_window: '5m',
        late_after: '10m',
        missed_after: '20m',
        doses: 9,
      },
    });
    await bottle.post('/v1/heartbeats').expect(204);
    await harness.services.close(bottle, 1, 29);
    await harness.services.pass(100);
  });
  afterAll(() => harness?.stop());
  afterEach(() => harness.endTest());

  const stored = async () =>
    (await asAdmin(harness.services.support).get(`/v1/bottles/${bottle.id}`).expect(200)).body;

  it('keeps the number of doses that are left when the current step is edited', async () => {
    const { doses_left } = await stored();
    expect(doses_left).toBe(7);
    const page = await harness.openPage(`/bottles/${bottle.id}/schedule`);
    await page.getByRole('button', { name: 'Edit', exact: true }).first().click();
    expect(await page.getByLabel('Number of doses').inputValue()).toBe('7');
  });

  it('records that pills were no dose, and shows that it is recorded', async () => {
    const page = await harness.openPage(`/bottles/${bottle.id}`);
    const button = page.getByRole('button', { name: /^The pills of .* were no dose$/ });
    await button.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Note').fill('opened at the pharmacy');
    await dialog.getByRole('button', { name: 'Record', exact: true }).click();
    await notice(page, 'Recorded.').waitFor();
    await button.click();
    await dialog.getByText(/no dose \(1 pill\) by the patient.*opened at the pharmacy/).waitFor();
  });

  it('shows a period of a person, entered afterwards, in the calendar', async () => {
    const page = await harness.openPage('/people/ida');
    const form = page.getByRole('form', { name: 'New period' });
    const from = new Date(harness.services.clock.now().getTime() - 90 * 60_000);
    await form.getByLabel('From').fill(from.toISOString().slice(0, 16));
    await form.getByRole('button', { name: 'Add period' }).click();
    await notice(page, 'Period added. Its doses are not monitored.').waitFor();
    await page.getByRole('region', { name: 'Periods without monitoring' }).getByText('Now:').waitFor();
    await harness.services.pass(2);
    // it was entered with a wrong reason, and is over
    const to = harness.services.clock.now();
    const panel = page.getByRole('region', { name: 'Periods without monitoring' });
    await panel.getByRole('button', { name: 'Edit', exact: true }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('From').inputValue()).toBe(from.toISOString().slice(0, 16));
    await dialog.getByLabel('Until').fill(to.toISOString().slice(0, 16));
    await dialog.getByLabel('Note').fill('her son called');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await notice(page, 'Period changed. Its doses are judged again.').waitFor();
    await panel.getByText('her son called').waitFor();
    const { body } = await asAdmin(harness.services.support).get('/v1/people/ida/periods').expect(200);
    expect(body.items).toMatchObject([
      { reason: 'hospital', to: `${to.toISOString().slice(0, 16)}:00.000Z`, note: 'her son called' },
    ]);
    const doses = asAdmin(harness.services.support).get(`/v1/bottles/${bottle.id}/doses`);
    const { items } = (await doses.expect(200)).body;
    const due = items.find(({ outcome }: { outcome: string }) => outcome === 'not_monitored').scheduled_at;
    const calendar = await calendarAt(page, new Date(due), 'UTC');
    await calendar
      .getByRole('button', { name: /not monitored/ })
      .first()
      .waitFor();
  });

  it('stores a bottle and assigns it to another person', async () => {
    const page = await harness.openPage(`/bottles/${bottle.id}/manage`);
    const confirm = async (action: string): Promise<void> => {
      await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();
    };
    await page.getByRole('button', { name: 'Store', exact: true }).click();
    await confirm('Store');
    await notice(page, 'Bottle stored.').waitFor();
    expect(await stored()).toMatchObject({ life: { state: 'stored' }, schedule: null });
    await page.getByRole('button', { name: 'Assign', exact: true }).click();
    await page.getByRole('dialog').getByLabel('User ID').fill('joe');
    await confirm('Assign');
    await notice(page, 'Bottle assigned.').waitFor();
    expect(await stored()).toMatchObject({ user_id: 'joe', life: { state: 'in_use' }, schedule: null });
  });

  it('assigns a bottle with a plan of several steps', async () => {
    await asAdmin(harness.services.support).post(`/v1/bottles/${bottle.id}/store`).send({}).expect(200);
    const page = await harness.openPage(`/bottles/${bottle.id}/manage`);
    await page.getByRole('button', { name: 'Assign', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('User ID').fill('kim');
    await dialog.getByRole('switch', { name: 'Add a schedule' }).check({ force: true });
    await dialog.getByText('After doses', { exact: true }).click();
    await dialog.getByLabel('Number of doses').fill('3');
    await dialog.getByRole('button', { name: 'Add a step after it' }).click();
    const second = dialog.getByRole('region', { name: 'Step 2' });
    await second.getByText('No end', { exact: true }).click();
    await dialog.getByRole('region', { name: 'Next doses' }).getByRole('listitem').first().waitFor();
    await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
    await notice(page, 'Bottle assigned.').waitFor();
    expect(await stored()).toMatchObject({
      user_id: 'kim',
      schedule: { schedule: { kind: 'times_of_day', doses: 3 } },
      coming_schedules: [{ schedule: { kind: 'times_of_day', times: ['08:00'] } }],
    });
  });
});
