/** `npm run check`: formatting, lint and types, as many at once as there are cores. Prints what fails and its time. */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

const bin = (/** @type {string} */ path) => `node_modules/${path}`;
/** Longest first. @type {[string, string[]][]} */
const CHECKS = [
  ['lint and types', [bin('oxlint/bin/oxlint'), '--type-aware', '--type-check', '--deny-warnings']],
  ['words', ['scripts/check-words.mjs']],
  ['release', ['scripts/release.mjs', '--check']],
  ['error codes', ['scripts/error-codes.mjs', '--check']],
  ['OpenAPI and the types of the console', ['scripts/openapi.mjs', '--check']],
  ['settings', ['scripts/settings.mjs', '--check']],
  ['layout of e-mails', ['scripts/mail-layout.mjs', '--check']],
  ['contact fields', ['scripts/contact-fields.mjs', '--check']],
  ['formatting', [bin('oxfmt/bin/oxfmt'), '--check']],
];

/** @param {string[]} args @returns {Promise<{ ok: boolean, output: string }>} */
function run(args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('close', (code) => resolve({ ok: code === 0, output }));
  });
}

let failed = false;
const waiting = [...CHECKS];
async function work() {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [name, args] = next;
    const began = performance.now();
    const { ok, output } = await run(args);
    failed ||= !ok;
    if (!ok) console.error(output.trim());
    console.log(`${ok ? 'ok    ' : 'FAILED'} ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, work));
process.exitCode = failed ? 1 : 0;
