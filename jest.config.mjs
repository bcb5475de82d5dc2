/** `unit` needs nothing, `e2e` starts a real mongod (test/support/global-setup.mjs), `after` looks back at it. */
const common = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        },
        module: { type: 'es6' },
      },
    ],
  },
  moduleNameMapper: {
    '^#(domain|persistence|platform|timeseries)$': '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
};

export default {
  testTimeout: 120_000,
  // two files at a time, also on two cores: most of their time they wait for a database or a process
  maxWorkers: 2,
  projects: [
    { ...common, displayName: 'unit', testMatch: ['<rootDir>/(apps|libs|tools)/**/*.spec.ts'] },
    {
      ...common,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/**/*.e2e.ts'],
      setupFiles: ['<rootDir>/test/support/record-commands.mjs'],
      globalSetup: '<rootDir>/test/support/global-setup.mjs',
      globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
    },
    // reads what the others have left behind: scripts/test.mjs runs it last
    { ...common, displayName: 'after', testMatch: ['<rootDir>/test/**/*.after.ts'] },
  ],
};
