import { createRequire } from 'node:module';

type Run = (
  globalConfig: object,
  config: { testTimeout: number; globals: { TITLES: string } },
  ...rest: unknown[]
) => unknown;

const circus = createRequire(import.meta.url)(
  createRequire(createRequire(import.meta.url).resolve('jest')).resolve('jest-circus/runner'),
) as Run | { default: Run };

/** Jest's runner, with titles and a time limit of the project's own: Jest itself has one of each for all projects. */
export default function run(globalConfig: object, config: Parameters<Run>[1], ...rest: unknown[]): unknown {
  const inner = typeof circus === 'function' ? circus : circus.default;
  const { testTimeout, globals } = config;
  const testNamePattern = globals.TITLES === '' ? undefined : globals.TITLES;
  return inner({ ...globalConfig, testTimeout, testNamePattern }, config, ...rest);
}
