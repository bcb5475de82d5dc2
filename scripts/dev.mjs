/**
 * `npm run dev`: the database, the services and the console, each following the sources.
 *
 * - The database is the embedded one (or `MONGODB_URI`). It keeps running while the services restart.
 * - `tsc --watch` compiles what you save; `node --watch` restarts the services when their compiled files change.
 * - Vite serves the console from its sources and forwards API requests to support-api.
 *
 * Ctrl-C ends all of it. The services accept a debugger on port 9229.
 */
import { startEmbeddedDatabase } from '#platform';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'vite';

const { DATA_DIR: dataDir = '.data', MONGOD_BINARY: binary, SUPPORT_API_PORT = '3001' } = process.env;

let stopping = false;
/** @type {{ child: import('node:child_process').ChildProcess, exited: Promise<unknown> }[]} */
const children = [];

/** @param {string[]} args @param {NodeJS.ProcessEnv} [env] */
function startNode(args, env = {}) {
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  children.push({ child, exited: once(child, 'exit') });
  child.once('exit', () => void stop(1));
}

/** @param {number} code */
async function stop(code) {
  if (stopping) return;
  stopping = true;
  for (const { child } of children) child.kill('SIGTERM');
  await Promise.all([vite?.close(), ...children.map(({ exited }) => exited)]);
  await database?.stop();
  process.exit(code);
}

/** @type {import('vite').ViteDevServer | undefined} */
let vite;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void stop(0));

const database =
  process.env.MONGODB_URI === undefined
    ? await startEmbeddedDatabase({ dataDir, log: console.log, ...(binary && { binary }) })
    : undefined;

const supportApi = `http://localhost:${SUPPORT_API_PORT}`;
vite = await createServer({
  configFile: 'apps/console/vite.config.ts',
  logLevel: 'warn',
  server: { port: 5173, proxy: { '/v1': supportApi, '/a/': supportApi, '/docs': supportApi } },
});
await vite.listen();
// another port than asked for, if that one is taken
const consoleAddress = vite.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? '';

startNode(['node_modules/typescript/bin/tsc', '-p', 'tools', '--watch', '--preserveWatchOutput']);
startNode(
  [
    '--watch',
    '--watch-preserve-output',
    '--enable-source-maps',
    '--inspect',
    'dist/tools/dev/services.js',
    consoleAddress,
  ],
  database ? { MONGODB_URI: database.uri } : {},
);
