/**
 * Writes the table of support-api's error codes in docs/errors.md from the code: every `Problem` and every error of a
 * field that support-api, the platform or the domain creates. A code that it cannot read from the code is an error.
 * `--check` fails if the table is not that of the code.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import ts from 'typescript';
import { parse, writeOrCheck } from './from-code.mjs';

const FOLDERS = ['apps/support-api/src', 'libs/platform/src', 'libs/domain/src'];
const FILE = 'docs/errors.md';

/** @type {Map<string, string>} `status code` and what the response says */
const found = new Map();
/** @type {[ts.Node | undefined, ts.Node | undefined][]} the code and the message of each error of a field */
const fieldErrors = [];

/** A literal's text; the inserted parts of a template as `...`. @param {ts.Node | undefined} node */
function textOf(node) {
  if (!node) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `...${literal.text}`).join('');
}

/** The codes that an expression may be. What is only passed on is read where it is made. @param {ts.Node} node @returns {string[]} */
function codesOf(node) {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isBinaryExpression(node)) return [...codesOf(node.left), ...codesOf(node.right)];
  if (ts.isConditionalExpression(node)) return [...codesOf(node.whenTrue), ...codesOf(node.whenFalse)];
  if (ts.isElementAccessExpression(node)) return valuesOf(node.expression);
  const isPassedOn = ts.isPropertyAccessExpression(node) ? node.name.text : node.getText();
  if (['code', 'name'].includes(isPassedOn)) return [];
  // of Problem.notFound, whose calls are read
  if (node.getText() === '`${what}_not_found`') return [];
  const { line } = node.getSourceFile().getLineAndCharacterOfPosition(node.getStart());
  throw new Error(
    `${node.getSourceFile().fileName}:${line + 1}: write the code ${node.getText()} as a literal`,
  );
}

/** The values of a constant object in the same file. @param {ts.Node} name @returns {string[]} */
function valuesOf(name) {
  const declared = name
    .getSourceFile()
    .statements.filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .find((one) => one.name.getText() === name.getText())?.initializer;
  if (!declared || !ts.isObjectLiteralExpression(declared)) return [];
  return declared.properties.flatMap((one) => (ts.isPropertyAssignment(one) ? codesOf(one.initializer) : []));
}

/** A number, or the numbers that a parameter may be. @param {ts.Node | undefined} node @returns {string[]} */
function statusesOf(node) {
  if (node && ts.isNumericLiteral(node)) return [node.text];
  const within = node && ts.findAncestor(node, ts.isFunctionDeclaration);
  const type = within?.parameters.find(({ name }) => name.getText() === node?.getText())?.type;
  const isUnion = type && ts.isUnionTypeNode(type) && type.types.every(ts.isLiteralTypeNode);
  return isUnion ? type.types.map((each) => each.getText()) : ['4xx'];
}

/** @param {ts.Node | undefined} status @param {ts.Node | undefined} code @param {ts.Node | undefined} detail */
function add(status, code, detail) {
  if (!code) return;
  const names = codesOf(code);
  for (const key of statusesOf(status).flatMap((number) => names.map((name) => `${number} ${name}`)))
    if (!found.has(key) || found.get(key) === '...') found.set(key, textOf(detail) ?? '...');
}

const BAD_REQUEST = ts.factory.createNumericLiteral(400);

/** @param {ts.Node} node */
function visit(node) {
  const call = ts.isNewExpression(node) || ts.isCallExpression(node) ? node.expression.getText() : undefined;
  const given = ts.isNewExpression(node) || ts.isCallExpression(node) ? [...(node.arguments ?? [])] : [];
  const [first, second, third, fourth] = given;
  if (['Problem', 'problemBody', 'problemAnswer'].includes(call ?? '')) add(first, second, third);
  // the arguments of a Problem, as a list
  const [status, code, detail, ...more] = ts.isArrayLiteralExpression(node) ? node.elements : [];
  if (status && ts.isNumericLiteral(status) && detail && more.length === 0 && textOf(code) !== undefined)
    add(status, code, detail);
  if (call === 'Problem.notFound' && textOf(first) !== undefined)
    found.set(`404 ${textOf(first)}_not_found`, `There is no such ${textOf(first).replace('api_', 'API ')}.`);
  if (call === 'Problem.unavailable') add(ts.factory.createNumericLiteral(503), first, second);
  if (call === 'Problem.field') add(fourth ?? BAD_REQUEST, second, third);
  if (ts.isObjectLiteralExpression(node)) addFieldError(node);
  // of an error that becomes a Problem
  if (ts.isPropertyDeclaration(node) && node.name.getText() === 'code' && node.initializer)
    add(BAD_REQUEST, node.initializer, undefined);
  ts.forEachChild(node, visit);
}

/** The error of one field: `{ field, code, message }`. @param {ts.ObjectLiteralExpression} node */
function addFieldError({ properties }) {
  const given = Object.fromEntries(
    properties.filter(ts.isPropertyAssignment).map(({ name, initializer }) => [name.getText(), initializer]),
  );
  const names = properties.map(({ name }) => name?.getText());
  const isSchema = given['code'] && ts.isObjectLiteralExpression(given['code']);
  if (names.includes('field') && names.includes('message') && !isSchema)
    fieldErrors.push([given['code'], given['message']]);
}

for (const folder of FOLDERS)
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.ts') && !name.endsWith('.spec.ts')) visit(parse(join(folder, name)));

const isFound = (/** @type {string} */ code) => [...found.keys()].some((key) => key.endsWith(` ${code}`));
// those of a Problem with another status have its code
for (const [code, message] of fieldErrors)
  if (code && codesOf(code).some((each) => !isFound(each))) add(BAD_REQUEST, code, message);
for (const key of [...found.keys()].filter((each) => each.startsWith('4xx'))) {
  const says = found.get(key);
  found.delete(key);
  if (says && !isFound(key.slice(4))) found.set(key, says);
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
const { code: text } = await format(FILE, `${table}\n`);
writeOrCheck(FILE, text);
