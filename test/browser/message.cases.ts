import { asAdmin } from '../../tools/harness/services.js';
import { BrowserHarness } from '../../tools/browser/harness.js';
import { type LateDose, lateDoses, MORNING, OPERATOR } from '../../tools/browser/late-doses.js';

/** What is pressed with a thumb is so high at least (WCAG 2.2, 2.5.5). */
const TARGET_PX = 44;
/** Tolerance for rounding. */
const ROUNDING_PX = 1;
const PHONE = { width: 360, height: 640 };

describe('a message about two doses that are late, on a phone without scripts', () => {
  let harness: BrowserHarness;
  let doses: LateDose[];

  beforeAll(async () => {
    harness = await BrowserHarness.start('message', OPERATOR, MORNING);
    doses = await lateDoses(harness, 'anna', ['blue, kitchen', 'red, bath']);
  });
  afterAll(() => harness?.stop());
  afterEach(() => harness.endTest());

  it('leads with two taps to "taken", of the bottle that it names, and the answer can be undone', async () => {
    expect(doses).toHaveLength(2);
    const { bottle, path } = doses[1]!;
    const statements = async (): Promise<{ kind: string }[]> =>
      (await asAdmin(harness.services.support).get(`/v1/bottles/${bottle.id}/attestations`)).body.items;
    const label = (await asAdmin(harness.services.support).get(`/v1/bottles/${bottle.id}`)).body.label;
    const page = await harness.newPage({ javaScriptEnabled: false, viewport: PHONE, hasTouch: true });
    await page.goto(path);
    await page.getByRole('heading', { name: 'Dose not taken yet' }).waitFor();
    await page.getByText('Anna Schmidt').waitFor();
    await page.getByText(`${label} (ends in ${bottle.id.slice(-6)})`).waitFor();
    for (const summary of await page.locator('summary').all()) await summary.tap();
    const small: string[] = [];
    for (const target of await page.locator('button, summary, label, a').all()) {
      const box = (await target.boundingBox())!;
      if (box.height < TARGET_PX) small.push(`${await target.innerText()}: ${box.height} px`);
      expect(box.x + box.width).toBeLessThanOrEqual(PHONE.width + ROUNDING_PX);
    }
    expect(small).toEqual([]);
    expect(await statements()).toEqual([]);
    await page.getByRole('button', { name: 'I took it' }).tap();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await statements()).toMatchObject([{ kind: 'taken', attested_by: 'user' }]);

    await page.getByRole('button', { name: 'Undo my answer' }).tap();
    await page.getByRole('link', { name: 'Answer again' }).tap();
    await page.getByText('At another time, or from elsewhere').tap();
    await page.getByLabel(/At what time/).fill('07:45');
    await page.getByLabel('From elsewhere, such as a pillbox').check();
    await page.getByRole('button', { name: 'Record it' }).first().tap();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    const [latest] = (await asAdmin(harness.services.support).get(`/v1/bottles/${bottle.id}`)).body.today
      .doses;
    expect(latest.reported).toMatchObject({
      outcome: 'taken_on_time',
      taken_at: '2026-03-02T06:45:00.000Z',
      source: 'elsewhere',
    });
  });

  it.each([320, 600, 1024])('the mail fits into %d px, and its buttons lead to the page', async (width) => {
    const page = await harness.newPage({ viewport: { width, height: 800 } });
    await page.setContent(doses[0]!.html);
    const tooWide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect(tooWide).toBeLessThanOrEqual(ROUNDING_PX);
    const buttons = await page.getByRole('link', { name: 'Taken, later or skipped?' }).all();
    const paths = await Promise.all(buttons.map((button) => button.getAttribute('href')));
    expect(paths).toEqual(doses.map(({ path }) => `http://support.example${path}`));
    for (const button of buttons)
      expect((await button.boundingBox())!.height).toBeGreaterThanOrEqual(TARGET_PX);
    for (const label of ['blue, kitchen', 'red, bath'])
      await page.getByText(`(${label}), Anna Schmidt.`).waitFor();
    await page.getByText('South Pharmacy').first().waitFor();
  });
});
