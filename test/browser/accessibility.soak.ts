import { readFileSync } from 'node:fs';
import { eventually } from '../../tools/harness/eventually.js';
import { BrowserHarness, minutesAgo } from '../../tools/browser/harness.js';
import { type ConsolePage, consolePages, openedParts, show, startSearch } from '../../tools/browser/pages.js';
import { simulateFleet } from '../../tools/browser/sample-fleet/simulate-fleet.js';
import { violations } from './axe.js';

const TWO_DAYS = 2 * 24 * 60;
const NARROW = { width: 390, height: 844 };
/** Tolerance for rounding. */
const ROUNDING_PX = 1;

let harness: BrowserHarness;
let pages: ConsolePage[];

beforeAll(async () => {
  harness = await BrowserHarness.start('accessibility', {}, minutesAgo(TWO_DAYS));
  pages = await consolePages(harness, await simulateFleet(harness.services, harness.address, minutesAgo(0)));
});
afterAll(() => harness?.stop());
afterEach(() => harness.endTest());

/** The focused element, and whether it, its parent or a part of it has an outline. */
const FOCUS = `(() => {
  const element = document.activeElement;
  const shown = [element, element.parentElement, element.nextElementSibling, ...element.children].some((part) => {
    if (!part) return false;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(part);
    return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
  });
  return { text: element.outerHTML.slice(0, 200), shown };
})()`;

it('covers every page of the console', () => {
  const router = readFileSync('apps/console/src/app/router.tsx', 'utf8');
  const routes = [...router.matchAll(/\b(?:path: |page\(\w+, )'([^']+)'/g)].map(([, route]) => route!);
  const seen = new Set(pages.map(({ route }) => route));
  expect(routes.length).toBeGreaterThan(10);
  expect(routes.filter((route) => !seen.has(route))).toEqual([]);
});

describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
  it('axe finds nothing on a page', async () => {
    const page = await harness.openPage('/', 'admin', { colorScheme });
    const found: Record<string, string[]> = {};
    for (const { name, path } of pages) {
      await show(page, path);
      const here = await violations(page);
      if (here.length > 0) found[name] = here;
    }
    expect(found).toEqual({});
  });

  it('axe finds nothing on the sign-in page, the error page and dialogs', async () => {
    const page = await harness.newPage({ colorScheme });
    await page.goto('/');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await violations(page)).toEqual([]);
    const admin = await harness.openPage('/nowhere', 'admin', { colorScheme });
    await admin.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(await violations(admin)).toEqual([]);
    await admin.keyboard.press('?');
    await admin.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    expect(await violations(admin)).toEqual([]);
    await show(admin, '/staff');
    await admin.getByRole('button', { name: 'Create account' }).click();
    await admin.getByRole('dialog', { name: 'Create account' }).waitFor();
    expect(await violations(admin)).toEqual([]);
  });

  it('axe finds nothing in what opens on pages: menus and dialogs', async () => {
    const page = await harness.openPage('/', 'admin', { colorScheme });
    const found: Record<string, string[]> = {};
    for (const opened of openedParts(pages)) {
      await show(page, opened.path);
      await opened.open(page);
      const here = await violations(page, true);
      if (here.length > 0) found[opened.name] = here;
      await page.keyboard.press('Escape');
    }
    expect(found).toEqual({});
  });

  it('axe finds nothing on a narrow screen, and no page scrolls sideways', async () => {
    const page = await harness.openPage('/', 'admin', {
      colorScheme,
      viewport: NARROW,
    });
    const found: Record<string, unknown> = {};
    for (const { name, path } of pages) {
      await show(page, path);
      const tooWide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      const here = await violations(page);
      if (tooWide > ROUNDING_PX || here.length > 0) found[name] = { tooWide, here };
    }
    expect(found).toEqual({});
  });
});

describe('by keyboard', () => {
  it('has shortcuts for search, help and navigation; Escape closes', async () => {
    const page = await harness.openPage('/', 'viewer');
    await startSearch(page);
    await page.keyboard.type('metfor');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/bottles?q=metfor');
    await page.getByRole('heading', { name: 'Bottles', level: 1 }).waitFor();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.getByText('Find a person').waitFor();
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.getByRole('heading', { name: 'Alerts', level: 1 }).waitFor();
  });

  it('r opens the record menu of the most urgent dose, and the focus is in it', async () => {
    const page = await harness.openPage('/', 'admin');
    await show(page, pages.find(({ name }) => name === 'bottle')!.path);
    await page
      .getByRole('button', { name: /^Record what people say/ })
      .first()
      .waitFor();
    await page.keyboard.press('r');
    const first = page.getByRole('menuitem', { name: 'Taken', exact: true });
    await first.waitFor();
    await eventually(async () =>
      expect(await first.evaluate((element) => element.matches(':focus'))).toBe(true),
    );
    // whose word it is can be chosen by keyboard, too
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('menuitemradio', { name: 'Staff' }).getAttribute('aria-checked')).toBe(
      'true',
    );
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    const focused = await page.evaluate<string>('document.activeElement.getAttribute("aria-label") ?? ""');
    expect(focused).toMatch(/^Record what people say/);
  });

  it('the focus is always visible', async () => {
    const page = await harness.openPage('/', 'admin');
    const unseen: string[] = [];
    const seen = new Set<string>();
    for (const { path } of pages.filter(({ name }) => ['fleet', 'bottle', 'register'].includes(name))) {
      await show(page, path);
      for (let stop = 0; stop < 25; stop += 1) {
        await page.keyboard.press('Tab');
        const { text, shown } = await page.evaluate<{ text: string; shown: boolean }>(FOCUS);
        // past the last element: the browser's own controls
        if (text.startsWith('<body')) break;
        seen.add(text);
        if (!shown) unseen.push(`${path}: ${text}`);
      }
    }
    expect(unseen).toEqual([]);
    expect(seen.size).toBeGreaterThan(20);
  });
});
