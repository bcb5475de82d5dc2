import { runAdmin } from './run-admin.js';

const code = await runAdmin(process.argv.slice(2), {
  input: process.stdin,
  say: (text) => void process.stdout.write(`${text}\n`),
  note: (text) => void process.stderr.write(`${text}\n`),
});
process.exit(code);
