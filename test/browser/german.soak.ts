import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { BrowserHarness, minutesAgo } from '../../tools/browser/harness.js';
import { type ConsolePage, consolePages } from '../../tools/browser/pages.js';
import { simulateFleet } from '../../tools/browser/sample-fleet/simulate-fleet.js';
import { insertIncident } from './insert-incident.js';

const TWO_DAYS = 2 * 24 * 60;
/** Tolerance for rounding. */
const ROUNDING_PX = 1;
const WIDTHS = [390, 1440];

/** What a page shows and names, one text per node; without what people and the server wrote. */
const TEXTS = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) {
    const { parentElement, data } = walker.currentNode;
    if (!parentElement.closest('script, style, noscript, pre, code, [lang="en"]')) texts.push(data);
  }
  for (const name of ['aria-label', 'placeholder', 'alt']) {
    for (const element of document.querySelectorAll('[' + name + ']')) texts.push(element.getAttribute(name));
  }
  return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))];
})()`;

/** Controls and headings whose text is cut off. */
const CUT = `[...document.querySelectorAll('button, label, th, h1, h2, h3, nav a')]
  .flatMap((element) => [element, ...element.querySelectorAll('*')])
  .filter((element) => element.clientWidth > 1 && getComputedStyle(element).overflowX !== 'visible')
  .filter((element) => element.scrollWidth > element.clientWidth + ${ROUNDING_PX})
  .map((element) => element.textContent)
  .filter((text) => text !== '')`;

/** Panels whose contents are wider than they are, and texts to the left of their panel. */
const OUTSIDE = `[...document.querySelectorAll('main section')].flatMap((panel) =>
  [...panel.querySelectorAll('table, [class*="hours"] span')]
    .filter((part) => {
      const [inner, outer] = [part.getBoundingClientRect(), panel.getBoundingClientRect()];
      return inner.left < outer.left - ${ROUNDING_PX} || inner.right > outer.right + ${ROUNDING_PX};
    })
    .map((part) => part.textContent.slice(0, 60)))`;

/** Texts that lie over one another. */
const OVERLAPPING = `(() => {
  const isCut = (element) => element.closest('svg, .visually-hidden') ||
    [...ancestors(element)].some((box) =>
      box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1);
  function* ancestors(element) {
    for (let at = element; at; at = at.parentElement) if (getComputedStyle(at).overflowX !== 'visible') yield at;
  }
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  const placed = [];
  while (walker.nextNode()) {
    const { parentElement, data } = walker.currentNode;
    if (data.trim() === '' || !parentElement.checkVisibility({ opacityProperty: true }) || isCut(parentElement)) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    for (const box of range.getClientRects()) placed.push({ text: data.trim(), box });
  }
  const overlap = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 4;
  return placed.flatMap((one, index) => placed.slice(index + 1)
    .filter((other) => overlap(one.box, other.box))
    .map((other) => one.text + ' | ' + other.text));
})()`;

/** Whether a text is one of the console's in English: patterns of the catalogue's keys, and of their parts. */
function englishTexts(): (text: string) => boolean {
  const german = JSON.parse(readFileSync('apps/console/src/i18n/de.json', 'utf8')) as Record<string, string>;
  const translated = Object.entries(german).filter(([key, text]) => !key.startsWith(text));
  const partsOf = (text: string): string[] => text.split(/<\/?\w+\/?>/).map((part) => part.trim());
  const parts = translated.flatMap(([key]) =>
    partsOf(key.replace(/_(one|other|dative_one|dative_other|[a-z]+)$/, '')),
  );
  const isSame = new Set(Object.values(german).flatMap(partsOf));
  // the shorter ones with placeholders would match what the server wrote
  const patterns = [...new Set(parts)]
    .filter((part) =>
      (part.includes('{{') ? /[a-z]{5}/i : /[a-z]{3}/i).test(part.replaceAll(/\{\{.*?\}\}/g, '')),
    )
    .filter((part) => !isSame.has(part))
    .map((part) =>
      part.split(/\{\{.*?\}\}/).map((literal) => literal.replaceAll(/[.*+?^$()|[\]\\{}]/g, '\\$&')),
    )
    .map((literals) => literals.join('.+'));
  const all = new RegExp(`^(${patterns.join('|')})$`);
  return (text) => all.test(text);
}

/** Opens a page and waits until it has loaded everything. */
async function show(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('main').locator('h1, h2').first().waitFor();
  await page.getByRole('status', { name: 'Wird geladen' }).first().waitFor({ state: 'detached' });
}

describe('a browser in German', () => {
  let harness: BrowserHarness;
  let pages: ConsolePage[];
  const isEnglish = englishTexts();

  beforeAll(async () => {
    harness = await BrowserHarness.start('german', {}, minutesAgo(TWO_DAYS));
    pages = await consolePages(
      harness,
      await simulateFleet(harness.services, harness.address, minutesAgo(0)),
    );
    // the title of such a message, which the server wrote, is in the console's catalogue, too; by the hour there may be none
    await harness.services.database.db
      .collection('deliveries')
      .updateMany({ kind: 'missed_dose' }, { $set: { event: 'missed' } });
    // the fleet's page has buttons for it
    await insertIncident(harness.services);
  });
  afterAll(() => harness?.stop());
  afterEach(() => harness.endTest());

  it('is asked to sign in in German', async () => {
    const page = await harness.newPage({ locale: 'de-AT' });
    await page.goto('/');
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    expect(await page.title()).toBe('Anmelden · Pillwatch');
    expect(await page.evaluate<string>('document.documentElement.lang')).toBe('de');
    expect((await page.evaluate<string[]>(TEXTS)).filter(isEnglish)).toEqual([]);
  });

  it.each(WIDTHS)('shows no English on any page, and cuts nothing off, %d px wide', async (width) => {
    const page = await harness.openPage('/', 'admin', {
      locale: 'de-DE',
      viewport: { width, height: 900 },
    });
    const found: Record<string, unknown> = {};
    for (const { name, path } of pages) {
      await show(page, path);
      const english = (await page.evaluate<string[]>(TEXTS)).filter(isEnglish);
      const cut = await page.evaluate<string[]>(CUT);
      const overlapping = await page.evaluate<string[]>(OVERLAPPING);
      const outside = await page.evaluate<string[]>(OUTSIDE);
      const tooWide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      if (english.length + cut.length + overlapping.length + outside.length > 0 || tooWide > ROUNDING_PX)
        found[name] = { english, cut, overlapping, outside, tooWide };
    }
    expect(found).toEqual({});
  });

  it('writes dates and numbers as German does', async () => {
    const page = await harness.openPage('/', 'admin', { locale: 'de-DE' });
    await show(page, pages.find(({ name }) => name === 'bottle')!.path);
    await page
      .getByText(/^vor \d+ (s|min|h)/)
      .first()
      .waitFor();
    const month = new Intl.DateTimeFormat('de', { month: 'long', year: 'numeric' }).format(minutesAgo(0));
    await page.getByRole('table', { name: `Einnahmen im ${month}` }).waitFor();
    await page.getByRole('columnheader', { name: 'Mo', exact: true }).waitFor();
  });
});
