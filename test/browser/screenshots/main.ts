import { startEmbeddedDatabase } from '#platform';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Desk } from '../desk.js';
import { tellStory } from '../story/story.js';
import { takePictures } from './take-pictures.js';

/**
 * `npm run screenshots`: real services, ten bottles and a month of their lives, and a picture of each page in light
 * and dark, into docs/images.
 */
const DAYS = 31;
const DAY_MS = 24 * 60 * 60_000;

const dataDir = await mkdtemp(join(tmpdir(), 'pillwatch-screenshots-'));
const database = await startEmbeddedDatabase({ dataDir, log: (line) => console.log(line) });
process.env['PILLWATCH_TEST_MONGODB_URI'] = database.uri;
const end = new Date();
const desk = await Desk.open('screenshots', {}, new Date(end.getTime() - DAYS * DAY_MS));
try {
  console.log(`${DAYS} days pass ...`);
  const bottles = await tellStory(desk.world, end, DAY_MS);
  await takePictures(desk, bottles, 'docs/images');
} finally {
  await desk.close();
  await database.stop();
  await rm(dataDir, { recursive: true, force: true });
}
