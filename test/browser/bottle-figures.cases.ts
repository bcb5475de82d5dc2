import type { Locator, Page } from 'playwright-core';
import { Types } from 'mongoose';
import { eventually } from '../../tools/harness/eventually.js';
import { asAdmin, type TestBottle } from '../../tools/harness/services.js';
import { BrowserHarness } from '../../tools/browser/harness.js';
import { downloadCsv } from './download-csv.js';

describe('bottle figures', () => {
  let harness: BrowserHarness;
  let bottle: TestBottle;

  /** A bottle registered 100 days ago with one dose a day. */
  beforeAll(async () => {
    harness = await BrowserHarness.start('figures');
    bottle = await harness.services.register({
      number_of_pills: 30,
      schedule: { kind: 'times_of_day', times: ['08:00'] },
    });
    const vitals = { battery_percent: 81.5, rssi_dbm: -64, mass_of_contents: 12.5, number_of_pills: 29 };
    await bottle.post('/v1/heartbeats', vitals).expect(204);
    await harness.services.pass(3);
    await bottle.post('/v1/heartbeats', { ...vitals, battery_percent: 80.5 }).expect(204);
    // its past, written directly: no check runs after this
    const { db } = harness.services.database;
    const bottle_id = new Types.ObjectId(bottle.id);
    const day = (days: number): Date => new Date(harness.services.clock.now().getTime() - days * 86_400_000);
    await db
      .collection('bottles')
      .updateOne(
        { _id: bottle_id },
        { $set: { registered_at: day(100), 'schedule_versions.0.effective_from': day(100) } },
      );
    // outcomes of the last nine days: one missed, one unknown, one late
    await db.collection('dose_outcomes').insertMany(
      ['missed', 'unknown', 'taken_late', ...Array.from({ length: 6 }, () => 'taken_on_time')].map(
        (outcome, index) => {
          const taken = outcome.startsWith('taken');
          return {
            bottle_id,
            scheduled_at: day(index + 23 / 24),
            outcome,
            pills_scheduled: 1,
            pills_taken: taken ? 1 : 0,
            ...(taken ? { taken_at: day(index + 23 / 24) } : {}),
            judged_at: day(index),
          };
        },
      ),
    );
    await eventually(() => expectCharted(bottle.id));
  });
  afterAll(() => harness?.stop());
  afterEach(() => harness.endTest());

  async function expectCharted(bottleId: string): Promise<void> {
    const { body } = await asAdmin(harness.services.support)
      .get(`/v1/bottles/${bottleId}/charts?series=battery`)
      .expect(200);
    expect(body.columns[1].filter((value: number | null) => value !== null).length).toBeGreaterThan(0);
  }

  const panel = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

  /** The share and what it is made of, as measured and with reports. */
  async function expectFigure(figure: Locator, ...both: [string, string][]): Promise<void> {
    await eventually(async () => expect(await figure.locator('dd').allInnerTexts()).toEqual(both.flat()));
  }

  it('charts the measurements in every range', async () => {
    const page = await harness.openPage(`/bottles/${bottle.id}/charts`, 'viewer');
    const battery = panel(page, 'Battery');
    for (const span of ['1 h', '24 h', '30 days', 'All', '7 days']) {
      await page.getByText(span, { exact: true }).click();
      await battery.locator('.u-over').waitFor();
      await eventually(async () =>
        expect(await battery.locator('figure[aria-busy="false"]').count()).toBe(1),
      );
      expect(await page.getByRole('alert').count()).toBe(0);
    }
    for (const [name, title, value] of [
      ['Battery', 'Battery', /8[01](\.\d+)?/],
      ['Signal', 'Signal', /-64/],
      ['Mass of contents', 'Mass of contents', /12\.5/],
      ['Pills left', 'Pills left', /29/],
    ] as const) {
      await panel(page, name)
        .getByRole('button', { name: `Table of ${title}` })
        .click();
      const table = page.getByRole('region', { name: `${title}: table` });
      await table.getByRole('row', { name: value }).first().waitFor();
      await table
        .getByRole('row', { name: / CES?T/ })
        .first()
        .waitFor();
    }
  });

  it('shows adherence with its formulas', async () => {
    const page = await harness.openPage(`/bottles/${bottle.id}/adherence`, 'viewer');
    const taken = panel(page, 'Doses taken');
    await expectFigure(taken, ['88 %', '7 of 8 doses'], ['88 %', '7 of 8 doses']);
    await taken.getByText('doses taken ÷ known doses').waitFor();
    await expectFigure(panel(page, 'Doses on time'), ['75 %', '6 of 8 doses'], ['75 %', '6 of 8 doses']);
    // the share is there even if it is nothing
    await page
      .getByText('0 % of the figures with reports come from people’s statements: 0 of 8 doses.')
      .waitFor();
    const left = panel(page, 'Not included in these figures');
    await left.getByText('Unknown: 1 dose on 1 day.').waitFor();
    await left
      .getByText('If all of these were missed, 78 % of doses were taken; if all were taken, 89 %.')
      .waitFor();
    await page.getByText('7 days', { exact: true }).click();
    await expectFigure(taken, ['83 %', '5 of 6 doses'], ['83 %', '5 of 6 doses']);
  });

  it('shows adherence and the report for a doctor both ways, and which share comes from people’s statements', async () => {
    const { db } = harness.services.database;
    const bottle_id = new Types.ObjectId(bottle.id);
    const missed = await db.collection('dose_outcomes').findOne({ bottle_id, outcome: 'missed' });
    // written directly, as its dose
    await db.collection('attestations').insertOne({
      bottle_id,
      scheduled_at: missed!['scheduled_at'],
      at: missed!['judged_at'],
      kind: 'taken',
      outcome: 'taken',
      pills: 1,
      source: 'elsewhere',
      attested_by: 'user',
      recorded_by: 'A support',
    });
    const page = await harness.openPage(`/bottles/${bottle.id}/adherence`);
    await expectFigure(panel(page, 'Doses taken'), ['88 %', '7 of 8 doses'], ['100 %', '8 of 8 doses']);
    await page
      .getByText('13 % of the figures with reports come from people’s statements: 1 of 8 doses.')
      .waitFor();
    const counts = panel(page, 'Doses by outcome').getByRole('table');
    await counts.getByRole('row', { name: 'Missed 1 0' }).waitFor();
    await counts.getByRole('row', { name: 'Taken, time unknown – 1' }).waitFor();
    const links = page.getByRole('link', { name: /CSV/ });
    expect(await links.allInnerTexts()).toEqual(['Figures as CSV', 'Doses as CSV']);
    const { rows } = await downloadCsv(page, 'Figures as CSV');
    expect(rows).toMatchObject([
      { 'taking.numerator': '7', 'reported.taking.numerator': '8', 'reported.attested.numerator': '1' },
    ]);

    const { body } = await asAdmin(harness.services.support).get(`/v1/bottles/${bottle.id}`).expect(200);
    await page.goto(`/people/${encodeURIComponent(body.user_id as string)}/report`);
    const report = page.getByRole('article', { name: 'Report' });
    await report.getByRole('row', { name: 'Doses taken 88 % (7 of 8) 100 % (8 of 8)' }).waitFor();
    await report.getByText(/^Measured: 1 dose missed, 0 partly taken, 1 cannot be known/).waitFor();
    await report.getByText(/13 % \(1 of 8\) come from people’s statements/).waitFor();
    // with its day, for who reads it later
    await report
      .getByText(
        /^\d+ \w{3,4} \d{4}, \d\d:\d\d CES?T: measured missed, reported taken from elsewhere by the patient \(recorded by A support\)$/,
      )
      .waitFor();
    expect(await page.getByRole('link', { name: /CSV/ }).allInnerTexts()).toEqual([
      'Figures as CSV',
      'Doses as CSV',
    ]);
  });

  it('shows the supply and the next dose in the patient’s time', async () => {
    const page = await harness.openPage(`/bottles/${bottle.id}`, 'viewer');
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText('29', { exact: true }).last().waitFor();
    await status.getByText(/^enough for (28|29) days$/).waitFor();
    await status.getByText(/08:00 CES?T$/).waitFor();
    await status.getByText('80.5 %').waitFor();
    await status.getByText('-64 dBm').waitFor();
    const last = panel(page, 'Earlier doses');
    expect(await last.getByRole('listitem').count()).toBe(3);
    await last.getByText('Missed').waitFor();
    await last.getByText('Cannot be known', { exact: true }).waitFor();
    // every time has its zone
    const bare = await page
      .getByRole('main')
      .evaluate((main) => [...main.querySelectorAll('time')].map((time) => time.textContent ?? ''));
    expect(bare.length).toBeGreaterThan(4);
    expect(bare.filter((text) => /\d\d:\d\d/.test(text) && !/\d\d:\d\d [A-Z]/.test(text))).toEqual([]);
  });

  it('switches tabs by keyboard', async () => {
    const page = await harness.openPage(`/bottles/${bottle.id}`, 'viewer');
    const parts = page.getByRole('navigation', { name: 'Bottle', exact: true });
    await parts.getByRole('link', { name: 'Overview' }).focus();
    for (const [name, path] of [
      ['Charts', 'charts'],
      ['Adherence', 'adherence'],
      ['Schedule', 'schedule'],
      ['Contacts', 'contacts'],
    ] as const) {
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/bottles/${bottle.id}/${path}`);
      expect(await parts.getByRole('link', { name }).getAttribute('aria-current')).toBe('page');
    }
  });
});
