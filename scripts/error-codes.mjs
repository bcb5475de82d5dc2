/**
 * Writes the table of support-api's error codes in docs/errors.md from the code: every `Problem` that support-api or the
 * platform creates. `--check` fails if the table is not that of the code.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import ts from 'typescript';

const FOLDERS = ['apps/support-api/src', 'libs/platform/src/http'];
const FILE = 'docs/errors.md';

/** @type {Map<string, string>} `status code` and what the response says */
const found = new Map();

/** A literal's text; the inserted parts of a template as `...`. @param {ts.Node | undefined} node */
function textOf(node) {
  if (!node) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `...${literal.text}`).join('');
}

/** @param {number} status @param {ts.Node | undefined} code @param {ts.Node | undefined} detail */
function add(status, code, detail) {
  const name = textOf(code);
  if (name !== undefined && !name.includes('...') && !found.has(`${status} ${name}`))
    found.set(`${status} ${name}`, textOf(detail) ?? '...');
}

/** @param {ts.Node} node */
function visit(node) {
  const call = ts.isNewExpression(node) || ts.isCallExpression(node) ? node.expression.getText() : undefined;
  const given = ts.isNewExpression(node) || ts.isCallExpression(node) ? [...(node.arguments ?? [])] : [];
  const list = ts.isArrayLiteralExpression(node) ? [...node.elements] : call === 'Problem' ? given : [];
  if (list[0] && ts.isNumericLiteral(list[0]) && list.length >= 3)
    add(Number(list[0].text), list[1], list[2]);
  const [first, second, third, fourth] = given;
  if (call === 'Problem.notFound' && textOf(first) !== undefined)
    found.set(`404 ${textOf(first)}_not_found`, `There is no such ${textOf(first)}.`);
  if (call === 'Problem.unavailable') add(503, first, second);
  if (call === 'Problem.field')
    add(fourth && ts.isNumericLiteral(fourth) ? Number(fourth.text) : 400, second, third);
  ts.forEachChild(node, visit);
}

for (const folder of FOLDERS)
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.ts') && !name.endsWith('.spec.ts')) {
      const path = join(folder, name);
      visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true));
    }

const rows = [...found].sort(([one], [other]) => one.localeCompare(other));
const table = [
  '# Error codes of support-api',
  '',
  'Every refusal is `application/problem+json` (RFC 9457) with a stable `code`. With 400, `errors` names each wrong field. ' +
    'A 500 has only an `error_id`, which is in the log. `node scripts/error-codes.mjs` writes this table from the code; ' +
    '`...` stands for what depends on the request.',
  '',
  '| status | code | says |',
  '| --- | --- | --- |',
  ...rows.map(([key, says]) => {
    const [status, code] = key.split(' ');
    return `| ${status} | \`${code}\` | ${says.replaceAll('|', '\\|')} |`;
  }),
].join('\n');
const text = await format(`${table}\n`, { ...(await resolveConfig(FILE)), parser: 'markdown' });
if (!process.argv.includes('--check')) writeFileSync(FILE, text);
else if (readFileSync(FILE, 'utf8') !== text) {
  console.error(`${FILE} is not that of the code: run node scripts/error-codes.mjs`);
  process.exit(1);
}
