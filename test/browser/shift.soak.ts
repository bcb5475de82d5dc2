import { once } from 'node:events';
import type { Locator, Page } from 'playwright-core';
import { BrowserHarness, minutesAgo } from '../../tools/browser/harness.js';
import { notice } from '../../tools/browser/pages.js';
import { eventually } from '../../tools/harness/eventually.js';
import { asAdmin } from '../../tools/harness/services.js';

/**
 * An hour of two staff with 2,000 bottles. After each step every page and route that shows a number shows the one of the
 * story: what is expected is never read from the services.
 */
const BOTTLES = 2_000;
const SILENT = 600;
const LEFT_OPEN = 30;
/** As the console sends a file. */
const IMPORT_AT_ONCE = 500;
/** Reports that are in progress at the same time. */
const REPORTS_AT_ONCE = 100;
/** Asking six pages costs as much as what they do. */
const ASK_EACH_MS = 250;

/** What the pages have to show. */
interface Story {
  bottles: number;
  silent: number;
  leftOpen: number;
  attention: number;
  unassigned: number;
  snoozed: number;
  /** Of Dave. */
  mine: number;
  /** Alerts of lids left open that have not ended, acknowledged ones, too. */
  openAlerts: number;
  /** Of these, what the list behind the number shows. */
  openAttention: number;
  incident?: { bottles: number; silent: number } | undefined;
}

let harness: BrowserHarness;
/** Carol's pages that stay open, Dave's, and the one in which each of them works. */
let fleet: Page, list: Page, alerts: Page, detail: Page, carol: Page, dave: Page;
/** An incident that is decided needs nobody: its row is gone, its banner stays. */
let isDecided = false;
let bottles: { bottle_id: string; token: string }[];
const story: Story = {
  bottles: BOTTLES,
  silent: 0,
  leftOpen: 0,
  attention: 0,
  unassigned: 0,
  snoozed: 0,
  mine: 0,
  openAlerts: 0,
  openAttention: 0,
};

beforeAll(async () => {
  harness = await BrowserHarness.start('shift', {}, minutesAgo(75));
  const { support } = harness.services;
  const users = Array.from({ length: BOTTLES }, (_, n) => `user-${String(n).padStart(4, '0')}`);
  bottles = [];
  for (let from = 0; from < BOTTLES; from += IMPORT_AT_ONCE) {
    const { body } = await asAdmin(support)
      .post('/v1/bottles/import')
      .set('content-type', 'text/csv')
      .send(csvOf(users.slice(from, from + IMPORT_AT_ONCE)))
      .expect(201);
    bottles.push(...(body as { created: typeof bottles }).created);
  }
  await report(0, BOTTLES);
  fleet = await harness.openPage('/', await harness.createStaff('support', 'Carol Smith'));
  alerts = await harness.openPage('/alerts', await harness.createStaff('support', 'Dave Jones'));
  list = await fleet.context().newPage();
  await list.goto('/bottles?status=silent');
  carol = await fleet.context().newPage();
  detail = await alerts.context().newPage();
  dave = await alerts.context().newPage();
});
afterAll(() => harness?.stop());

const csvOf = (users: readonly string[]): string =>
  ['user_id,medication,time_zone', ...users.map((user) => `${user},Metformin 500 mg,Europe/Berlin`)].join(
    '\n',
  );

/** Heartbeats, or actions, of the bottles with these numbers. */
async function report(from: number, to: number, action?: object): Promise<void> {
  const { device, clock } = harness.services;
  const weighed = { time: clock.now().toISOString(), mass_of_contents: 44, number_of_pills: 25 };
  for (let first = from; first < to; first += REPORTS_AT_ONCE) {
    const some = bottles.slice(first, Math.min(to, first + REPORTS_AT_ONCE));
    const answers = await Promise.all(
      some.map(({ token }) =>
        device.inject({
          method: 'POST',
          url: action ? '/v1/actions' : '/v1/heartbeats',
          headers: { authorization: `Bearer ${token}` },
          payload: action ? { ...weighed, ...action } : {},
        }),
      ),
    );
    expect(answers.filter(({ statusCode }) => statusCode !== (action ? 201 : 204))).toEqual([]);
  }
}

/** The number in a text; 0 if there is none. */
const numberIn = (text: string): number => Number(/\d[\d,]*/.exec(text)?.[0].replaceAll(',', '') ?? 0);
const numbersIn = (text: string): number[] => (text.match(/\d[\d,]*/g) ?? []).map(numberIn);
const region = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
const textOf = async (part: Locator): Promise<string> =>
  (await part.count()) === 0 ? '' : part.first().innerText();

/** What every page shows: at the link to the alerts, and in the title of the browser's tab. */
async function attentionOn(page: Page): Promise<{ badge: number; title: number }> {
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Alerts/ });
  return {
    badge: numberIn(await link.innerText()),
    title: numberIn((await page.title()).replace(/^[^(].*/, '')),
  };
}

async function onFleetPage() {
  const all = region(fleet, 'Bottles');
  const [incident] = await region(fleet, 'Fleet incident').locator('strong').first().allInnerTexts();
  const open = numbersIn(
    await textOf(region(fleet, 'Open alerts').getByRole('link', { name: /^Left open/ })),
  );
  return {
    ...(await attentionOn(fleet)),
    bottles: numberIn(await textOf(all.getByText(/^[\d,]+ bottles$/))),
    silent: numberIn(await textOf(all.getByRole('link', { name: /^Silent/ }))),
    leftOpen: numberIn(await textOf(all.getByRole('link', { name: /^Open/ }))),
    openAlerts: open.at(-1) ?? 0,
    openAttention: open[0] ?? 0,
    incident: incident && numbersIn(incident),
  };
}

async function onListOfBottles() {
  const choices = await list
    .getByRole('group', { name: 'Status', exact: true })
    .getByRole('button')
    .allInnerTexts();
  const choice = (name: string): number => numberIn(choices.find((text) => text.includes(name)) ?? '');
  return {
    ...(await attentionOn(list)),
    bottles: choice('All'),
    silent: choice('Silent'),
    leftOpen: choice('Open'),
    rows: await list.locator('tbody tr').count(),
  };
}

async function onAlertsPage() {
  const tabs = await alerts
    .getByRole('radiogroup', { name: 'Filter by state' })
    .locator('label')
    .allInnerTexts();
  const tab = (name: string): number => numberIn(tabs.find((text) => text.startsWith(name)) ?? '');
  const rows = alerts.locator('li[data-row]');
  return {
    ...(await attentionOn(alerts)),
    attention: tab('Needs attention'),
    unassigned: tab('Unassigned'),
    snoozed: tab('Snoozed'),
    mine: tab('Mine'),
    rows: await rows.count(),
    grouped: numberIn(
      await textOf(rows.getByText(/silent alerts? grouped/)).then((text) => text.split('·').at(-1)!),
    ),
  };
}

/** The details of the incident, while there is one. */
async function inDetail(): Promise<number[]> {
  const affected = region(detail, 'Affected').locator('dd').filter({ hasText: 'still silent' });
  return numbersIn(await textOf(affected));
}

/** How many lines the CSV of a list has, which is the whole list. */
async function inCsv(path: string): Promise<number> {
  const { text } = await asAdmin(harness.services.support).get(path).expect(200);
  return text.trim().split('\n').length - 1;
}

/** Every number is the one of the story, on the pages that are open all the time and in the lists. */
async function agree(): Promise<void> {
  const { bottles: all, silent, leftOpen, attention, incident } = story;
  const { unassigned, snoozed, mine, openAlerts, openAttention } = story;
  const counted = incident && [incident.bottles, incident.silent];
  const shown = { badge: attention, title: attention };
  await eventually(
    async () => {
      expect(await onFleetPage()).toEqual({
        ...shown,
        bottles: all,
        silent,
        leftOpen,
        openAlerts,
        openAttention,
        incident: counted,
      });
      expect(await onListOfBottles()).toEqual({
        ...shown,
        bottles: all,
        silent,
        leftOpen,
        rows: Math.min(50, silent),
      });
      expect(await onAlertsPage()).toEqual({
        ...shown,
        attention,
        unassigned,
        snoozed,
        mine,
        rows: attention,
        grouped: incident && !isDecided ? incident.silent : 0,
      });
      if (counted) expect(await inDetail()).toEqual(counted);
    },
    undefined,
    ASK_EACH_MS,
  );
  expect(await inCsv('/v1/alerts?order=needs_person&format=csv')).toBe(attention);
  expect(await inCsv('/v1/bottles?status=silent&format=csv')).toBe(silent);
}

/** Sends at once what can still be undone, as leaving the page does. */
const send = (page: Page) => page.evaluate("void dispatchEvent(new Event('pagehide'))");
const row = (user: string): Locator => alerts.locator('li[data-row]').filter({ hasText: user });

it('begins with nothing to do', agree);

it('alerts: 30 bottles are left open', async () => {
  await report(0, LEFT_OPEN, { action: 'opened' });
  await harness.services.pass(7);
  Object.assign(story, { leftOpen: 30, attention: 30, unassigned: 30, openAlerts: 30, openAttention: 30 });
  await agree();
});

it('one acknowledges three, snoozes two and takes one', async () => {
  for (const user of ['user-0000', 'user-0001', 'user-0002']) await row(user).getByRole('checkbox').check();
  await alerts.getByRole('button', { name: 'Acknowledge' }).click();
  await alerts.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click();
  await send(alerts);
  await notice(alerts, '3 alerts acknowledged.').waitFor();
  Object.assign(story, { attention: 27, unassigned: 27, openAttention: 27 });
  await agree();

  for (const user of ['user-0003', 'user-0004']) await row(user).getByRole('checkbox').check();
  await alerts.getByRole('button', { name: 'Snooze' }).click();
  const dialog = alerts.getByRole('dialog', { name: 'Snooze 2 alerts' });
  await dialog.getByLabel('Why it can wait').fill('called, no answer');
  await dialog.getByRole('button', { name: 'Snooze' }).click();
  await send(alerts);
  await notice(alerts, '2 alerts snoozed.').waitFor();
  Object.assign(story, { attention: 25, unassigned: 25, snoozed: 2, openAttention: 25 });
  await agree();

  await row('user-0005').getByRole('link').click();
  const pane = alerts.getByRole('article', { name: 'Alert details' });
  await pane.getByRole('button', { name: 'Assign' }).click();
  await alerts.getByRole('menuitem', { name: /^To me/ }).click();
  Object.assign(story, { unassigned: 24, mine: 1 });
  await agree();
});

it('a call: the other finds the person, whose page shows the same alerts, and closes one', async () => {
  await carol.goto('/bottles');
  await carol.getByLabel('Find a person, bottle, alert or action').fill('user-0006');
  await carol
    .getByRole('group', { name: 'People' })
    .getByRole('option', { name: /user-0006/ })
    .click();
  const open = region(carol, 'Alerts');
  await open.getByText('1 open', { exact: true }).waitFor();
  await open.getByRole('link', { name: 'Left open' }).click();
  const pane = carol.getByRole('article', { name: 'Alert details' });
  await pane.getByRole('button', { name: 'Close' }).click();
  await carol.getByRole('combobox', { name: 'Reason' }).click();
  await carol.getByRole('option', { name: 'Duplicate' }).click();
  await carol
    .getByRole('dialog', { name: 'Close alert' })
    .getByRole('button', { name: 'Close', exact: true })
    .last()
    .click();
  await send(carol);
  Object.assign(story, { attention: 24, unassigned: 23, openAlerts: 29, openAttention: 24 });
  await agree();
});

it('an edit conflict: the second chooses, and both pages show one contact', async () => {
  const edit = async (page: Page): Promise<void> => {
    await page.goto(`/bottles/${bottles[6]!.bottle_id}/contacts`);
    await page.getByRole('button', { name: 'Edit' }).click();
  };
  await asAdmin(harness.services.support)
    .put('/v1/contacts/user-0006')
    .send({ name: 'Anna', phone: '+49 30 1' })
    .expect(201);
  await Promise.all([edit(carol), edit(dave)]);
  await carol.getByLabel('Phone, for staff').first().fill('+49 30 2');
  await dave.getByLabel('Phone, for staff').first().fill('+49 30 3');
  await carol.getByRole('button', { name: 'Save contact' }).click();
  await carol.getByText('Contact saved.').waitFor();
  await dave.getByRole('button', { name: 'Save contact' }).click();
  const conflict = dave.getByRole('region', { name: 'Changed meanwhile' });
  await conflict.getByRole('radio', { name: 'Yours: +49 30 3' }).check();
  await conflict.getByRole('button', { name: 'Save both changes' }).click();
  await dave.getByText('Contact saved.').waitFor();
  for (const page of [carol, dave]) await page.getByText('+49 30 3').first().waitFor();
  await agree();
});

it('an incident: 600 of 2,000 become silent together', async () => {
  // the others report in between, so that an hour after the first report only 600 have not
  await harness.services.pass(15);
  await report(0, BOTTLES - SILENT);
  await harness.services.pass(40);
  await region(fleet, 'Fleet incident').waitFor();
  await detail.goto(
    await region(fleet, 'Fleet incident')
      .getByRole('link', { name: 'View details' })
      .evaluate((link: { href: string }) => link.href),
  );
  Object.assign(story, {
    silent: SILENT,
    attention: story.attention + 1,
    unassigned: story.unassigned + 1,
    incident: { bottles: SILENT, silent: SILENT },
  });
  await agree();
});

it('the incident is dismissed', async () => {
  await region(fleet, 'Fleet incident').getByRole('button', { name: 'Our fault, notify nobody…' }).click();
  await fleet.getByRole('dialog').getByRole('button', { name: 'Our fault, notify nobody' }).click();
  await notice(fleet, 'Nobody is notified.').waitFor();
  isDecided = true;
  Object.assign(story, { attention: story.attention - 1, unassigned: story.unassigned - 1 });
  await agree();
});

it('an import: 120 bottles more', async () => {
  await dave.goto('/register');
  await dave.getByText('Import from CSV').click();
  const users = Array.from({ length: 120 }, (_, n) => `new-${n}`);
  await dave
    .getByLabel('CSV file', { exact: true })
    .setInputFiles({ name: 'bottles.csv', mimeType: 'text/csv', buffer: Buffer.from(csvOf(users)) });
  await dave.getByRole('button', { name: 'Import bottles' }).click();
  await dave.getByText('120 bottles registered').waitFor();
  story.bottles += 120;
  await agree();
  expect(await inCsv('/v1/bottles?format=csv')).toBe(story.bottles);
});

it('a lost server: what happened meanwhile is there when it is back', async () => {
  const server = harness.services.support.getHttpServer();
  const port = Number(new URL(harness.address).port);
  server.closeAllConnections();
  server.close();
  for (const page of [fleet, list, alerts, detail])
    await page.getByText('This page may be out of date.').waitFor();
  await report(BOTTLES - SILENT, BOTTLES - SILENT / 2);
  await harness.services.pass(1);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  story.silent = SILENT / 2;
  story.incident = { bottles: SILENT, silent: SILENT / 2 };
  await agree();
});

it('all are back: the incident ends, and the lids are closed', async () => {
  await report(BOTTLES - SILENT / 2, BOTTLES);
  await report(0, LEFT_OPEN, { action: 'closed', pills_taken: 0 });
  await harness.services.pass(2);
  const none = { attention: 0, unassigned: 0, snoozed: 0, mine: 0, openAlerts: 0, openAttention: 0 };
  Object.assign(story, { silent: 0, leftOpen: 0, ...none, incident: undefined });
  await agree();
  harness.expectNoPageErrors();
});
