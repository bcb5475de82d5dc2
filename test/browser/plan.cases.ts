import { DAY_MS } from '#domain';
import type { Page } from 'playwright-core';
import { asAdmin, type TestBottle } from '../../tools/harness/services.js';
import { BrowserHarness, minutesAgo } from '../../tools/browser/harness.js';
import { notice } from '../../tools/browser/pages.js';

describe('the plan of a bottle', () => {
  let harness: BrowserHarness;

  beforeAll(async () => {
    harness = await BrowserHarness.start('plan', {}, minutesAgo(90));
  });
  afterAll(() => harness?.stop());
  afterEach(() => harness.endTest());

  const staff = () => asAdmin(harness.services.support);
  const doseOf = (pills_per_dose: number, from?: string) => ({
    kind: 'times_of_day',
    times: ['08:00'],
    pills_per_dose,
    ...(from !== undefined && { effective_from: from }),
  });
  /** Midnight in UTC, so many days ahead. */
  const inDays = (days: number): string =>
    new Date((Math.floor(Date.now() / DAY_MS) + days) * DAY_MS).toISOString();
  const planOf = async (bottle: TestBottle) => {
    const { body } = await staff().get(`/v1/bottles/${bottle.id}`).expect(200);
    type Step = { effective_from: string; schedule: { pills_per_dose: number } };
    return [body.schedule, ...body.coming_schedules].map(({ effective_from, schedule }: Step) => [
      effective_from,
      schedule.pills_per_dose,
    ]);
  };

  /** 4 pills now, 3 in a week, 2 in two weeks. */
  async function openTaper(user_id: string): Promise<{ bottle: TestBottle; page: Page }> {
    const bottle = await harness.services.register({
      user_id,
      medication: 'Prednisolone',
      time_zone: 'UTC',
      number_of_pills: 90,
      schedule: doseOf(4),
    });
    for (const [pills, days] of [
      [3, 7],
      [2, 14],
    ] as const)
      await staff()
        .put(`/v1/bottles/${bottle.id}/schedule`)
        .send({ schedule: doseOf(pills, inDays(days)) })
        .expect(200);
    harness.services.clock.advance(60_000);
    const page = await harness.openPage(`/bottles/${bottle.id}/schedule`, 'support');
    return { bottle, page };
  }
  const stepsIn = (page: Page) =>
    page.getByRole('region', { name: 'Schedule', exact: true }).getByRole('listitem');
  const changesIn = (page: Page) =>
    page.getByRole('region', { name: 'What saving changes' }).getByRole('listitem');
  /** The texts of a list, as soon as it has so many. */
  async function textsOf(list: ReturnType<typeof stepsIn>, count: number): Promise<string[]> {
    await list.nth(count - 1).waitFor();
    return list.allInnerTexts();
  }

  it('changes today’s dose of a taper, and says that the later steps stay', async () => {
    const { bottle, page } = await openTaper('taper');
    const listed = await textsOf(stepsIn(page), 3);
    expect(listed[0]).toMatch(/^Now: .* to .*00:00 UTC\s+4 pills at 08:00, every day\./);
    expect(listed[1]).toMatch(/00:00 UTC to .*00:00 UTC\s+3 pills at 08:00/);
    expect(listed[2]).toMatch(/^From .*00:00 UTC\s+2 pills at 08:00/);
    // the one in effect is the first of all
    expect(await page.getByRole('button', { name: 'Remove', exact: true }).count()).toBe(2);

    await stepsIn(page).first().getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Pills per dose').fill('5');
    await page.getByRole('region', { name: 'Next doses' }).getByText('5 pills').first().waitFor();
    expect(await textsOf(changesIn(page), 4)).toEqual([
      expect.stringMatching(/^From .*: ends when you save\s+4 pills at 08:00, every day$/),
      expect.stringMatching(/^From when you save: new\s+5 pills at 08:00, every day$/),
      expect.stringMatching(/^From .*: stays\s+3 pills at 08:00, every day$/),
      expect.stringMatching(/^From .*: stays\s+2 pills at 08:00, every day$/),
    ]);
    await page.getByRole('button', { name: 'Save schedule' }).click();
    await notice(page, 'Schedule saved.').waitFor();
    await stepsIn(page).first().getByText('5 pills at 08:00, every day.').waitFor();
    expect(await planOf(bottle)).toEqual([
      [expect.any(String), 5],
      [inDays(7), 3],
      [inDays(14), 2],
    ]);

    // saved by mistake: the step before it comes back
    await stepsIn(page).first().getByRole('button', { name: 'Remove', exact: true }).click();
    await stepsIn(page)
      .first()
      .getByText('From now on, the step before it applies again: 4 pills at 08:00, every day.')
      .waitFor();
    await page.getByRole('button', { name: 'Remove the step' }).click();
    await notice(page, 'Step removed.').waitFor();
    await stepsIn(page).first().getByText('4 pills at 08:00, every day.').waitFor();
    expect((await planOf(bottle)).map(([, pills]) => pills)).toEqual([4, 3, 2]);
  });

  it('moves a planned step, removes one, and adds one', async () => {
    const { bottle, page } = await openTaper('steps');
    await stepsIn(page).nth(1).getByRole('button', { name: 'Edit' }).click();
    const from = page.getByLabel('Effective from');
    expect(await from.inputValue()).toBe(inDays(7).slice(0, 16));
    await from.fill(inDays(10).slice(0, 16));
    await changesIn(page).getByText('removed').waitFor();
    expect(await textsOf(changesIn(page), 4)).toEqual([
      expect.stringMatching(/stays\s+4 pills/),
      expect.stringMatching(/removed\s+3 pills/),
      expect.stringMatching(/new\s+3 pills/),
      expect.stringMatching(/stays\s+2 pills/),
    ]);
    await page.getByRole('button', { name: 'Save schedule' }).click();
    await notice(page, 'Schedule saved.').waitFor();
    expect((await planOf(bottle)).slice(1)).toEqual([
      [inDays(10), 3],
      [inDays(14), 2],
    ]);

    await stepsIn(page).nth(1).getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('In its time, the step before it applies: 4 pills at 08:00, every day.').waitFor();
    await page.getByRole('button', { name: 'Remove the step' }).click();
    await notice(page, 'Step removed.').waitFor();
    await stepsIn(page).nth(2).waitFor({ state: 'detached' });
    expect((await planOf(bottle)).slice(1)).toEqual([[inDays(14), 2]]);

    await page.getByRole('button', { name: 'Add step' }).click();
    // without a beginning it would change today's dose
    await page.getByLabel('Pills per dose').fill('1');
    await page.getByRole('button', { name: 'Save schedule' }).click();
    expect(await from.evaluate((input) => input.matches(':invalid'))).toBe(true);
    await from.fill(inDays(21).slice(0, 16));
    await page.getByRole('button', { name: 'Save schedule' }).click();
    await stepsIn(page).nth(2).getByText('1 pill at 08:00, every day.').waitFor();
    expect((await planOf(bottle)).slice(1)).toEqual([
      [inDays(14), 2],
      [inDays(21), 1],
    ]);
  });

  it('enters a taper in one form, when a bottle is registered and later', async () => {
    const page = await harness.openPage('/register', 'support');
    await page.getByLabel('User ID').fill('new taper');
    await page.getByLabel('Medication').fill('Prednisolone');
    await page.getByRole('switch', { name: 'Add a schedule' }).check({ force: true });
    const step = (number: number) => page.getByRole('region', { name: `Step ${number}`, exact: true });
    const addStep = page.getByRole('button', { name: 'Add a step after it' });
    await page.getByLabel('Pills per dose').fill('4');
    await page.getByText('After doses', { exact: true }).click();
    await page.getByLabel('Number of doses').fill('7');
    await addStep.click();
    await step(2).getByLabel('Pills per dose').fill('3');
    await addStep.click();
    await step(3).getByLabel('Pills per dose').fill('2');
    await step(3).getByText('No end', { exact: true }).click();
    // what was typed last is asked of the server a moment later
    await changesIn(page).filter({ hasText: '2 pills' }).waitFor();
    expect((await textsOf(changesIn(page), 3)).map((text) => /\d pills/.exec(text)?.[0])).toEqual([
      '4 pills',
      '3 pills',
      '2 pills',
    ]);
    await page.getByRole('button', { name: 'Register bottle' }).click();
    const link = page.getByRole('link', { name: /^[0-9a-f]{24}$/ });
    const bottle = { id: await link.innerText() } as TestBottle;
    expect((await planOf(bottle)).map(([, pills]) => pills)).toEqual([4, 3, 2]);

    // a later step that nothing says the beginning of is refused beside its field
    await page.goto(`/bottles/${bottle.id}/schedule`);
    await page.getByRole('button', { name: 'Add step' }).click();
    await page.getByLabel('Effective from').fill(inDays(40).slice(0, 16));
    await addStep.click();
    await step(2).getByLabel('Pills per dose').fill('1');
    await page.getByRole('button', { name: 'Save schedule' }).click();
    await step(2).getByText('A step begins after the one before it, or the one before must end.').waitFor();
    await step(2).getByLabel('Effective from').fill(inDays(50).slice(0, 16));
    await page.getByRole('button', { name: 'Save schedule' }).click();
    await notice(page, 'Schedule saved.').waitFor();
    expect((await planOf(bottle)).map(([, pills]) => pills)).toEqual([4, 3, 2, 2, 1]);
  });

  it('removes the later steps if that is chosen', async () => {
    const { bottle, page } = await openTaper('later');
    await stepsIn(page).first().getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Also remove the 2 later steps').check();
    await changesIn(page).getByText('removed').nth(1).waitFor();
    await page.getByRole('button', { name: 'Save schedule' }).click();
    await notice(page, 'Schedule saved.').waitFor();
    expect(await textsOf(stepsIn(page), 1)).toHaveLength(1);
    expect((await planOf(bottle)).map(([, pills]) => pills)).toEqual([4]);
  });

  it('refuses to remove or move what somebody else has changed', async () => {
    const { bottle, page } = await openTaper('by two');
    await stepsIn(page).nth(1).getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Pills per dose').fill('1');
    const path = `/v1/bottles/${bottle.id}/schedule`;
    await staff()
      .put(path)
      .send({ schedule: doseOf(6, inDays(7)) })
      .expect(200);
    await page.getByRole('button', { name: 'Save schedule' }).click();
    await page.getByRole('alert').getByText('Somebody else has changed this meanwhile.').waitFor();
    expect((await planOf(bottle))[1]).toEqual([inDays(7), 6]);
  });

  it('warns of a schedule that cannot be judged well', async () => {
    const { page } = await openTaper('warned');
    await stepsIn(page).first().getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Add time' }).click();
    await page.getByLabel('Time 2').fill('10:00');
    await page.getByText(/^Doses are 2 h apart, and their windows overlap by more than half/).waitFor();
    await page.getByText(/^A dose is missed only after the next one is due, 2 h later/).waitFor();
    await page.getByLabel('Missed after').fill('2h');
    await page.getByText(/^A dose is missed only after/).waitFor({ state: 'detached' });
    await page.getByLabel('Can be taken early by').fill('1h');
    await page.getByText(/^Doses are 2 h apart/).waitFor({ state: 'detached' });

    await page.goto('/register');
    await page.getByRole('switch', { name: 'Add a schedule' }).check({ force: true });
    await page.getByRole('button', { name: 'Add time' }).click();
    await page.getByLabel('Time 2').fill('09:30');
    await page.getByText(/^Doses are 90 min apart/).waitFor();
  });
});
