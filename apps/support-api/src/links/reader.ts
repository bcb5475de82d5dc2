import { type Language, type Say, sayIn } from '#domain';
import { DE } from './texts/de.js';
import { EN, type TextKey } from './texts/en.js';

const TEXTS: Readonly<Record<Language, Readonly<Record<TextKey, string>>>> = { en: EN, de: DE };
const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };

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
