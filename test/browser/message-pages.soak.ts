import { BrowserHarness } from '../../tools/browser/harness.js';
import { violations } from './axe.js';
import { lateDoses, MORNING, OPERATOR } from '../../tools/browser/late-doses.js';

const PHONE = { width: 360, height: 640 };

let harness: BrowserHarness;
let path: string;
let html: string;

beforeAll(async () => {
  harness = await BrowserHarness.start('message-pages', OPERATOR, MORNING);
  const [dose] = await lateDoses(harness, 'anna', ['blue, kitchen']);
  ({ path, html } = dose!);
});
afterAll(() => harness?.stop());
afterEach(() => harness.endTest());

describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
  it.each(['en-GB', 'de-DE'])('axe finds nothing on the pages behind links, in %s', async (locale) => {
    const page = await harness.newPage({ colorScheme, locale, viewport: PHONE });
    await page.goto(path);
    for (const summary of await page.locator('summary').all()) await summary.click();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(1);
    for (const other of [path.replace('/a/', '/s/'), '/a/x.y.z']) {
      await page.goto(other);
      expect(await violations(page)).toEqual([]);
    }
  });
});

it('axe finds nothing in the mail', async () => {
  const page = await harness.newPage({ viewport: PHONE });
  await page.setContent(html);
  // a mail program shows it within a document of its own
  const ofDocument = /^(landmark-one-main|page-has-heading-one|region):/;
  expect((await violations(page)).filter((one) => !ofDocument.test(one))).toEqual([]);
});
