export default async function globalTeardown() {
  await globalThis.__PILLWATCH_TEST_DATABASE__?.stop();
}
