import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';

/** A setting is wrong: the message names the keys, never their values (they may be secrets). */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`Wrong configuration:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/**
 * Reads one app's typed settings out of the environment and validates them once, at start.
 * An empty string counts as not set, as compose files write it.
 *
 * @throws ConfigError naming every wrong key.
 */
export function loadConfig<T extends object>(type: new () => T, env: NodeJS.ProcessEnv = process.env): T {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const config = plainToInstance(type, given, { exposeDefaultValues: true });
  const errors = validateSync(config, {
    skipMissingProperties: false,
    validationError: { target: false, value: false },
  });
  if (errors.length > 0) {
    throw new ConfigError(errors.flatMap((error) => Object.values(error.constraints ?? {})));
  }
  return config;
}
