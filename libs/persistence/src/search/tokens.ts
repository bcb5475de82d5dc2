import { LONGEST_SUFFIX, suffixesOf } from './suffix.js';

/** So many tokens of a person are found beside each other, and so many of their medications beside these. */
const MOST_TOKENS = 16;
/** Shorter parts are looked for only where a token begins. */
const SHORTEST_PART = 2;

/** The tokens of a text: lower case, without accents and punctuation (`O’Neill` is one); of `030` the zero is dialled at home only. */
export function tokensOf(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’]/gu, '')
    .toLowerCase();
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map((token) => token.replace(/^0+(?=\d)/, ''));
}

/**
 * Everything by which several texts are found together: each end of a text, without its spaces; and each two tokens of
 * different places, in both orders; and the first character of each token. So a part is found by where it begins, two
 * tokens in any order, and who begins with a letter.
 *
 * @param texts found by any of their parts
 * @param besides found by a token beside one of the texts, such as a medication beside a name
 */
export function termsOf(texts: readonly string[], besides: readonly string[] = []): string[] {
  const ends = suffixesOf(texts.map((text) => tokensOf(text).join('')));
  const own = new Set(namesFirst(texts));
  const all = [...new Set([...own, ...namesFirst(besides)])];
  const pairs = all.flatMap((one) =>
    all
      .filter((other) => one !== other && (own.has(one) || own.has(other)))
      .map((other) => cut(pairOf(one, other))),
  );
  const initials = texts.flatMap((text) => tokensOf(text.replace(/@.*/s, '')).map(initialOf));
  return [...new Set([...ends, ...pairs, ...initials])].filter((term) => term.length >= SHORTEST_PART);
}

/** The tokens of texts that are found beside others: names before those of e-mail addresses, and numbers last. */
function namesFirst(texts: readonly string[]): string[] {
  const rank = (text: string): number => Number(text.includes('@'));
  const tokens = texts.toSorted((one, other) => rank(one) - rank(other)).flatMap(tokensOf);
  const isName = (token: string): boolean => /^\p{L}/u.test(token);
  return [...new Set([...tokens.filter(isName), ...tokens.filter((token) => !isName(token))])].slice(
    0,
    MOST_TOKENS,
  );
}

/**
 * The beginnings of terms by which a query is found; none without letters and digits. Of several tokens the two longest, in
 * both orders; digits alone are found as a whole, however they are grouped.
 */
export function keysOf(query: string): string[] {
  const tokens = tokensOf(query);
  const whole = tokens.join('');
  if (whole === '') return [];
  if (whole.length < SHORTEST_PART) return [initialOf(whole)];
  if (tokens.length === 1 || /^\d+$/.test(whole)) return [cut(whole)];
  const [one, other] = tokens.toSorted((a, b) => b.length - a.length) as [string, string];
  return [cut(pairOf(one, other)), cut(pairOf(other, one))];
}

/** Whether every token of a query is the beginning of a token of the texts, or the query as a whole is a part of one. */
export function hasTokens(query: string, texts: readonly string[]): boolean {
  const whole = tokensOf(query).join('');
  const tokens = texts.flatMap(tokensOf);
  return (
    (whole.length >= SHORTEST_PART && texts.some((text) => tokensOf(text).join('').includes(whole))) ||
    tokensOf(query).every((part) => tokens.some((token) => token.startsWith(part)))
  );
}

/** Begins with what no token has: a character that is anywhere else in a text is not found. */
const initialOf = (token: string): string => `^${[...token][0]}`;

/** Begins with a space: one token alone is found by the ends only, once. */
const pairOf = (one: string, other: string): string => ` ${one} ${other}`;

const cut = (text: string): string => [...text].slice(0, LONGEST_SUFFIX).join('');
