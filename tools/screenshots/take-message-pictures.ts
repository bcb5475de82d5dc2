import { join } from 'node:path';
import { BrowserHarness } from '../browser/harness.js';
import { lateDoses, MORNING, OPERATOR } from '../browser/late-doses.js';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 720, height: 900 };

/** Pictures of a mail about two late doses, and of the page behind its first link on a phone, light and dark. */
export async function takeMessagePictures(folder: string): Promise<void> {
  const harness = await BrowserHarness.start('message-pictures', OPERATOR, MORNING);
  try {
    const [dose] = await lateDoses(harness, 'anna', ['blue, kitchen', 'red, bath']);
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await harness.newPage({ colorScheme, viewport: PHONE, isMobile: true });
      await page.goto(dose!.path);
      await page.screenshot({ path: join(folder, `message-page-${colorScheme}.png`), fullPage: true });
    }
    // it has one colour scheme
    const mail = await harness.newPage({ viewport: DESKTOP });
    await mail.setContent(dose!.html);
    await mail.screenshot({ path: join(folder, 'mail.png'), fullPage: true });
  } finally {
    await harness.stop();
  }
}
