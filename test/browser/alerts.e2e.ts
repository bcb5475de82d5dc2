import { Types } from 'mongoose';
import type { Page } from 'playwright-core';
import type { TestBottle } from '../../tools/harness/services.js';
import { BrowserHarness } from '../../tools/browser/harness.js';

let harness: BrowserHarness;

beforeAll(async () => {
  harness = await BrowserHarness.start('alerts');
});
afterAll(() => harness?.stop());
beforeEach(async () => {
  for (const collection of ['alerts', 'deliveries']) await stored(collection).deleteMany({});
  harness.services.receiver.behaviour = 'works';
});
afterEach(() => harness.expectNoPageErrors());

const stored = (collection: string) => harness.services.database.db.collection(collection);

/** Bottles that have been left open, and their alerts. */
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
const pane = (page: Page) => page.getByRole('article', { name: 'The alert' });
const show = (page: Page, view: string) =>
  page.getByRole('radiogroup', { name: 'Which alerts' }).getByText(view, { exact: true }).click();

it('goes through what needs a person by keyboard, who has waited longest first', async () => {
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
  await pane(page).getByText('of bert').waitFor();
  await page.keyboard.press('k');
  await page.keyboard.press('a');
  await page.getByText('Alert acknowledged.').waitFor();
  await row(page, 'anna').waitFor({ state: 'detached' });
  await page.keyboard.press('a');
  await row(page, 'bert').waitFor({ state: 'detached' });
  await pane(page).getByText('A support has it').waitFor();
  await show(page, 'In hand');
  await row(page, 'anna').getByText('A support has it').waitFor();
  expect(await rows(page).count()).toBe(2);
});

it('does the same to many, with a note that everyone sees', async () => {
  await leftOpen('anna', 'bert', 'carl');
  const page = await harness.openPage('/alerts');
  await row(page, 'anna').getByRole('checkbox').check();
  await row(page, 'bert').getByRole('checkbox').check();
  await page.getByText('2 selected').waitFor();
  await page.getByRole('button', { name: 'Snooze' }).click();
  const dialog = page.getByRole('dialog', { name: 'Snooze 2 alerts' });
  await dialog.getByLabel('Why it can wait').fill('the <b>lids</b> are being replaced');
  await dialog.getByRole('button', { name: 'Snooze' }).click();
  await page.getByText('2 alerts snoozed.').waitFor();
  await row(page, 'anna').waitFor({ state: 'detached' });
  expect(await rows(page).count()).toBe(1);
  await show(page, 'Snoozed');
  await row(page, 'anna').getByRole('link').click();
  await pane(page).getByText('“the <b>lids</b> are being replaced”').waitFor();
  await pane(page)
    .getByText(/^Snoozed by A support/)
    .waitFor();
});

it('says why it was raised, what was held back, who was told, and every attempt', async () => {
  harness.services.receiver.behaviour = 'fails';
  await leftOpen('anna');
  await stored('alerts').updateOne(
    {},
    {
      $push: { suppressed: { kind: 'missed_dose', reason: 'the bottle is silent', at: new Date() } } as never,
    },
  );
  const page = await harness.openPage('/alerts', 'viewer');
  await row(page, 'anna').getByRole('link').click();
  await pane(page)
    .getByText(/^It was opened at .* E[SD]T and not closed for 5 min\.$/)
    .waitFor();
  await pane(page)
    .getByRole('list', { name: 'What was held back' })
    .getByText(/because the bottle is silent/)
    .waitFor();
  const told = pane(page).getByRole('region', { name: 'Who was told' });
  await told.getByText('On its way: the alert, to operator by webhook').waitFor();
  await told
    .getByText(/HTTP 500/)
    .first()
    .waitFor();
});

it('sends a dead message again', async () => {
  harness.services.receiver.behaviour = 'fails';
  await leftOpen('anna');
  await stored('deliveries').updateMany(
    {},
    { $set: { status: 'dead', reason: '10 attempts failed' }, $unset: { next_attempt_at: '' } },
  );
  const page = await harness.openPage('/alerts');
  await row(page, 'anna').getByText('not delivered').waitFor();
  await page.getByRole('link', { name: 'Messages' }).click();
  await page.getByText('10 attempts failed').waitFor();
  harness.services.receiver.behaviour = 'works';
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('Every message has been delivered').waitFor();
  await harness.services.pass(1);
  expect(harness.services.receiver.heard()).toContain('bottle_open raised');
  await page.getByText('Delivered', { exact: true }).click();
  await page.getByText('the alert, to operator by webhook').waitFor();
});

it('tells the second of two people who was first and when, and undoes nothing', async () => {
  await leftOpen('anna');
  const [first, second] = [
    await harness.openPage('/alerts', await harness.createStaff('support', 'Carol Smith')),
    await harness.openPage('/alerts', await harness.createStaff('support', 'Dave Jones')),
  ];
  await row(second, 'anna').getByRole('link').click();
  await pane(second).getByRole('button', { name: 'Resolve' }).click();
  const dialog = second.getByRole('dialog', { name: 'Resolve' });
  await dialog.getByLabel('What was found').fill('nothing');
  await row(first, 'anna').getByRole('link').focus();
  await first.keyboard.press('a');
  await first.getByText('Alert acknowledged.').waitFor();
  await dialog.getByRole('button', { name: 'Resolve' }).click();
  await second.getByText(/^Carol Smith was first: acknowledged already, .*E[SD]T\.$/).waitFor();
  await pane(second).getByText('Carol Smith has it').waitFor();
  expect(await stored('alerts').findOne({})).toMatchObject({
    state: 'acknowledged',
    history: [{ event: 'raised' }, { event: 'acknowledged', by: 'Carol Smith' }],
  });
});

it('offers a viewer nothing to do, and does nothing for one who asks all the same', async () => {
  await leftOpen('anna');
  const page = await harness.openPage('/alerts', 'viewer');
  await row(page, 'anna').getByRole('link').click();
  await pane(page)
    .getByText(/It was opened at/)
    .waitFor();
  expect(await page.getByRole('checkbox').count()).toBe(0);
  for (const name of ['Acknowledge', 'Snooze', 'Resolve'])
    expect(await page.getByRole('button', { name }).count()).toBe(0);
  await page.keyboard.press('a');
  const { _id } = (await stored('alerts').findOne({}))!;
  const asked = await page.evaluate(async (path) => {
    const { csrf_token } = (await (await fetch('/v1/session')).json()) as { csrf_token: string };
    return (await fetch(path, { method: 'POST', headers: { 'x-csrf-token': csrf_token } })).status;
  }, `/v1/alerts/${_id.toHexString()}/acknowledge`);
  expect(asked).toBe(403);
  expect(await stored('alerts').findOne({})).toMatchObject({ state: 'open' });
});

it.each([
  ['Confirm', 'Confirmed: users are told now.', 'Confirmed by A support'],
  ['Dismiss', 'Dismissed: no user is told of it.', 'Dismissed by A support'],
])('has a fleet incident decided by a person: %s', async (decision, said, history) => {
  const at = harness.services.clock.now();
  await stored('alerts').insertOne({
    bottle_id: new Types.ObjectId('0'.repeat(24)),
    user_id: 'fleet',
    medication: '',
    kind: 'fleet_incident',
    subject: '',
    state: 'open',
    open: true,
    deadline: at,
    raised_at: at,
    evidence: { rule: 'fleet_incident_percent', percent: 20, silent_bottles: 40, heard_bottles: 100 },
    history: [{ event: 'raised', at, by: 'notifier' }],
    escalation: [],
  });
  const page = await harness.openPage('/');
  const incident = page.getByRole('region', { name: 'Fleet incident' });
  await incident.getByText('40 of 100 bottles have fallen silent at once.').waitFor();
  await incident.getByRole('link', { name: 'Why it was raised' }).click();
  await pane(page).getByRole('button', { name: decision }).click();
  await page.getByText(said).waitFor();
  await pane(page).getByText(history).waitFor();
  expect(await pane(page).getByRole('button', { name: decision }).count()).toBe(0);
});
