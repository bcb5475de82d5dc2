/** Longer parts of a text are found by their beginning, and then compared whole. Characters. */
export const LONGEST_SUFFIX = 40;

/** What stands between a suffix and what it leads to: comes before every character that a text may have. */
const SEPARATOR = '\u0000';
/** Comes after every character. */
const BEYOND = '\u{10FFFF}';

/** A text as it is searched: regardless of case and of the composition of its letters. */
export function caseFolded(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(SEPARATOR, '');
}

/**
 * Everything that a text can be found by: each of its ends, cut to {@link LONGEST_SUFFIX} characters. A part of the
 * text is the beginning of one of them.
 */
export function suffixesOf(texts: readonly string[]): Set<string> {
  const suffixes = new Set<string>();
  for (const text of texts) {
    const characters = [...caseFolded(text)];
    for (let start = 0; start < characters.length; start += 1) {
      suffixes.add(characters.slice(start, start + LONGEST_SUFFIX).join(''));
    }
  }
  return suffixes;
}

/** An entry of the index: ordered by suffix, then by what it leads to. */
export function entryKey(suffix: string, ref: string): string {
  return `${suffix}${SEPARATOR}${ref}`;
}

/** The reverse of {@link entryKey}. */
export function readEntryKey(key: string): { suffix: string; ref: string } {
  const [suffix = '', ref = ''] = key.split(SEPARATOR);
  return { suffix, ref };
}

/** The part that is looked for, as the index has it. */
export function searchKey(part: string): string {
  return [...caseFolded(part)].slice(0, LONGEST_SUFFIX).join('');
}

/** The entries that begin with a key, as bounds of a range. */
export function entriesOf(key: string): { $gte: string; $lt: string } {
  return { $gte: key, $lt: key + BEYOND };
}

/**
 * The one suffix by which a part finds these texts: the first in the order of the index. Of the entries that lead to
 * the same thing it is the one that counts; the others are repetitions.
 *
 * @returns undefined when the part is in none of the texts
 */
export function leadingSuffix(part: string, texts: readonly string[]): string | undefined {
  const whole = caseFolded(part);
  if (!texts.some((text) => caseFolded(text).includes(whole))) return undefined;
  const key = searchKey(part);
  return [...suffixesOf(texts)].filter((suffix) => suffix.startsWith(key)).sort(byBytes)[0];
}

/** The database's order of strings. */
function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
