/**
 * `unit` needs nothing. `e2e` and `soak` start a real mongod (test/support/global-setup.mjs). `e2e` is what a change is
 * likely to break: of each rule that no shorter test proves a scenario, of each route its contract, one flow in a
 * browser. `soak` has the rest; files named `*.e2e.soak.ts` and `*.soak.spec.ts` are in both, short in `npm test` and
 * long in `soak`. `after` reads what the e2e tests have asked of the database. `monitoring` (`npm run test:monitoring`)
 * takes minutes and needs Prometheus and Alertmanager.
 *
 * Node itself loads the tests (test/support/node-runtime.mjs). An `*.e2e.ts` file of an area imports several files of
 * `*.cases.ts`, so that every worker has something to do until the end.
 */

const common = {
  runtime: '<rootDir>/test/support/node-runtime.mjs',
  testEnvironment: '<rootDir>/test/support/environment.mjs',
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
};

const withDatabase = {
  ...common,
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
};

export default {
  // generous: a test ends by its conditions, not by the machine's speed
  testTimeout: 600_000,
  // three files at a time, also on two cores: they wait for a database, a process or a browser; with four, the end-to-end
  // tests need more CPU seconds, and are no faster
  maxWorkers: 3,
  testSequencer: '<rootDir>/test/support/order.mjs',
  projects: [
    { ...common, displayName: 'unit', testMatch: ['<rootDir>/(apps|libs|tools)/**/*.spec.ts'] },
    {
      ...withDatabase,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/**/*.e2e.ts', '<rootDir>/test/**/*.e2e.soak.ts'],
      setupFiles: ['<rootDir>/test/support/record-commands.mjs'],
    },
    {
      ...withDatabase,
      displayName: 'soak',
      testMatch: ['<rootDir>/test/**/*.soak.ts', '<rootDir>/(apps|libs|tools)/**/*.soak.spec.ts'],
      globals: { IN_SOAK: true },
    },
    { ...withDatabase, displayName: 'monitoring', testMatch: ['<rootDir>/test/ops/monitoring.drill.ts'] },
    { ...common, displayName: 'after', testMatch: ['<rootDir>/test/**/*.after.ts'] },
  ],
};
