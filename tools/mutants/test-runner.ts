import { createRequire } from 'node:module';

type Run = (globalConfig: object, config: { globals: { TITLES: string } }, ...rest: unknown[]) => unknown;

const circus = createRequire(import.meta.url)(
  createRequire(createRequire(import.meta.url).resolve('jest')).resolve('jest-circus/runner'),
) as Run | { default: Run };

/** Jest's runner, with titles of the project's own: Jest itself has one pattern for all projects. */
export default function run(globalConfig: object, config: Parameters<Run>[1], ...rest: unknown[]): unknown {
  const inner = typeof circus === 'function' ? circus : circus.default;
  const { TITLES } = config.globals;
  return inner({ ...globalConfig, testNamePattern: TITLES === '' ? undefined : TITLES }, config, ...rest);
}
