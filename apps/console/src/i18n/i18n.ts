import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import en from './en.json' with { type: 'json' };

/** The languages of the browser, the preferred one first. Outside of a browser, in unit tests, texts are English. */
const preferred = 'document' in globalThis ? navigator.languages : [];

/** The first language of the browser that the console speaks, with its region: `de-AT`. */
const language = preferred.find((name) => /^(de|en)\b/i.test(name)) ?? 'en';

const isGerman = /^de\b/i.test(language);

// only a page in German loads the German texts, and no module that imports `t` runs before they are there
const translation = isGerman ? (await import('./de.json', { with: { type: 'json' } })).default : en;

void i18next.use(initReactI18next).init({
  lng: language,
  fallbackLng: false,
  resources: { [isGerman ? 'de' : 'en']: { translation } },
  initAsync: false,
  // a key is the English text itself
  keySeparator: false,
  nsSeparator: false,
  // React escapes
  interpolation: { escapeValue: false },
});

/** The text in the page's language. The key is the English text; a plural's key is its form for many. */
export const t = i18next.t;

/** The locale of dates and times. In English the day comes before the month, as in the rest of the console. */
export const LOCALE = isGerman ? language : 'en-GB';

/** The language of texts: for `<html lang>`. */
export const LANGUAGE = isGerman ? 'de' : 'en';

/** `1,204`, with the separators of the browser's locale. */
export function numberText(value: number, options?: Intl.NumberFormatOptions): string {
  return value.toLocaleString(language, options);
}

const lists = new Intl.ListFormat(LOCALE);

/** `a, b and c`. */
export function joinList(items: readonly string[]): string {
  return lists.format(items);
}
