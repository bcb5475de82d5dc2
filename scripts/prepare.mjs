/**
 * Brings a checkout to the point where it can run: installs the locked packages, compiles, and builds the console,
 * each only when something has changed since the last time. Quiet when there is nothing to do.
 *
 * `--server` leaves out the console, for commands that serve no page; `--packages` only installs. Types are not checked
 * here: `npm run check` does.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
process.chdir(root);

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Pillwatch needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

/** @param {string} stamp @param {string} key @param {() => void} work */
function unlessDone(stamp, key, work) {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === key) return;
  work();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, key);
}

/** @param {string} title @param {string} command @param {string[]} args */
function run(title, command, args) {
  console.log(`> ${title}`);
  const done = spawnSync(command, args, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
  if (done.status !== 0) {
    console.error(done.stdout + done.stderr);
    console.error(`"${[command, ...args].join(' ')}" failed.`);
    process.exit(1);
  }
}

const CONSOLE = 'apps/console';

/** @param {string} folder @returns {string[]} */
function files(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.spec.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** What services and tools are compiled from. @param {string} folder @returns {string[]} */
function sources(folder) {
  return files(folder).filter((file) => file.endsWith('.ts') && !file.startsWith(join(CONSOLE, '/')));
}

/** Changes when one of these files does. @param {string[]} paths */
function stateOf(paths) {
  const tree = createHash('sha256').update(lock);
  for (const file of paths.toSorted()) tree.update(`${file}:${statSync(file).mtimeMs}\n`);
  return tree.digest('hex');
}

const lock = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
unlessDone('node_modules/.pillwatch-installed', lock, () =>
  run('Installing packages (npm ci)', 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']),
);

const settings = ['tsconfig.json', 'tsconfig.build.json', 'tools/tsconfig.json'];
if (process.argv.includes('--packages')) process.exit();

unlessDone(
  'dist/.pillwatch-built',
  stateOf([...settings, ...['apps', 'libs', 'tools'].flatMap(sources)]),
  () => run('Compiling', process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tools', '--noCheck']),
);

if (!process.argv.includes('--server')) {
  unlessDone('dist/apps/console/.pillwatch-built', stateOf(files(CONSOLE)), () => {
    const options = ['--config', `${CONSOLE}/vite.config.ts`, '--logLevel', 'warn'];
    run('Building the console', process.execPath, ['node_modules/vite/bin/vite.js', 'build', ...options]);
    run('Compressing it', process.execPath, ['scripts/compress-console.mjs', 'dist/apps/console']);
  });
}
