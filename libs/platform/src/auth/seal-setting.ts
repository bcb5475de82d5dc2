import { seal, unseal } from './seal.js';

/**
 * Encrypts a secret that has to be used, and therefore stored, with a setting.
 *
 * @param secrets one, or two during a rotation, separated by a space: the first one encrypts.
 */
export function sealWith(secrets: string, owner: string, text: string): string {
  return seal(secrets.split(' ')[0]!, owner, Buffer.from(text));
}

/**
 * Opens what {@link sealWith} returned; undefined if the setting is another.
 *
 * @param secrets either may have encrypted it.
 * @returns with whether the first one did: if not, it is to be sealed anew.
 */
export function unsealWith(
  secrets: string,
  owner: string,
  sealed: string,
): { text: string; isCurrent: boolean } | undefined {
  for (const [index, secret] of secrets.split(' ').entries()) {
    const opened = unseal(secret, owner, sealed);
    if (opened) return { text: opened.toString(), isCurrent: index === 0 };
  }
  return undefined;
}
