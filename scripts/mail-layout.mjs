/**
 * Writes the HTML of e-mails, apps/notifier/src/delivery/channels/email/layout.ts, from layout.mjml beside it: MJML
 * (mjml.io) is made into what mail programs show, Outlook too, before a release and not for each mail. A part that a mail
 * has none or several times is marked `<!--name-->` to `<!--/name-->`. `--check` fails if the file is not that of the MJML.
 */
import { readFileSync } from 'node:fs';
import { Engine } from 'mrml';
import { format } from 'oxfmt';
import { writeOrCheck } from './from-code.mjs';

const FOLDER = 'apps/notifier/src/delivery/channels/email';
/** The marked parts, inner ones first, and the name under which they are put in. @type {[string, string][]} */
const PARTS = [
  ['logo', '${logo}'],
  ['line', '${lines}'],
  // among the lines
  ['button', ''],
  ['message', '${messages}'],
  ['foot', '${foot}'],
];

const made = new Engine().toHtml(readFileSync(`${FOLDER}/layout.mjml`, 'utf8'));
if (made.type !== 'success') throw new Error(`layout.mjml: ${JSON.stringify(made)}`);
let rest = made.content;
/** @type {Record<string, string>} */
const parts = {};
for (const [name, inserted] of PARTS) {
  const marked = new RegExp(`<!--${name}-->(.*?)<!--/${name}-->`, 's');
  const [all, part] = marked.exec(rest) ?? [];
  if (all === undefined || part === undefined) throw new Error(`layout.mjml has no part ${name}`);
  parts[name] = part.trim();
  rest = rest.replace(all, () => inserted);
}
const written = Object.entries({ document: rest, ...parts }).map(
  ([name, text]) => `  ${name}: ${JSON.stringify(text)},`,
);
const source = [
  '/** The HTML of e-mails by its parts, with `${name}` for what is put in; written by scripts/mail-layout.mjs. */',
  '// oxlint-disable no-template-curly-in-string',
  'export const LAYOUT = {',
  ...written,
  '} as const;',
  '',
].join('\n');
const { code } = await format('layout.ts', source, {
  singleQuote: true,
  printWidth: 110,
  trailingComma: 'all',
});
writeOrCheck(`${FOLDER}/layout.ts`, code);
