import { hash, verify } from '@node-rs/argon2';
import { randomInt } from 'node:crypto';
import { isCommonPassword } from './common-passwords.js';

/** Characters. The upper limit keeps a request from buying more than one hash. */
export const PASSWORD_LENGTH = { min: 12, max: 128 };

/** OWASP's first choice for argon2id (the package's default): 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const TOO_FEW_DIFFERENT = 6;
const OBVIOUS = ['password', 'passwort', 'pillwatch', '12345678', 'qwertyui', 'abcdefgh'];
/** Without letters and digits that are taken for one another when read out on the phone. */
const READABLE = 'abcdefghjkmnpqrstuvwxyz23456789';

/** What is wrong with a new password, as the end of a sentence; undefined when nothing is. */
export function passwordProblem(password: string, email: string): string | undefined {
  const typed = normalized(password);
  const { min, max } = PASSWORD_LENGTH;
  if ([...typed].length < min) return `must have at least ${min} characters`;
  if ([...typed].length > max) return `must have at most ${max} characters`;
  const lower = typed.toLowerCase();
  if (new Set(lower).size < TOO_FEW_DIFFERENT)
    return `must have at least ${TOO_FEW_DIFFERENT} different characters`;
  const name = email.toLowerCase().split('@')[0]!;
  if (name.length > 3 && lower.includes(name)) return 'must not contain the name in the e-mail address';
  if (isCommonPassword(typed)) return 'is too common';
  const obvious = OBVIOUS.find((text) => lower.includes(text));
  return obvious && `must not contain "${obvious}"`;
}

/** argon2id with a salt of its own, in the textual form that {@link verifyPassword} reads. */
export function hashPassword(password: string): Promise<string> {
  return hash(normalized(password), COST);
}

/** Takes the same time whether it is right or wrong. */
export function verifyPassword(stored: string, password: string): Promise<boolean> {
  return verify(stored, normalized(password));
}

/** A new password of 99 random bits that can be read out: four groups of five. */
export function generatePassword(): string {
  const group = (): string => Array.from({ length: 5 }, () => READABLE[randomInt(READABLE.length)]).join('');
  return [group(), group(), group(), group()].join('-');
}

/** The same characters typed on another keyboard are the same password (NIST SP 800-63B). */
function normalized(password: string): string {
  return password.normalize('NFKC');
}
