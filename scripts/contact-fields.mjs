/**
 * Writes the table of a contact's fields in docs/reference.md from the descriptions that support-api's OpenAPI has of
 * them. `--check` fails if the table is not that of the code.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { format } from 'oxfmt';
import ts from 'typescript';

const SOURCE = 'apps/support-api/src/contacts/contact.dto.ts';
const FILE = 'docs/reference.md';

const { statements } = ts.createSourceFile(
  SOURCE,
  readFileSync(SOURCE, 'utf8'),
  ts.ScriptTarget.Latest,
  true,
);

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

const rows = ['ContactDetailsDto', 'ContactDto'].flatMap((name) => {
  const found = statements.filter(ts.isClassDeclaration).find((each) => each.name?.text === name);
  if (!found) throw new Error(`${SOURCE} has no class ${name}`);
  return found.members.filter(ts.isPropertyDeclaration).map((member) => {
    const field = member.name.getText();
    const description = descriptionIn(member);
    if (description === undefined) throw new Error(`${name}.${field} has no description`);
    return `| \`${field}\` | ${description} |\n`;
  });
});

const old = readFileSync(FILE, 'utf8');
const { code: text } = await format(
  FILE,
  old.replace(
    /(?<=^## Contact\n[^]*?)(?:^\|.*\n)+/m,
    () => `| field | meaning |\n| --- | --- |\n${rows.join('')}`,
  ),
  JSON.parse(readFileSync('.oxfmtrc.json', 'utf8')),
);
if (!process.argv.includes('--check')) writeFileSync(FILE, text);
else if (old !== text) {
  console.error(`${FILE} is not that of the code: run node scripts/contact-fields.mjs`);
  process.exit(1);
}
