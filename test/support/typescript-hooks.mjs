/**
 * Hooks of Node's module loader: TypeScript is compiled as it is loaded, the names of the libraries lead to their sources,
 * and `@jest/globals` to a `jest` object for Node's own globals.
 */
import { transform } from '@swc/core';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** How TypeScript is compiled. @type {import('@swc/core').Options} */
export const COMPILER = {
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    experimental: { keepImportAttributes: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
  module: { type: 'es6' },
};

const ROOT = new URL('../../', import.meta.url);
const LIBRARIES = ['#domain', '#persistence', '#platform', '#timeseries'];

const found = (/** @type {URL} */ url) => ({ url: url.href, shortCircuit: true });

/** @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, nextResolve) {
  if (LIBRARIES.includes(specifier)) return found(new URL(`libs/${specifier.slice(1)}/src/index.ts`, ROOT));
  if (specifier === '@jest/globals') return found(new URL('jest-object.mjs', import.meta.url));
  if (specifier.startsWith('.') && specifier.endsWith('.js')) {
    const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (source.protocol === 'file:' && !source.pathname.includes('/node_modules/') && existsSync(source))
      return found(source);
  }
  return nextResolve(specifier, context);
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, nextLoad) {
  const { pathname } = new URL(url);
  if (!pathname.endsWith('.ts')) return nextLoad(url, context);
  const filename = fileURLToPath(new URL(pathname, 'file:'));
  const options = { ...COMPILER, filename, sourceMaps: /** @type {const} */ ('inline'), swcrc: false };
  const { code } = await transform(await readFile(filename, 'utf8'), options);
  return { format: 'module', source: code, shortCircuit: true };
}
