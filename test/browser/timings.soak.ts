import type { Page } from 'playwright-core';
import { BrowserHarness, minutesAgo } from '../../tools/browser/harness.js';
import { notice } from '../../tools/browser/pages.js';
import { asAdmin } from '../../tools/harness/services.js';
import { violations } from './axe.js';
import { CountedUser } from './counted-user.js';
import { insertIncident } from './insert-incident.js';
import { insertOpenAlerts } from './insert-open-alerts.js';

/** What staff do all day, counted in clicks and keys, and timed. */
const WIDTHS = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];
/** In the dark nothing takes longer; accessibility.soak.ts reads every page in both. */
const SCREENS = WIDTHS.map((viewport) => ({ viewport, colorScheme: 'light' as const }));

interface Limits {
  clicks?: number;
  keys?: number;
  /** Of the person, by the model. */
  seconds: number;
}

let harness: BrowserHarness;
/** The last two are those of the screen at hand: one for each way. */
const callers: string[] = [];
let registered = 0;
const table: Record<string, string | number>[] = [];

beforeAll(async () => {
  harness = await BrowserHarness.start('timings', {}, minutesAgo(50));
});
afterAll(async () => {
  console.table(table);
  await harness?.stop();
});
afterEach(() => harness.endTest());

const stored = (collection: string) => harness.services.database.db.collection(collection);

/** The local time in Berlin, this many minutes before the fake clock's present. */
function localTime(minutes: number): string {
  const at = new Date(harness.services.clock.now().getTime() - minutes * 60_000);
  return at.toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' }).slice(0, 5);
}

const NAMES = [
  'Abel',
  'Baker',
  'Clark',
  'Davis',
  'Evans',
  'Frank',
  'Ghosh',
  'Hills',
  'Irons',
  'Jonas',
  'Keller',
  'Lopez',
];

/** Someone with two bottles, of which one has a dose that is due. */
async function registerCaller(index: number): Promise<string> {
  const name = NAMES[index]!;
  const user_id = `user-${name.toLowerCase()}`;
  const { services } = harness;
  for (const [medication, schedule] of [
    ['Metformin 500 mg', { kind: 'times_of_day', times: [localTime(-5)] }],
    ['Lisinopril 10 mg', { kind: 'times_of_day', times: [localTime(-300)] }],
  ] as const) {
    const bottle = await services.register({ user_id, medication, number_of_pills: 30, schedule });
    await bottle.post('/v1/heartbeats').expect(204);
  }
  await asAdmin(services.support)
    .put(`/v1/contacts/${user_id}`)
    .send({ name: `Anna ${name}`, phone: '+49 30 123456' })
    .expect(201);
  return name;
}

async function replaceAlerts(count: number): Promise<void> {
  await stored('alerts').deleteMany({});
  await insertOpenAlerts(
    harness.services,
    Array.from({ length: count }, (_, index) => `user ${index}`),
  );
}

/** Opens a page of the main menu, which a narrow screen hides. */
async function openFromMenu(user: CountedUser, name: RegExp): Promise<void> {
  const menu = user.page.getByRole('button', { name: 'Menu', exact: true });
  if (await menu.isVisible()) await user.click(menu);
  await user.click(user.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }));
}

/** A narrow screen has a button for it beside the menu. */
async function openRegister(user: CountedUser): Promise<void> {
  const button = user.page
    .getByRole('region', { name: 'Sidebar' })
    .getByRole('link', { name: 'Register a bottle' });
  if (await button.isVisible()) await user.click(button);
  else await openFromMenu(user, /^Register/);
}

const FLOWS: Record<
  string,
  {
    limits: Record<'mouse' | 'keyboard', Limits>;
    prepare?: () => Promise<void>;
    run: (user: CountedUser, caller: string) => Promise<void>;
  }
> = {
  'a caller’s dose attested': {
    limits: { mouse: { clicks: 4, seconds: 15 }, keyboard: { clicks: 0, keys: 12, seconds: 15 } },
    run: async (user, name) => {
      const { page, way } = user;
      if (way === 'mouse') await user.click(page.getByLabel('Find a person, bottle, alert or action'));
      else await user.press('/');
      await user.type(name.toLowerCase());
      const person = page
        .getByRole('group', { name: 'People' })
        .getByRole('option', { name: `Anna ${name}` });
      await person.waitFor();
      if (way === 'mouse') await user.click(person);
      else await user.press('ArrowDown', 'Enter');
      const today = page.getByRole('region', { name: 'Today' });
      const record = today.getByRole('button', { name: /dose of Metformin 500 mg, / });
      await record.waitFor();
      const taken = page.getByRole('menuitem', { name: 'Taken', exact: true });
      if (way === 'mouse') {
        await user.click(record);
        await user.click(taken);
      } else {
        await user.press('r');
        // the menu opens with the focus on it
        await page.locator(':focus', { hasText: /^Taken$/ }).waitFor();
        await user.press('Enter');
      }
      await today.getByText(/^Reported taken by the patient/).waitFor();
    },
  },
  '40 alerts acknowledged': {
    limits: { mouse: { clicks: 5, seconds: 20 }, keyboard: { clicks: 0, keys: 10, seconds: 15 } },
    prepare: () => replaceAlerts(40),
    run: async (user) => {
      const { page, way } = user;
      if (way === 'mouse') {
        await openFromMenu(user, /^Alerts/);
        await user.click(page.getByRole('checkbox', { name: 'Select all 40' }));
        await user.click(page.getByRole('button', { name: 'Acknowledge' }));
        await user.click(page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }));
      } else {
        await user.press('g', 'a');
        await page.locator('li[data-row]').nth(39).waitFor();
        await user.press('Control+a', 'a');
      }
      await page.getByText('No alerts need attention').waitFor();
    },
  },
  'a bottle registered with its contacts': {
    limits: { mouse: { clicks: 7, seconds: 50 }, keyboard: { clicks: 0, seconds: 50 } },
    run: async (user, name) => {
      const { page, way } = user;
      if (way === 'mouse') await openRegister(user);
      else {
        await user.press('/');
        await user.type('reg');
        await page.getByRole('option', { name: 'Register a bottle' }).waitFor();
        await user.press('ArrowDown', 'Enter');
      }
      await page.getByRole('heading', { name: 'Register', level: 1 }).waitFor();
      await user.fill(page.getByLabel('User ID'), `${name.toLowerCase()}.2`);
      await user.fill(page.getByLabel('Medication'), 'Metformin 500 mg');
      await user.fill(page.getByLabel('Pills in the bottle'), '60');
      await user.activate(page.getByRole('button', { name: 'Register bottle', exact: true }));
      await user.fill(page.getByLabel('Name').first(), 'Will Cross');
      await user.fill(page.getByLabel('E-mail').first(), 'w@cross.example');
      await user.fill(page.getByLabel('E-mail').last(), 'mum@cross.example');
      await user.activate(page.getByRole('button', { name: 'Save contact' }));
      await notice(page, 'Contact saved.').waitFor();
    },
  },
  'a fleet incident decided': {
    limits: { mouse: { clicks: 4, seconds: 15 }, keyboard: { clicks: 0, keys: 20, seconds: 15 } },
    prepare: async () => {
      await stored('alerts').deleteMany({});
      await stored('deliveries').deleteMany({});
      await insertIncident(harness.services);
    },
    run: async (user) => {
      const { page } = user;
      const incident = page.getByRole('region', { name: 'Fleet incident' });
      await user.activate(incident.getByRole('button', { name: /Notify 1 person/ }));
      const dialog = page.getByRole('dialog', { name: 'Notify 1 person' });
      await dialog.getByRole('region', { name: 'Preview' }).waitFor();
      await user.activate(dialog.getByRole('button', { name: 'Notify 1 person' }));
      await notice(page, 'Messages leave in a minute.').waitFor();
    },
  },
};

describe.each(SCREENS)('$viewport.width px, $colorScheme', ({ viewport, colorScheme }) => {
  const open = (): Promise<Page> => harness.openPage('/', 'support', { viewport, colorScheme });

  beforeAll(async () => {
    for (const _way of ['mouse', 'keyboard']) callers.push(await registerCaller(registered++));
    await harness.services.pass(6);
  });

  it.each(
    Object.keys(FLOWS).flatMap((flow) => (['mouse', 'keyboard'] as const).map((way) => [flow, way] as const)),
  )('%s, by %s', async (flow, way) => {
    const { limits, prepare, run } = FLOWS[flow]!;
    await prepare?.();
    const page = await open();
    await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
    const user = new CountedUser(page, way);
    await run(user, callers.at(way === 'mouse' ? -2 : -1)!);
    const { clicks, keys, machine, person, total } = user.result();
    const seconds = (value: number): string => value.toFixed(1);
    table.push({
      flow,
      way,
      width: viewport.width,
      colorScheme,
      clicks,
      keys,
      machine: seconds(machine),
      person: seconds(person),
      total: seconds(total),
    });
    expect(await violations(page)).toEqual([]);
    expect(clicks).toBeLessThanOrEqual(limits[way].clicks ?? Infinity);
    expect(keys).toBeLessThanOrEqual(limits[way].keys ?? Infinity);
    expect(person).toBeLessThanOrEqual(limits[way].seconds);
    await page.context().close();
  });
});
