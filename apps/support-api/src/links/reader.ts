import { type Language, LANGUAGES, type Say, sayIn } from '#domain';
import { weightsIn } from '#platform';
import { DE } from './texts/de.js';
import { EN, type TextKey } from './texts/en.js';

const TEXTS: Readonly<Record<Language, Readonly<Record<TextKey, string>>>> = { en: EN, de: DE };
const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };

/** The language that a browser asks for (RFC 9110, 12.5.4), of those that there are; English for others. */
export function languageOf(header: string | undefined): Language {
  const weights = [...weightsIn(header)];
  const weightOf = (language: Language): number =>
    Math.max(
      0,
      // `de-AT` is German
      ...weights.flatMap(([tag, weight]) => (tag.split('-', 1)[0] === language ? [weight] : [])),
    );
  return LANGUAGES.toSorted((one, other) => weightOf(other) - weightOf(one))[0]!;
}

/** In which language, and by which clock, somebody reads a page. */
export class Reader {
  /** As the message has it that led to the page. */
  readonly sayInMessages: Say;

  /** @param zone IANA name; the operator has none, reads times in UTC, and reads that they are */
  constructor(
    readonly language: Language,
    private readonly zone?: string,
  ) {
    this.sayInMessages = sayIn(language);
  }

  /** @param values put in the place of `{{name}}` */
  say(key: TextKey, values: Readonly<Record<string, string>> = {}): string {
    return TEXTS[this.language][key].replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
  }

  /** `Sunday 1 March, 12:00 CET` */
  time(at: Date): string {
    const timeZone = this.zone ?? 'UTC';
    const format = (options: Intl.DateTimeFormatOptions): string =>
      new Intl.DateTimeFormat(LOCALES[this.language], { timeZone, ...options }).format(at);
    const day = format({ weekday: 'long', day: 'numeric', month: 'long' });
    return `${day}, ${format({ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' })}`;
  }

  /** `12:00`, for the operator `11:00 UTC` */
  timeOfDay(at: Date): string {
    const timeZone = this.zone ?? 'UTC';
    const time = new Intl.DateTimeFormat(LOCALES[this.language], { timeZone, timeStyle: 'short' }).format(at);
    return this.zone === undefined ? `${time} UTC` : time;
  }
}
