import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Desk } from '../desk.js';

/** A picture of each page, light and dark. */
export async function takePictures(desk: Desk, bottles: Map<string, string>, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const bottle = `/bottles/${bottles.get('Metformin 500 mg')}`;
  const pages: [name: string, path: string][] = [
    ['fleet', '/'],
    ['find', '/bottles'],
    ['bottle', bottle],
    ['charts', `${bottle}/charts`],
    ['adherence', `${bottle}/adherence`],
    ['schedule', `${bottle}/schedule`],
    ['alerts', '/alerts'],
    ['register', '/register'],
    ['audit', '/audit'],
  ];
  const person = await desk.person('admin', 'Carol Smith');
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await desk.at('/', person, { colorScheme, viewport: { width: 1280, height: 800 } });
    for (const [name, path] of pages) {
      await page.goto(path, { waitUntil: 'networkidle' });
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
    }
    await page.context().close();
  }
}
