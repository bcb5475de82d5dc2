import { type Clock, startEmbeddedDatabase } from '#platform';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SizingRequest } from './command-line.js';
import type { SizingConfig } from './config.js';
import { measure } from './measure.js';
import { report } from './report.js';
import { SAMPLE, type Sample } from './sample.js';

/** Where `--write` puts the answer, from the project's root. */
export const WRITTEN = 'docs/sizing.md';

export interface Surroundings {
  /** Takes the answer. */
  say: (text: string) => void;
  /** Takes what is being done, which is no part of the answer. */
  note: (text: string) => void;
  clock: Clock;
  sample?: Sample;
}

/** Measures a sample, computes the sizing of the requested fleet, and prints it as Markdown. */
export async function runSizing(
  request: SizingRequest,
  config: SizingConfig,
  { say, note, clock, sample = SAMPLE }: Surroundings,
): Promise<void> {
  const measurement = await onDatabase(config, note, (uri) => measure(uri, sample, clock.now(), note));
  const answer = report(request, measurement);
  say(answer);
  if (!request.write) return;
  await writeFile(WRITTEN, answer);
  note(`written to ${WRITTEN}`);
}

async function onDatabase<T>(
  { MONGODB_URI, MONGOD_BINARY }: SizingConfig,
  note: (text: string) => void,
  work: (uri: string) => Promise<T>,
): Promise<T> {
  if (MONGODB_URI !== undefined) return work(MONGODB_URI);
  const dataDir = await mkdtemp(join(tmpdir(), 'pillwatch-sizing-'));
  try {
    const database = await startEmbeddedDatabase({ dataDir, binary: MONGOD_BINARY, log: note });
    try {
      return await work(database.uri);
    } finally {
      await database.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
