import { amountText } from '../doses/pills.js';
import { GERMAN } from './german.js';
import type { Language } from './language.js';

/** A text of a message, by which the catalogue of each other language has it. `{{name}}` is put in. */
export type English = keyof typeof GERMAN;

/** A text in the recipient's language. @param values put in the place of `{{name}}` */
export type Say = (text: English, values?: Readonly<Record<string, string | number>>) => string;

/** How a recipient reads. */
export interface Phrases {
  say: Say;
  /** A time in the recipient's zone, which it names. A subject is an ISO time. */
  at: (time: Date | string) => string;
  /** `1 pill`, `½ pill`, `1½ pills`. */
  pills: (count: number) => string;
}

/** @param language absent: English */
export function sayIn(language: Language | undefined): Say {
  return (text, values = {}) =>
    (language === 'de' ? GERMAN[text] : text).replace(/\{\{(\w+)\}\}/g, (_, name: string) =>
      String(values[name]),
    );
}

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };

/** @param language absent: English. @param timeZone IANA name */
export function phrasesIn(language: Language | undefined, timeZone: string): Phrases {
  const format = new Intl.DateTimeFormat(LOCALES[language ?? 'en'], {
    timeZone,
    dateStyle: 'full',
    timeStyle: 'long',
  });
  const say = sayIn(language);
  return { say, at: (time) => format.format(new Date(time)), pills: (count) => pillsText(count, say) };
}

/** `1 pill`, `½ pill`, `1½ pills`. */
export function pillsText(pills: number, say: Say): string {
  return say(pills > 0 && pills <= 1 ? '{{amount}} pill' : '{{amount}} pills', { amount: amountText(pills) });
}
