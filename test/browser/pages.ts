import type { Page } from 'playwright-core';
import { asAdmin } from '../support/services.js';
import type { Desk } from './desk.js';

/** A page of the console, with something on it. */
export interface ConsolePage {
  /** As a file is called. */
  name: string;
  /** As the console's router has it. */
  route: string;
  path: string;
}

/** Every page, once a story has been told: a bottle's pages are those of one that has much to show. */
export async function consolePages(desk: Desk, bottles: Map<string, string>): Promise<ConsolePage[]> {
  const id = bottles.get('Metformin 500 mg')!;
  const { body } = await asAdmin(desk.world.support)
    .get('/v1/alerts?state=open&kind=bottle_open')
    .expect(200);
  const [alert] = body.items as { id: string }[];
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
    { name: 'alerts', route: '/alerts', path: '/alerts' },
    { name: 'alert', route: '/$alertId', path: `/alerts/${alert!.id}` },
    { name: 'messages', route: '/messages', path: '/messages' },
    { name: 'register', route: '/register', path: '/register' },
    { name: 'staff', route: '/staff', path: '/staff' },
    { name: 'api-keys', route: '/api-keys', path: '/api-keys' },
    { name: 'audit', route: '/audit', path: '/audit' },
  ];
}

/** Goes there, and waits until nothing is on its way any more. */
export async function show(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('main').locator('h1, h2').first().waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
}
