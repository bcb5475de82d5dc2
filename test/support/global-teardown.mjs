import { rm } from 'node:fs/promises';

export default async function globalTeardown() {
  const started = globalThis.__PILLWATCH_TEST_DATABASE__;
  if (!started) return;
  await started.database.stop();
  await rm(started.dataDir, { recursive: true, force: true });
}
