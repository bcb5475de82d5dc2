/**
 * Writes the table of a contact's fields in docs/reference.md from the descriptions that support-api's OpenAPI has of
 * them. `--check` fails if the table is not that of the code.
 */
import { readFileSync } from 'node:fs';
import { format } from 'oxfmt';
import ts from 'typescript';
import { classIn, writeOrCheck } from './from-code.mjs';

const FOLDER = 'apps/support-api/src/contacts';
const FILE = 'docs/reference.md';

/** The text of a literal, or of several with `+` between them. @param {ts.Expression} node @returns {string} */
function textOf(node) {
  if (ts.isBinaryExpression(node)) return textOf(node.left) + textOf(node.right);
  if (ts.isStringLiteral(node)) return node.text;
  throw new Error(`write the description ${node.getText()} as a literal`);
}

/** @param {ts.Node} node @returns {string | undefined} */
function descriptionIn(node) {
  if (ts.isPropertyAssignment(node) && node.name.getText() === 'description') return textOf(node.initializer);
  return ts.forEachChild(node, descriptionIn);
}

const CLASSES = /** @type {const} */ ([
  ['contact-details.dto.ts', 'ContactDetailsDto'],
  ['contact.dto.ts', 'ContactDto'],
]);
const rows = CLASSES.flatMap(([file, name]) =>
  classIn(`${FOLDER}/${file}`, name)
    .members.filter(ts.isPropertyDeclaration)
    .map((member) => {
      const field = member.name.getText();
      const description = descriptionIn(member);
      if (description === undefined) throw new Error(`${name}.${field} has no description`);
      return `| \`${field}\` | ${description} |\n`;
    }),
);

const old = readFileSync(FILE, 'utf8');
const { code: text } = await format(
  FILE,
  old.replace(
    /(?<=^## Contact\n[^]*?)(?:^\|.*\n)+/m,
    () => `| field | meaning |\n| --- | --- |\n${rows.join('')}`,
  ),
  JSON.parse(readFileSync('.oxfmtrc.json', 'utf8')),
);
writeOrCheck(FILE, text);
