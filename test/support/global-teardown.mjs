import { rm } from 'node:fs/promises';

export default async function globalTeardown() {
  const { folder, database } = globalThis.__PILLWATCH_TEST__;
  await database?.stop();
  await rm(folder, { recursive: true, force: true });
}
