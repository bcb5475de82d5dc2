import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** A fenced block of the documentation. */
export interface Block {
  /** File and line of its fence. */
  where: string;
  /** `json`, `sh`; empty if the fence names none. */
  language: string;
  /** What stands behind the language: what the block is for. */
  about: string;
  text: string;
}

/** What a user reads. */
export const DOCUMENTS = [
  'README.md',
  'clients/README.md',
  ...readdirSync('docs')
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
].filter((file) => existsSync(file));

export function blocksOf(file: string): Block[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^ *```([a-z]*)(.*)\n([^]*?)^ *```/gm)].map((match) => ({
    where: `${file}:${text.slice(0, match.index).split('\n').length}`,
    language: match[1]!,
    about: match[2]!.trim(),
    text: match[3]!,
  }));
}

/** The npm commands in a document, in blocks and in sentences, each as its parts after `npm`. */
export function commandsOf(file: string): { where: string; call: string[] }[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/\bnpm (run [\w:-]+|start|test)\b([^\n`#|]*)/g)].map((match) => ({
    where: `${file}:${text.slice(0, match.index).split('\n').length}`,
    call: `${match[1]!}${match[2]!}`.trim().split(/ +/),
  }));
}
