import type { Locator, Page } from 'playwright-core';
import { eventually } from '../harness/eventually.js';
import { asAdmin } from '../harness/services.js';
import type { BrowserHarness } from './harness.js';

/** A page of the console, with something on it. */
export interface ConsolePage {
  /** The name of its screenshot's file. */
  name: string;
  /** Its path in the console's router. */
  route: string;
  path: string;
}

/** Every page of the console, after `simulateFleet`; the bottle's pages show one with a rich history. */
export async function consolePages(
  harness: BrowserHarness,
  bottles: Map<string, string>,
): Promise<ConsolePage[]> {
  const id = bottles.get('Metformin 500 mg')!;
  const { body } = await asAdmin(harness.services.support)
    .get('/v1/alerts?state=open&kind=bottle_open')
    .expect(200);
  const [alert] = body.items as { id: string }[];
  const { body: registered } = await asAdmin(harness.services.support).get(`/v1/bottles/${id}`).expect(200);
  const person = `/people/${encodeURIComponent((registered as { user_id: string }).user_id)}`;
  const bottle = `/bottles/${id}`;
  return [
    { name: 'fleet', route: '/', path: '/' },
    { name: 'find', route: '/bottles', path: '/bottles' },
    { name: 'bottle', route: '/bottles/$bottleId', path: bottle },
    ...['charts', 'adherence', 'schedule', 'contacts', 'manage'].map((tab) => ({
      name: tab,
      route: `/${tab}`,
      path: `${bottle}/${tab}`,
    })),
    { name: 'person', route: '/people/$userId', path: person },
    { name: 'report', route: '/people/$userId/report', path: `${person}/report` },
    { name: 'alerts', route: '/alerts', path: '/alerts' },
    { name: 'alarm-quality', route: '/alarm-quality', path: '/alarm-quality' },
    { name: 'alert', route: '/$alertId', path: `/alerts/${alert!.id}` },
    { name: 'messages', route: '/messages', path: '/messages' },
    { name: 'register', route: '/register', path: '/register' },
    { name: 'settings', route: '/settings', path: '/settings' },
    { name: 'staff', route: '/staff', path: '/staff' },
    { name: 'api-keys', route: '/api-keys', path: '/api-keys' },
    { name: 'audit', route: '/audit', path: '/audit' },
  ];
}

/** A menu or dialog of a page. */
export interface OpenedPart {
  name: string;
  path: string;
  /** Opens it, and waits until it is there. */
  open: (page: Page) => Promise<void>;
}

/** The menus and dialogs of the console that a click on a page opens. */
export function openedParts(pages: readonly ConsolePage[]): OpenedPart[] {
  const pathOf = (name: string): string => pages.find((page) => page.name === name)!.path;
  const part = (page: string, button: RegExp, role: 'menu' | 'dialog', item?: RegExp): OpenedPart => ({
    name: `${page}: ${button.source}${item ? `, ${item.source}` : ''}`,
    path: pathOf(page),
    open: async (shown) => {
      await shown.getByRole('button', { name: button }).first().click();
      if (item) {
        await shown.getByRole('menuitem', { name: item }).first().click();
      }
      await shown.getByRole(role).first().waitFor();
    },
  });
  return [
    part('fleet', /account menu$/, 'menu'),
    part('bottle', /^Record what people say/, 'menu'),
    part('bottle', /^Record what people say/, 'dialog', /^With details/),
    part('person', /^Record what people say/, 'menu'),
    part('find', /^Columns/, 'dialog'),
    part('find', /^Views?/, 'menu'),
    part('find', /^Views?/, 'dialog', /^Save this view/),
    part('alert', /^Assign/, 'menu'),
    part('alert', /^Snooze/, 'dialog'),
    part('alert', /^Close/, 'dialog'),
    part('staff', /^Create account/, 'dialog'),
    part('api-keys', /^Create/, 'dialog'),
  ];
}

/** Opens a page and waits until it has loaded everything. */
export async function show(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('main').locator('h1, h2').first().waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
}

/** A message in the corner; the same words may stand on the page. */
export function notice(page: Page, text: string): Locator {
  return page.getByRole('status').getByText(text);
}

/** Puts the cursor into the search box by its shortcut, as soon as the page listens to keys. */
export async function startSearch(page: Page): Promise<void> {
  const box = page.getByLabel('Find a person, bottle, alert or action');
  await eventually(async () => {
    await page.keyboard.press('/');
    if (!(await box.evaluate((element) => element.matches(':focus')))) throw new Error('not focused');
  });
}

/** The table of a page's dose calendar, at the month of an instant: the browser's own, or the one before. */
export async function calendarAt(page: Page, at: Date, zone: string): Promise<Locator> {
  const month = at.toLocaleString('en-US', { timeZone: zone, month: 'long', year: 'numeric' });
  await page.getByRole('table', { name: /^Doses in/ }).waitFor();
  const table = page.getByRole('table', { name: `Doses in ${month}` });
  if (!(await table.isVisible())) {
    await page.getByRole('button', { name: 'Previous month' }).click();
  }
  return table;
}
