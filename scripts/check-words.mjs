/**
 * Finds words that docs/glossary.md has replaced: in identifiers, in names of files, and in prose (comments, messages,
 * labels, docs). Prints `file:line: old -> new` for each and exits 1 if there are any. `--counts` prints only how many
 * each folder has. Names given as arguments limit the search to files below them.
 *
 * Persisted and public names keep their value, so names in snake_case are never reported.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import ts from 'typescript';

/**
 * Words of identifiers and of names of files, split at capitals, hyphens and underscores.
 * `unless` matches the whole identifiers that use the word in a standard sense; `only` limits the rule to some files.
 *
 * @type {{ words: string[], use: string, unless?: RegExp, only?: RegExp }[]}
 */
const NAMES = [
  { words: ['said', 'unsaid'], use: 'report, incoming report' },
  { words: ['word', 'words'], use: 'report (of a device), label (in the console), term (of a search)' },
  // a field of bottle_states
  { words: ['heard', 'unheard'], use: 'last seen, received', unless: /^unheard$/ },
  // the adherence figure of that name is published
  { words: ['taking', 'takings'], use: 'removal', unless: /^taking$/ },
  { words: ['look', 'looks'], use: 'sweep', unless: /^look-?(Up|Ahead|Behind)/i },
  // arithmetic; the rounds of a benchmark
  {
    words: ['round', 'rounds'],
    use: 'sweep, run',
    unless: /^(round|roundTrips?|rounded|roundTo\w*)$/,
    only: /^(?!(test|tools)\/bench\/)/,
  },
  { words: ['trouble', 'troubles', 'troubled', 'verdict', 'verdicts'], use: 'finding, alert' },
  { words: ['deed', 'deeds', 'act', 'acts'], use: 'alert action' },
  // HTTP 410
  { words: ['gone'], use: 'cleared, deleted', unless: /^GONE$|^Gone(Exception)?$/ },
  { words: ['away'], use: 'cleared, absent' },
  { words: ['told', 'untold', 'telling', 'tell', 'tells', 'news'], use: 'notification, notified' },
  { words: ['whom', 'reach'], use: 'recipient, channel' },
  // a field of reconcile_rounds and ts_rounds
  { words: ['piece', 'pieces', 'stretch', 'stretches'], use: 'partition, span', unless: /^pieces$/ },
  { words: ['racing'], use: 'contention' },
  // a sign in the console
  { words: ['mark', 'marks'], use: 'dirty bucket', unless: /^highWaterMark$/, only: /^(?!apps\/console\/)/ },
  { words: ['folded'], use: 'rollup', unless: /^caseFolded$/ },
  // the DOM
  { words: ['sibling', 'siblings'], use: 'workers', unless: /^(next|previous)(Element)?Sibling$/ },
  { words: ['line'], use: 'worker channel', only: /^libs\/platform\/src\/workers?\// },
  { words: ['world', 'lives', 'desk'], use: 'fixture, harness' },
  // a stage of an aggregation pipeline or of a query plan
  {
    words: ['stage', 'stages'],
    use: 'fixture, harness',
    unless: /PipelineStages?$/,
    only: /^(?!test\/(lab\/|sharding\/|support\/record-commands|timeseries\/reads))/,
  },
  { words: ['cast'], use: 'fixture', unless: /^castArray$/ },
  // a server that listens on its port
  {
    words: ['listening', 'listened'],
    use: 'coverage, accepting reports',
    unless: /^(is|stop)?listening$|^(ever)?listened$/i,
  },
  { words: ['aside'], use: 'quarantine', unless: /^aside$|^AsideProps$/ },
];

/**
 * Phrases of prose, found without regard to case and line breaks, except in some files.
 *
 * @type {[pattern: RegExp, use: string, except?: RegExp][]}
 */
const PHRASES = [
  [/\b(un)?said\b/, 'reported, stated'],
  [/\bsays? of (itself|themselves)\b/, 'its vitals'],
  [/\blast word\b|\b(two kinds|a|no) words? (about|of) (a|the|its)\b/, 'last report, report'],
  [/\bheard\b/, 'received, seen, reported'],
  [/\b(a|the|each|every|any|its|these|those) takings?\b|\btakings\b/, 'removal'],
  [/\b(a|each|every|next|last|previous|first|second|between|one|two|three|per) looks?\b/, 'sweep, check'],
  [/\blook(s|ed|ing)? (further|after them)\b/, 'load more; care for'],
  [
    /\b(a|each|every|next|last|previous|first|second|one|two|three|per|this|the) rounds?\b(?! (trip|number|of a bench))/,
    'sweep, run',
    // the rounds of a benchmark
    /^(docs\/performance\.md|(test|tools)\/bench\/)/,
  ],
  [/\btroubled?\b|\btroubles\b|\bverdicts?\b/, 'finding, alert, problem'],
  [/\bdeeds?\b/, 'alert action'],
  [/\btold\b|\btellings?\b|\buntold\b/, 'notified, sent'],
  [/\b(the|no|any|its|old|of|is|are) news\b/, 'notification, change'],
  [/\bheld back\b|\bholds? back\b/, 'suppressed'],
  [/\b(go|goes|gone|going|went) on with\b|\b(alert|condition|trouble) goes on\b/, 'continue'],
  [/\bends as\b/, 'is resolved as'],
  [/\bcondition (is|was) (gone|away)\b|\bwent away\b|\bgoes away\b/, 'condition cleared'],
  [/\b(see|sees|saw|seen|seeing) to (it|the|a|them|that)\b/, 'reconcile, handle'],
  [/\b(set|sets|setting|put) aside\b/, 'quarantine'],
  [
    /\bnot listening\b|\bwe (were |are )?listen(ing|ed)?\b|\blistened time\b/,
    'maintenance outage, coverage gap',
  ],
  [/\bleft behind\b|\bleaves behind\b/, 'orphaned, stored'],
  [/\blets? (go of|it go|them go|the \w+ go)\b/, 'release'],
  [/\bpieces?\b(?! by piece)/, 'partition, part'],
  [/\bstretch(es)?\b/, 'partition, span'],
  [/\bracing\b/, 'contention'],
  [/\bfolded\b/, 'rolled up, normalized'],
  [/\b(a|its|their|old|no|these|those|minute) marks?\b/, 'dirty bucket'],
  [/\bsiblings\b/, 'workers'],
  [/\b(a|the|this|its|one|own|whole) world\b/, 'fixture, harness'],
  [/\btold much\b/, "recipient's hourly limit reached"],
  [/\breckon(s|ed|ing)?\b/, 'estimate, calculate'],
  [/\bthat is all\b/, '(leave out)'],
  [/\b(would be|is|are) dear\b/, 'expensive'],
  [/\bmissed for good\b/, 'missed'],
  [/\bstands? open\b|\bstood open\b/, 'is left open'],
  [/\btaken back\b|\btakes? back\b/, 'retracted'],
  [/\bneeds a person\b/, 'Needs attention'],
  [/\bin hand\b/, 'Acknowledged; in progress'],
  [/\bwhat was done\b|\bwhat has happened\b/, 'History; Activity'],
  [/\bmake the account\b/, 'Create account'],
  [/\bleft empty\b/, 'Optional; Leave blank'],
  [/\bselect none\b|\btake away\b|\btake a file\b/, 'Clear selection; Remove; Choose file'],
  [/\bcoming in, a minute\b|\ba point is \d/, 'Reports per minute; 5-minute intervals'],
  [/\bis at home\b/, "patient's time zone"],
  [
    /\bpills a dose\b|\bcounts from\b|\bholds from\b/,
    'Pills per dose; Can be taken early by; Effective from',
  ],
  [/\bsomebody looks\b/, 'Has a carer'],
  [/\bclosed: cannot sign in\b/, 'Deactivated'],
  [
    /\byou take care of it\b|\byou declare\b|\bit is over\b/,
    "You're handling this; Closes the alert; All clear",
  ],
];

/** Not checked: about the old words themselves. */
const SKIPPED = ['scripts/check-words.mjs'];
const FOLDERS = ['apps', 'libs', 'tools', 'test', 'scripts', 'docs'];
const CHECKED = /\.(ts|tsx|mjs|md|html)$|^test\/scenarios\/.*\.json$/;

/** @typedef {{ line: number, found: string, use: string }} Finding */

/** @param {string} name @returns {string[]} */
const split = (name) => (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase());

/** @param {string} name @param {string} file @returns {{ words: string[], use: string } | undefined} */
function oldName(name, file) {
  if (/^[a-z0-9]+(_[a-z0-9]+)+$/.test(name)) return undefined;
  const words = split(name);
  return NAMES.find(
    (rule) =>
      rule.words.some((word) => words.includes(word)) &&
      !rule.unless?.test(name) &&
      (rule.only?.test(file) ?? true),
  );
}

/** @param {string} file @param {string} text @param {(index: number) => number} lineAt @returns {Finding[]} */
function inProse(file, text, lineAt) {
  const joined = text.replaceAll(/(?<=\n\s*)(\*|\/\/)(?=\s)/g, ' ');
  return PHRASES.flatMap(([pattern, use, except]) => {
    if (except?.test(file)) return [];
    const spaced = new RegExp(pattern.source.replaceAll(' ', '\\s+'), 'gi');
    return [...joined.matchAll(spaced)].map((match) => ({
      line: lineAt(match.index),
      found: match[0].replaceAll(/\s+/g, ' '),
      use,
    }));
  });
}

/** @param {string} file @param {string} text @returns {Finding[]} */
function inCode(file, text) {
  const kind = file.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  /** @param {number} position */
  const lineAt = (position) => source.getLineAndCharacterOfPosition(position).line + 1;
  /** @type {Finding[]} */
  const findings = [];
  const seen = new Set();
  // what is left when names and texts are blanked: the comments
  const comments = [...text];
  /** @param {ts.Node} node */
  const visit = (node) => {
    const [start, end] = [node.getStart(source), node.end];
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      const rule = seen.has(node.text) ? undefined : oldName(node.text, file);
      seen.add(node.text);
      if (rule) findings.push({ line: lineAt(start), found: node.text, use: rule.use });
    } else if (
      ts.isLiteralExpression(node) ||
      ts.isTemplateMiddleOrTemplateTail(node) ||
      ts.isTemplateHead(node) ||
      ts.isJsxText(node)
    ) {
      const raw = text.slice(start, end);
      if (/\s/.test(raw.trim()) || ts.isJsxText(node))
        findings.push(...inProse(file, raw, (index) => lineAt(start + index)));
      comments.fill(' ', start, end);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const match of comments.join('').matchAll(/(?:\/\/[^\n]*\n?\s*)+|\/\*[\s\S]*?\*\//g)) {
    const prose = match[0].replaceAll(/`[^`]*`|\{@link[^}]*\}/g, (span) => ' '.repeat(span.length));
    findings.push(...inProse(file, prose, (index) => lineAt(match.index + index)));
  }
  return findings;
}

/** @param {string} file @param {string} text @returns {Finding[]} */
function inMarkdown(file, text) {
  // code and addresses of links name things as they are
  const prose = text.replaceAll(/```[\s\S]*?```|`[^`\n]*`|\]\([^)]*\)/g, (span) =>
    span.replaceAll(/[^\n]/g, ' '),
  );
  return inProse(file, prose, (index) => text.slice(0, index).split('\n').length);
}

const [counts, ...below] = [
  process.argv.includes('--counts'),
  ...process.argv.slice(2).filter((x) => !x.startsWith('--')),
];
const inFolders = FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
);
const files = [...readdirSync('.'), ...inFolders]
  .map((file) => file.split(sep).join('/'))
  .filter((file) => CHECKED.test(file) && !SKIPPED.some((path) => file.startsWith(path)))
  .filter((file) => below.length === 0 || below.some((path) => file.startsWith(path)))
  .sort((one, other) => one.localeCompare(other));

/** @type {Map<string, number>} */
const byFolder = new Map();
let total = 0;
for (const file of files) {
  const text = readFileSync(file, 'utf8');
  const findings = /\.(md|html|json)$/.test(file) ? inMarkdown(file, text) : inCode(file, text);
  const parts = file.replace(/\.\w+$/, '').split('/');
  const rule = parts.map((part) => oldName(part, file)).find(Boolean);
  if (rule) findings.unshift({ line: 1, found: file, use: rule.use });
  const folder =
    parts
      .slice(0, parts[0] === 'libs' ? 4 : 3)
      .slice(0, -1)
      .join('/') || '.';
  if (findings.length > 0) byFolder.set(folder, (byFolder.get(folder) ?? 0) + findings.length);
  total += findings.length;
  if (!counts)
    for (const { line, found, use } of findings) console.log(`${file}:${line}: ${found} -> ${use}`);
}
for (const [folder, count] of [...byFolder].sort(([, one], [, other]) => other - one))
  console.log(`${count}\t${folder}`);
console.log(
  total === 0
    ? 'No word is used that the glossary has replaced.'
    : `${total} words that the glossary has replaced`,
);
process.exit(total === 0 ? 0 : 1);
