import { Types } from 'mongoose';
import type { Page } from 'playwright-core';
import { EVIDENCE } from '../../libs/domain/src/alerts/testing.js';
import { eventually } from '../../tools/harness/eventually.js';
import type { TestBottle } from '../../tools/harness/services.js';
import { BrowserHarness } from '../../tools/browser/harness.js';
import { notice } from '../../tools/browser/pages.js';
import { insertIncident } from './insert-incident.js';
import { insertOpenAlerts } from './insert-open-alerts.js';

describe('alerts', () => {
  let harness: BrowserHarness;

  beforeAll(async () => {
    harness = await BrowserHarness.start('alerts');
  });
  afterAll(() => harness?.stop());
  beforeEach(async () => {
    for (const collection of ['alerts', 'deliveries']) await stored(collection).deleteMany({});
    harness.services.receiver.behaviour = 'works';
  });
  afterEach(() => harness.endTest());

  const stored = (collection: string) => harness.services.database.db.collection(collection);

  /** Sends at once what can still be undone, as leaving the page does. */
  const send = (page: Page) => page.evaluate("void dispatchEvent(new Event('pagehide'))");

  /** Chooses in the closing's dialog. */
  async function chooseReason(page: Page, reason: string): Promise<void> {
    await page.getByRole('combobox', { name: 'Reason' }).click();
    await page.getByRole('option', { name: reason }).click();
  }

  /** Registers bottles that are left open, and raises their alerts. */
  async function leftOpen(...users: string[]): Promise<TestBottle[]> {
    const bottles: TestBottle[] = [];
    for (const user_id of users) {
      const bottle = await harness.services.register({ user_id, medication: 'Cordrazine' });
      await harness.services.open(bottle);
      bottles.push(bottle);
      await harness.services.pass(1);
    }
    await harness.services.pass(6);
    return bottles;
  }

  const rows = (page: Page) => page.locator('li[data-row]');
  const row = (page: Page, user: string) => rows(page).filter({ hasText: user });
  const pane = (page: Page) => page.getByRole('article', { name: 'Alert details' });
  /** With its count, if that has come already. */
  const show = (page: Page, view: string) =>
    page
      .getByRole('radiogroup', { name: 'Filter by state' })
      .getByText(new RegExp(`^${view}(\\d+\\+?)?$`))
      .click();

  it('lists what needs attention, oldest first, and is used by keyboard', async () => {
    await leftOpen('anna', 'bert', 'carl');
    const page = await harness.openPage('/alerts');
    await row(page, 'carl').waitFor();
    expect((await rows(page).allInnerTexts()).map((text) => /anna|bert|carl/.exec(text)?.[0])).toEqual([
      'anna',
      'bert',
      'carl',
    ]);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await pane(page).getByText('· bert').waitFor();
    await page.keyboard.press('k');
    await page.keyboard.press('a');
    await row(page, 'anna').waitFor({ state: 'detached' });
    // the next action sends the one before
    await page.keyboard.press('a');
    await notice(page, 'Alert acknowledged.').waitFor();
    await row(page, 'bert').waitFor({ state: 'detached' });
    await send(page);
    await pane(page).getByText('Acknowledged by A support').first().waitFor();
    await show(page, 'Acknowledged');
    await row(page, 'anna').getByText('Acknowledged by A support').first().waitFor();
    await row(page, 'bert').waitFor();
    expect(await rows(page).count()).toBe(2);
  });

  it('selects by keyboard, acts on all at once, and keeps the place in the list', async () => {
    await leftOpen('anna', 'bert', 'carl', 'dora');
    const page = await harness.openPage('/alerts');
    await row(page, 'dora').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Shift+J');
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('2 selected').waitFor({ state: 'detached' });
    // the focus is on bert
    await page.keyboard.press('a');
    await row(page, 'bert').waitFor({ state: 'detached' });
    const focused = page.locator('li[data-row]:has(:focus)');
    await focused.filter({ hasText: 'carl' }).waitFor();
    await page.keyboard.press('s');
    await page.getByRole('dialog', { name: 'Snooze' }).getByRole('button', { name: 'Snooze' }).click();
    await row(page, 'carl').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+a');
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('e');
    await page.getByRole('dialog', { name: 'Close 2 alerts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('a');
    await page.getByText('No alerts need attention').waitFor();
    await send(page);
    await notice(page, '2 alerts acknowledged.').waitFor();
  });

  it('acknowledges forty alerts in four keys, can undo it, and does it also when the page is left', async () => {
    await insertOpenAlerts(
      harness.services,
      Array.from({ length: 40 }, (_, index) => `user ${index}`),
    );
    const acknowledged = () => stored('alerts').countDocuments({ state: 'acknowledged' });
    const page = await harness.openPage('/bottles');
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await eventually(async () => expect(await page.title()).toBe('(40) Bottles · Pillwatch'));
    await press('g', 'a');
    await row(page, 'user 39').waitFor();
    await press('Control+a', 'a');
    await page.getByText('No alerts need attention').waitFor();
    await press('z');
    await row(page, 'user 39').waitFor();
    expect(await acknowledged()).toBe(0);
    await press('Control+a', 'a');
    await notice(page, 'Acknowledging 40 alerts.').waitFor();
    await page.goto('about:blank');
    await eventually(async () => expect(await acknowledged()).toBe(40));
  });

  it('assigns an alert to a colleague, which is undone', async () => {
    await insertOpenAlerts(harness.services, ['anna']);
    const { name } = await harness.createStaff('support', 'Dora Miles');
    const page = await harness.openPage('/alerts');
    await row(page, 'anna').getByRole('link').click();
    await pane(page).getByRole('button', { name: 'Assign' }).click();
    await page.getByRole('menuitem', { name: `To ${name}` }).click();
    await row(page, 'anna').getByText(`· ${name}`).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await pane(page).getByText('Assigned to nobody by A support').waitFor();
  });

  it('acts on several alerts, with a note that everyone sees', async () => {
    await leftOpen('anna', 'bert', 'carl');
    const page = await harness.openPage('/alerts');
    await row(page, 'anna').getByRole('checkbox').check();
    await row(page, 'bert').getByRole('checkbox').check();
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Snooze' }).click();
    const dialog = page.getByRole('dialog', { name: 'Snooze 2 alerts' });
    await dialog.getByLabel('Why it can wait').fill('the <b>lids</b> are being replaced');
    await dialog.getByRole('button', { name: 'Snooze' }).click();
    await row(page, 'anna').waitFor({ state: 'detached' });
    await send(page);
    await notice(page, '2 alerts snoozed.').waitFor();
    expect(await rows(page).count()).toBe(1);
    await show(page, 'Snoozed');
    await row(page, 'anna').getByRole('link').click();
    await pane(page).getByText('“the <b>lids</b> are being replaced”').waitFor();
    await pane(page)
      .getByText(/^Snoozed by A support/)
      .waitFor();
  });

  it('shows the evidence, suppressed alerts, notifications and attempts', async () => {
    harness.services.receiver.behaviour = 'fails';
    await leftOpen('anna');
    await stored('alerts').updateOne(
      {},
      {
        $push: {
          suppressed: { kind: 'missed_dose', reason: 'the bottle is silent', at: new Date() },
        } as never,
      },
    );
    const page = await harness.openPage('/alerts', 'viewer');
    await row(page, 'anna').getByRole('link').click();
    await pane(page)
      // the patient's time, not that of the staff in New York
      .getByText(/^It was opened at .* (GMT|UTC|CES?T)\S* and not closed for 5 min\.$/)
      .waitFor();
    await pane(page)
      .getByRole('list', { name: 'Suppressed alerts' })
      .getByText(/: the bottle is silent\.$/)
      .waitFor();
    const notifications = pane(page).getByRole('region', { name: 'Notifications' });
    await notifications.getByText('Pending: alert (operator, webhook)').waitFor();
    await notifications
      .getByText(/HTTP 500/)
      .first()
      .waitFor();
  });

  it('sends a failed notification again', async () => {
    harness.services.receiver.behaviour = 'fails';
    await leftOpen('anna');
    await stored('deliveries').updateMany(
      {},
      { $set: { status: 'dead', reason: '10 attempts failed' }, $unset: { next_attempt_at: '' } },
    );
    const page = await harness.openPage('/alerts');
    await row(page, 'anna').getByText('not delivered').waitFor();
    await page.getByRole('link', { name: 'Notifications' }).click();
    await page.getByText('10 attempts failed').waitFor();
    harness.services.receiver.behaviour = 'works';
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('No failed notifications').waitFor();
    await harness.services.pass(1);
    expect(harness.services.receiver.received()).toContain('bottle_open raised');
    await page.getByText('Delivered', { exact: true }).click();
    await page.getByText('alert (operator, webhook)').waitFor();
  });

  it('shows the second of two people who acted first, and changes nothing', async () => {
    await leftOpen('anna');
    const [first, second] = [
      await harness.openPage('/alerts', await harness.createStaff('support', 'Carol Smith')),
      await harness.openPage('/alerts', await harness.createStaff('support', 'Dave Jones')),
    ];
    await row(second, 'anna').getByRole('link').click();
    await pane(second).getByRole('button', { name: 'Close' }).click();
    const dialog = second.getByRole('dialog', { name: 'Close alert' });
    await chooseReason(second, 'Duplicate');
    await row(first, 'anna').getByRole('link').focus();
    await first.keyboard.press('a');
    await send(first);
    await notice(first, 'Alert acknowledged.').waitFor();
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await send(second);
    await second.getByText(/^Carol Smith acknowledged it first, .*E[SD]T\.$/).waitFor();
    await pane(second).getByText('Acknowledged by Carol Smith').first().waitFor();
    expect(await stored('alerts').findOne({})).toMatchObject({
      state: 'acknowledged',
      history: [{ event: 'raised' }, { event: 'acknowledged', by: 'Carol Smith' }],
    });
  });

  it('offers a viewer no action, and the server refuses one', async () => {
    await leftOpen('anna');
    const page = await harness.openPage('/alerts', 'viewer');
    await row(page, 'anna').getByRole('link').click();
    await pane(page)
      .getByText(/It was opened at/)
      .waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
    for (const name of ['Acknowledge', 'Snooze', 'Close'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    await page.keyboard.press('a');
    const { _id } = (await stored('alerts').findOne({}))!;
    const status = await page.evaluate(async (path) => {
      const { csrf_token } = (await (await fetch('/v1/session')).json()) as { csrf_token: string };
      return (await fetch(path, { method: 'POST', headers: { 'x-csrf-token': csrf_token } })).status;
    }, `/v1/alerts/${_id.toHexString()}/acknowledge`);
    expect(status).toBe(403);
    expect(await stored('alerts').findOne({})).toMatchObject({ state: 'open' });
  });

  it.each([
    ['Notify 1 person', 'Messages leave in a minute.', 'Confirmed by A support'],
    ['Our fault, notify nobody', 'Nobody is notified.', 'Dismissed by A support'],
  ])('lets staff decide on a fleet incident, and undo it: %s', async (decision, toast, history) => {
    await insertIncident(harness.services);
    const page = await harness.openPage('/');
    const incident = page.getByRole('region', { name: 'Fleet incident' });
    await incident.getByText('1 bottle became silent at the same time, 1 of them is silent still.').waitFor();
    await incident.getByRole('link', { name: 'View details' }).click();
    // its silent alerts are grouped under it
    await row(page, 'Whole fleet').getByText('1 silent alert grouped').waitFor();
    expect(await rows(page).count()).toBe(1);
    const affected = pane(page).getByRole('region', { name: 'Affected' });
    await affected.getByText('1 message to 1 person').waitFor();
    await affected.getByText('Cordrazine (1)').waitFor();
    // acknowledging takes it over and decides nothing
    await row(page, 'Whole fleet').getByRole('link').focus();
    await page.keyboard.press('a');
    await send(page);
    await notice(page, 'Alert acknowledged.').waitFor();
    expect(await stored('alerts').findOne({ kind: 'fleet_incident' })).not.toHaveProperty('decision');
    await pane(page).getByRole('button', { name: decision }).click();
    const dialog = page.getByRole('dialog', { name: decision });
    await dialog.getByRole('region', { name: 'Preview' }).getByText('To operator, webhook').waitFor();
    await dialog.getByRole('button', { name: decision }).click();
    await notice(page, toast).waitFor();
    await pane(page).getByText(history).first().waitFor();
    // it goes on: the page of the fleet says what was decided, and undoes it
    await page.goto('/');
    await incident.getByText(history).waitFor();
    await incident.getByRole('button', { name: 'Undo' }).click();
    await notice(page, 'Decision withdrawn: messages that were not sent are held again.').waitFor();
    await incident.getByRole('button', { name: decision }).waitFor();
  });

  it('closes an alert with a reason, after showing what people will read', async () => {
    await leftOpen('nora');
    const page = await harness.openPage('/alerts');
    await row(page, 'nora').getByRole('link').click();
    await pane(page).getByRole('button', { name: 'Close' }).click();
    const dialog = page.getByRole('dialog', { name: 'Close alert' });
    const submit = dialog.getByRole('button', { name: 'Close', exact: true }).last();
    expect(await submit.isDisabled()).toBe(true);
    await chooseReason(page, 'Other');
    expect(await submit.isDisabled()).toBe(true);
    await dialog.getByLabel('Reason, as people read it').fill('the lid is broken');
    const preview = dialog.getByRole('region', { name: 'Preview' });
    await preview.getByText('To operator, webhook').waitFor();
    await preview.getByText('"note": "the lid is broken"').waitFor();
    await submit.click();
    await send(page);
    await notice(page, 'Alert closed.').waitFor();
    await pane(page).getByText('Closed by A support: the lid is broken').first().waitFor();
    await row(page, 'nora').waitFor({ state: 'detached' });
    await harness.services.pass(1);
    expect(harness.services.receiver.received()).toContain('bottle_open closed_by_staff');
    await show(page, 'Closed');
    await row(page, 'nora').getByText('Closed by A support: the lid is broken').waitFor();
  });

  it('asks for a preview only when what people read has changed', async () => {
    await leftOpen('paul');
    const page = await harness.openPage('/alerts');
    const bodies: unknown[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/close/preview')) bodies.push(request.postDataJSON());
    });
    await row(page, 'paul').getByRole('link').click();
    await pane(page).getByRole('button', { name: 'Close' }).click();
    await chooseReason(page, 'Duplicate');
    const dialog = page.getByRole('dialog', { name: 'Close alert' });
    await dialog.getByRole('region', { name: 'Preview' }).waitFor();
    await dialog.getByLabel('Note', { exact: true }).pressSequentially('seen by Carol, see her note');
    await chooseReason(page, 'Other');
    const reason = dialog.getByLabel('Reason, as people read it');
    await reason.fill('');
    await reason.pressSequentially('the lid is broken');
    await dialog.getByText('"note": "the lid is broken"').waitFor();
    expect(bodies[0]).not.toHaveProperty('note');
    expect(bodies.at(-1)).toMatchObject({ note: 'the lid is broken' });
    expect(bodies.length).toBeLessThan(8);
  });

  it('says of which alerts the messages are, if there are more than one request can close', async () => {
    await insertOpenAlerts(
      harness.services,
      Array.from({ length: 230 }, (_, number) => `many-${number}`),
    );
    const page = await harness.openPage('/alerts');
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText('230 results', { exact: true }).waitFor();
    await page.getByLabel('Select all 230').check();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await chooseReason(page, 'Duplicate');
    await page.getByText('0 messages (of the first 200 alerts):').waitFor();
  });

  it('counts in the tabs what is unassigned and what is snoozed, and asks before a note is lost', async () => {
    await insertOpenAlerts(harness.services, ['rosa', 'sven', 'tara']);
    const { services } = harness;
    const soon = new Date(services.clock.now().getTime() + 60 * 60_000);
    const page = await harness.openPage('/alerts');
    const tab = (name: RegExp) =>
      page.getByRole('radiogroup', { name: 'Filter by state' }).getByText(name).first();
    await tab(/^Unassigned\s*3$/).waitFor();
    await stored('alerts').updateOne({ user_id: 'rosa' }, { $set: { snoozed_until: soon } });
    await tab(/^Unassigned\s*2$/).waitFor();
    await tab(/^Snoozed\s*1$/).waitFor();

    await row(page, 'sven').getByRole('link').click();
    const note = pane(page).getByRole('textbox', { name: 'Note' });
    await note.fill('called, no answer');
    await row(page, 'tara').getByRole('link').click();
    const leave = page.getByRole('dialog', { name: 'Leave this page?' });
    await leave.getByRole('button', { name: 'Stay' }).click();
    expect(await note.inputValue()).toBe('called, no answer');
  });

  it('shows how an alert ended, and never a missed dose in green', async () => {
    const [bottle] = await leftOpen('otto');
    await stored('alerts').updateOne(
      { bottle_id: new Types.ObjectId(bottle!.id), kind: 'bottle_open' },
      {
        $set: {
          kind: 'missed_dose',
          state: 'resolved',
          ended_at: harness.services.clock.now(),
          evidence: { ...EVIDENCE.missed_dose, outcome: 'missed' },
        },
        $unset: { open: '' },
      },
    );
    const page = await harness.openPage('/alerts?view=all');
    await row(page, 'otto').getByText('Missed').waitFor();
    const colours = await page.evaluate<string[]>(`(() => {
      const rows = [...document.querySelectorAll('li[data-row]')];
      const shape = rows.find((row) => row.textContent.includes('otto')).querySelector('[class*=state] svg');
      return [getComputedStyle(shape).color, ...['--late-mark', '--ok-mark'].map((name) => {
        shape.style.color = 'var(' + name + ')';
        return getComputedStyle(shape).color;
      })];
    })()`);
    expect(colours[0]).toBe(colours[1]);
    expect(colours[0]).not.toBe(colours[2]);
  });
});
