import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserHarness } from '../browser/harness.js';
import { consolePages, show } from '../browser/pages.js';

/** Tall enough for the first charts with their legends. */
const SIZE = { width: 1280, height: 960 };

/** A picture of each page, light and dark, and of three pages as on a phone. */
export async function takePictures(
  harness: BrowserHarness,
  bottles: Map<string, string>,
  folder: string,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const person = await harness.createStaff('admin', 'Carol Smith');
  const pages = await consolePages(harness, bottles);
  for (const colorScheme of ['light', 'dark'] as const) {
    const theme = { colorScheme, timezoneId: 'Europe/Berlin' } as const;
    const page = await harness.openPage('/', person, { ...theme, viewport: SIZE });
    for (const { name, path } of pages) {
      await show(page, path);
      await page.waitForLoadState('load');
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
    }
    await page.context().close();
  }
  const phone = { viewport: { width: 390, height: 844 }, isMobile: true, timezoneId: 'Europe/Berlin' };
  const page = await harness.openPage('/', person, phone);
  for (const { name, path } of pages.filter(({ name }) => ['fleet', 'bottle', 'alerts'].includes(name))) {
    await show(page, path);
    await page.screenshot({ path: join(folder, `${name}-narrow.png`) });
  }
}
