import { entriesOf } from './suffix.js';
import { tokensOf } from './tokens.js';

/** Shorter tokens are not looked for otherwise than as they are written. */
const SHORTEST_NEAR = 3;
/** So many tokens of a person have near terms, of so many letters each. */
const MOST_NEAR = 8;
const LONGEST_NEAR = 14;
/** A shorter sound is that of too many names. */
const SHORTEST_SOUND = 3;

/**
 * Terms by which a misspelt name is found: each token without one of its letters (two words are at most a letter apart,
 * or have two letters in the wrong order, if they share such a term: Garg, Schulz and Mihov, "Fast string correction with
 * Levenshtein automata"; Garbe, SymSpell), how each token sounds, and how it sounds after another token of its text.
 *
 * @param texts names, and user ids
 */
export function nearTermsOf(texts: readonly string[]): string[] {
  const all = texts.map(lettersOf);
  const tokens = [...new Set(all.flat())].slice(0, MOST_NEAR);
  const sounds = tokens.flatMap(soundTermOf);
  const pairs = all.flatMap((own) =>
    own
      .slice(0, MOST_NEAR)
      .flatMap((one) =>
        own
          .filter((other) => other !== one)
          .flatMap((other) => soundTermOf(other).map((sound) => afterToken(one, sound))),
      ),
  );
  return [...new Set([...tokens.flatMap(deletionTermsOf), ...sounds, ...pairs])];
}

/** The terms and the beginnings of terms by which a misspelt query is found; none of one that has no name. */
export function nearKeysOf(query: string): { terms: string[]; beginnings: string[] } {
  const [longest, ...others] = lettersOf(query).toSorted((one, other) => other.length - one.length);
  if (longest === undefined) return { terms: [], beginnings: [] };
  const beside = others[0];
  const sound = soundTermOf(longest);
  if (beside === undefined) return { terms: deletionTermsOf(longest), beginnings: sound };
  return {
    terms: deletionTermsOf(longest),
    beginnings: [
      ...sound.map((term) => afterToken(beside, term)),
      ...soundTermOf(beside).map((term) => afterToken(longest, term)),
    ],
  };
}

/** Whether every token of a query is the beginning of a token of the texts, or near one. */
export function isNear(query: string, texts: readonly string[]): boolean {
  const tokens = texts.flatMap(tokensOf);
  return tokensOf(query).every((part) =>
    tokens.some((token) => token.startsWith(part) || areNear(part, token)),
  );
}

/** A range of the index for each beginning, and the terms. */
export function nearFilters(query: string): object[] {
  const { terms, beginnings } = nearKeysOf(query);
  return [
    ...(terms.length > 0 ? [{ $in: terms }] : []),
    ...beginnings.map((beginning) => ({ $elemMatch: entriesOf(beginning) })),
  ];
}

function areNear(part: string, token: string): boolean {
  const shared = new Set(deletionTermsOf(token));
  const [sound] = soundTermOf(part);
  return (
    deletionTermsOf(part).some((term) => shared.has(term)) ||
    (sound !== undefined && soundTermOf(token).some((other) => other.startsWith(sound)))
  );
}

/** The tokens of a name: no numbers, and no domain of an e-mail address. */
function lettersOf(text: string): string[] {
  return tokensOf(text.replace(/@.*/s, '')).filter(
    (token) => token.length >= SHORTEST_NEAR && token.length <= LONGEST_NEAR && /^\p{L}+$/u.test(token),
  );
}

function deletionTermsOf(token: string): string[] {
  const letters = [...token];
  if (letters.length < SHORTEST_NEAR) return [];
  const shorter =
    letters.length > SHORTEST_NEAR ? letters.map((_, index) => letters.toSpliced(index, 1).join('')) : [];
  return [...new Set([token, ...shorter])].map((text) => `~${text}`);
}

function soundTermOf(token: string): string[] {
  const sound = soundOf(token);
  return sound.length >= SHORTEST_SOUND ? [`#${sound}`] : [];
}

const afterToken = (token: string, sound: string): string => ` ${token} ${sound}`;

/** Letters that sound alike, after H. J. Postel's "Kölner Phonetik" (1969), without its rules for c, d, t and x beside others. */
const SOUNDS: Readonly<Record<string, string>> = {
  ...alike('b', '1'),
  ...alike('p', '1'),
  ...alike('dt', '2'),
  ...alike('fvw', '3'),
  ...alike('gkqx', '4'),
  ...alike('l', '5'),
  ...alike('mn', '6'),
  ...alike('r', '7'),
  ...alike('scz', '8'),
};

function alike(letters: string, sound: string): Record<string, string> {
  return Object.fromEntries([...letters].map((letter) => [letter, sound]));
}

/** How a token sounds: its consonants as digits, without repetitions; vowels count at the beginning only. */
export function soundOf(token: string): string {
  const plain = token
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll(/sch|sh|cz|sz|tsch/g, 's')
    .replaceAll('ph', 'f')
    .replaceAll(/c(?=[aouklrqhx])|ck/g, 'k');
  const [first = '', ...rest] = plain;
  const begins = SOUNDS[first] ?? '0';
  const digits = [begins, ...rest.map((letter) => SOUNDS[letter] ?? '')].filter((digit) => digit !== '');
  return digits.filter((digit, index) => digit !== digits[index - 1]).join('');
}
