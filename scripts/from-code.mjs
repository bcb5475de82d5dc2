/** What the scripts share that write a part of the docs or of the configuration from the code. */
import { readFileSync, writeFileSync } from 'node:fs';
import ts from 'typescript';

/** A source file's tree. @param {string} file */
export function parse(file) {
  return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
}

/** The class of that name in a file. @param {string} file @param {string} name */
export function classIn(file, name) {
  const found = parse(file)
    .statements.filter(ts.isClassDeclaration)
    .find((each) => each.name?.text === name);
  if (!found) throw new Error(`${file} has no class ${name}`);
  return found;
}

/** Writes a file; with `--check`, the process fails if the file has another text. @param {string} file @param {string} text */
export function writeOrCheck(file, text) {
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    const [, script = ''] = /(scripts\/[\w-]+\.mjs)$/.exec(process.argv[1] ?? '') ?? [];
    console.error(`${file} is not that of the code: run node ${script}`);
    process.exitCode = 1;
  }
}
