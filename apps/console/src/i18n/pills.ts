import { numberText } from './i18n.js';

const FRACTIONS: Record<number, string> = { 0.25: '¼', 0.5: '½', 0.75: '¾' };

/** A number of pills as people read it: `1½`, `½`, `1,204`; what is no quarter as a decimal. As in the messages. */
export function amountText(pills: number): string {
  const whole = Math.trunc(pills);
  const fraction = FRACTIONS[Math.abs(pills - whole)];
  if (fraction === undefined) return numberText(pills);
  if (whole === 0) return `${pills < 0 ? '-' : ''}${fraction}`;
  return `${numberText(whole)}${fraction}`;
}

/** The `count` of a text with a number of pills: `½ pill`, `1 pill`, `1½ pills`. */
export function pluralOf(pills: number): number {
  return pills > 0 && pills <= 1 ? 1 : 2;
}
