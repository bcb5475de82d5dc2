import { DAY_MS } from '#domain';
import { CONTACT_CHANNELS, CoverageRepository } from '#persistence';
import { startEmbeddedDatabase } from '#platform';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BrowserHarness } from '../browser/harness.js';
import { simulateFleet } from '../browser/sample-fleet/simulate-fleet.js';
import { takeMessagePictures } from './take-message-pictures.js';
import { takePictures } from './take-pictures.js';

/**
 * `npm run screenshots`: runs the real services with ten bottles over a simulated month and writes a picture
 * of each page, light and dark, to docs/images; also of a mail and the page behind its link.
 */
const DAYS = 31;
const BEAT_MS = 15_000;

const dataDir = await mkdtemp(join(tmpdir(), 'pillwatch-screenshots-'));
const database = await startEmbeddedDatabase({ dataDir, log: (line) => console.log(line) });
process.env['PILLWATCH_TEST_MONGODB_URI'] = database.uri;
const folder = 'docs/images';
try {
  await takeMessagePictures(folder);
  const end = new Date();
  const harness = await BrowserHarness.start('screenshots', {}, new Date(end.getTime() - DAYS * DAY_MS));
  try {
    console.log(`Simulating ${DAYS} days ...`);
    const bottles = await simulateFleet(harness.services, harness.address, end, DAY_MS);
    // its jobs were run by hand
    const { support, clock } = harness.services;
    await support
      .get(CoverageRepository)
      .beat('notifier', undefined, clock.now(), BEAT_MS, { channels: [...CONTACT_CHANNELS] });
    await takePictures(harness, bottles, folder);
  } finally {
    await harness.stop();
  }
} finally {
  await database.stop();
  await rm(dataDir, { recursive: true, force: true });
}
