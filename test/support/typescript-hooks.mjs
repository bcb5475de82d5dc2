/**
 * Hooks of Node's module loader: TypeScript is compiled as it is loaded, the names of the libraries lead to their sources,
 * and `@jest/globals` to a `jest` object for Node's own globals.
 */
import { transform } from '@swc/core';
import { existsSync, readFileSync } from 'node:fs';
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

/**
 * What the trials of planted faults (tools/mutants) load instead of a file, by their place in the list. A trial has
 * modules of its own: their addresses end in `trial=PLACE`.
 * @type {({ path: string, code: string } | null)[]}
 */
const planted = JSON.parse(
  process.env.PILLWATCH_PLANTED_FAULTS ? readFileSync(process.env.PILLWATCH_PLANTED_FAULTS, 'utf8') : '[]',
);
/** Addresses of our files by who imports them and how: trials ask for the same. @type {Map<string, string>} */
const sources = new Map();
/** Code of our files. @type {Map<string, string>} */
const compiled = new Map();

/** @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, nextResolve) {
  if (specifier === '@jest/globals')
    return { url: new URL('jest-object.mjs', import.meta.url).href, shortCircuit: true };
  const parent = new URL(context.parentURL ?? ROOT);
  const asked = `${specifier} ${parent.pathname}`;
  const source = sources.get(asked) ?? sourceOf(specifier, parent);
  if (!source) return nextResolve(specifier, context);
  sources.set(asked, source);
  const trial = parent.searchParams.get('trial');
  return { url: trial === null ? source : `${source}?trial=${trial}`, shortCircuit: true };
}

/** The address of one of our TypeScript files; undefined if it is something else. */
function sourceOf(/** @type {string} */ specifier, /** @type {URL} */ parent) {
  if (LIBRARIES.includes(specifier)) return new URL(`libs/${specifier.slice(1)}/src/index.ts`, ROOT).href;
  if (!specifier.startsWith('.') || !specifier.endsWith('.js')) return undefined;
  const source = new URL(specifier.replace(/\.js$/, '.ts'), parent);
  if (source.protocol !== 'file:' || source.pathname.includes('/node_modules/')) return undefined;
  return existsSync(source) ? source.href : undefined;
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, nextLoad) {
  const { pathname, searchParams } = new URL(url);
  if (!pathname.endsWith('.ts')) return nextLoad(url, context);
  const filename = fileURLToPath(new URL(pathname, 'file:'));
  const fault = planted[Number(searchParams.get('trial') ?? NaN)];
  const source =
    fault?.path === filename ? fault.code : (compiled.get(filename) ?? (await compile(filename)));
  return { format: 'module', source, shortCircuit: true };
}

/** @param {string} filename */
async function compile(filename) {
  const options = { ...COMPILER, filename, sourceMaps: /** @type {const} */ ('inline'), swcrc: false };
  const { code } = await transform(await readFile(filename, 'utf8'), options);
  compiled.set(filename, code);
  return code;
}
