import { Desk } from './desk.js';

let desk: Desk;

beforeAll(async () => {
  desk = await Desk.open('find');
  for (let number = 0; number < 60; number += 1) {
    await desk.world.register({
      user_id: `user-${String(number).padStart(2, '0')}`,
      medication: 'Cordrazine',
    });
  }
  const open = await desk.world.register({ user_id: 'anna-schmidt', medication: 'Metformin 500 mg' });
  await desk.world.open(open);
});
afterAll(() => desk?.close());
afterEach(() => desk.expectNoComplaints());

it('shows the fleet by status, each a way to its bottles', async () => {
  const page = await desk.at('/', 'viewer');
  await page.getByText('61 bottles').waitFor();
  await page.getByRole('link', { name: /^Open 1/ }).click();
  await page.getByRole('cell', { name: /anna-schmidt/ }).waitFor();
  expect(await page.locator('tbody tr').count()).toBe(1);
});

it('narrows by status, and reads on page by page', async () => {
  const page = await desk.at('/bottles', 'viewer');
  await page.locator('tbody tr').nth(49).waitFor();
  expect(await page.locator('tbody tr').count()).toBe(50);
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByText('61, and that is all.').waitFor();
  expect(await page.locator('tbody tr').count()).toBe(61);
  await page.getByRole('group', { name: 'Status' }).getByRole('button', { name: /^Open/ }).click();
  await page.getByText('One, and that is all.').waitFor();
  expect(page.url()).toContain('status=open');
});

it('opens a bottle whose id is known to the end', async () => {
  const { id } = await desk.world.register({ user_id: 'somebody', medication: 'Aspirin' });
  const page = await desk.at('/', 'viewer');
  await page.keyboard.press('/');
  await page.keyboard.type(id.toUpperCase());
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Aspirin', level: 1 }).waitFor();
  expect(page.url()).toBe(`${desk.address}/bottles/${id}`);
});
