import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
let leaked: Set<string> | undefined;

/** Whether it is one of the 49,233 most common leaked passwords. They are read at the first use: few processes ask. */
function isLeaked(text: string): boolean {
  leaked ??= new Set(readLists().dictionary['passwords-common']);
  return leaked.has(text);
}

const readLists = () => require('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common');

/** Phrases of which the most common passwords are made, in the lists of leaked ones. */
const TERMS = new Set(
  `password passwort passwd pass pillwatch pill bottle pharmacy medicine hospital doctor nurse health care welcome
  letmein login admin administrator root user guest test default secret changeme change master access system server
  office company support service manager security private internet computer laptop windows google facebook apple
  samsung iloveyou loveyou lovely love baby babygirl princess prince angel sunshine sunflower flower rainbow summer
  winter spring autumn monday friday january february march april june july august september october november
  december monkey dragon tiger lion eagle panther cookie chocolate banana orange cherry peanut butter cheese coffee
  pepper ginger football baseball basketball soccer hockey tennis golf chelsea arsenal liverpool barcelona juventus
  yankees dallas london berlin paris america england germany france canada australia mexico superman batman
  spiderman pokemon starwars naruto matrix phoenix shadow hunter ranger killer ninja pirate soldier knight hello
  hallo freedom whatever trustno nothing forever family friend friends mother father daddy mommy sister brother
  michael jennifer jessica daniel charlie thomas robert jordan joshua andrew ashley nicole hannah michelle anthony
  matthew william george david maggie buster jasper harley mustang corvette ferrari porsche mercedes yamaha money
  dollar diamond silver golden purple yellow green black white blue red power magic star stars happy lucky smile
  sweet sexy hottie junior buddy doggy kitty puppy the and for you me my is one two three four five six seven eight
  nine ten qaz wsx edc rfv tgb qwe asd zxc`.split(/\s+/),
);
const ROWS = [
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
  '12345678901234567890',
];
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';
const SEQUENCES = [...ROWS, ALPHABET].flatMap((row) => [row, [...row].toReversed().join('')]);
const SEPARATOR = /[ -/:-@[-`{-~]/;
const LONGEST_TERM = 13;
const HOMOGLYPHS: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
};

/**
 * Whether a password is one of the most common ones: a leaked one, or nothing but common words, rows of keys and
 * repetitions; also with digits or symbols around them or for letters, such as `P@ssw0rd!2024`, `qwerty123456`,
 * `sunshine-monkey1` or `supernatural2026`.
 */
export function isCommonPassword(password: string): boolean {
  const typed = password.toLowerCase();
  const stem = typed.replaceAll(/^[^a-z]+|[^a-z]+$/g, '');
  return [typed, spelled(typed), stem, spelled(stem)].some(
    (text) => text !== '' && (isLeaked(text) || isMadeOfCommonParts(text)),
  );
}

function spelled(text: string): string {
  return [...text].map((char) => HOMOGLYPHS[char] ?? char).join('');
}

function isMadeOfCommonParts(text: string): boolean {
  const reached = new Set([0]);
  for (let from = 0; from < text.length; from += 1) {
    if (!reached.has(from)) continue;
    if (SEPARATOR.test(text[from]!)) reached.add(from + 1);
    for (let to = from + 2; to <= Math.min(text.length, from + 2 * LONGEST_TERM); to += 1)
      if (isCommonPart(text.slice(from, to))) reached.add(to);
  }
  return reached.has(text.length);
}

function isCommonPart(part: string): boolean {
  if (TERMS.has(part)) return true;
  return part.length >= 3 && (new Set(part).size === 1 || SEQUENCES.some((row) => row.includes(part)));
}
