import { createRequire } from 'node:module';

/** The internals of a package are used, and the installed version is not one that this was checked with. */
export class UnknownVersionError extends Error {
  override readonly name = 'UnknownVersionError';
}

/** A package whose internals an adapter uses. */
export interface InternalsOf {
  name: string;
  /** The versions that the adapter was checked with. */
  known: readonly string[];
  /** The adapter's file, for the error. */
  adapter: string;
}

/**
 * Loads a private module of a package. Its shape may change in any release, so an adapter loads it by this function
 * only, when the process starts.
 *
 * @param from the `import.meta.url` of the adapter, or a file of the package that depends on this one.
 * @param path the module, below the package's folder.
 * @throws UnknownVersionError
 */
export function requireInternals<T>({ name, known, adapter }: InternalsOf, from: string, path: string): T {
  const require = createRequire(from);
  const { version } = require(`${name}/package.json`) as { version: string };
  if (!known.includes(version)) {
    throw new UnknownVersionError(
      `${name} ${version} is installed, but ${adapter} uses internals of ${name} and was checked with ` +
        `${known.join(', ')} only. Install one of these, or check the adapter and add the version to it.`,
    );
  }
  return require(`${name}/${path}`) as T;
}
