/**
 * Notes in docs/images which state of the console's pages the pictures show; `npm run screenshots` does so when it has
 * taken them. `--check` names the pages that have changed since, and exits 0: CI says it, and a release takes new ones.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';

const SOURCES = 'apps/console/src';
const FILE = 'docs/images/taken-of.json';

/** What a picture cannot show: how data is fetched, and other languages. */
const isShown = (/** @type {string} */ file) =>
  /\.(tsx?|css)$/.test(file) && !file.endsWith('.spec.ts') && !/^(api|i18n)\//.test(file);

/** `features/bottle`, or the folder beside the features. @param {string} file */
const partOf = (file) =>
  file
    .split(sep)
    .slice(0, file.startsWith('features') ? 2 : 1)
    .join('/');

/** A hash of each part of the pages. @returns {Record<string, string>} */
function present() {
  /** @type {Map<string, import('node:crypto').Hash>} */
  const parts = new Map();
  for (const file of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(isShown).toSorted()) {
    const part = partOf(file);
    const hash = parts.get(part) ?? createHash('sha256');
    parts.set(part, hash.update(`${file}\n`).update(readFileSync(join(SOURCES, file))));
  }
  return Object.fromEntries([...parts].map(([part, hash]) => [part, hash.digest('hex').slice(0, 16)]));
}

const now = present();
if (process.argv.includes('--check')) {
  const taken = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {};
  const changed = Object.keys({ ...taken, ...now }).filter((part) => taken[part] !== now[part]);
  console.log(
    changed.length === 0
      ? 'docs/images shows the pages as they are'
      : `docs/images is older than ${changed.join(', ')}: npm run screenshots`,
  );
} else writeFileSync(FILE, `${JSON.stringify(now, null, 2)}\n`);
