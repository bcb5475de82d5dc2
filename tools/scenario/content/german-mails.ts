import type { MailPart } from './content.js';
import { momentOf, timeIn } from './mail-times.js';
import { AMOUNT } from './pill-amounts.js';

/** A time as German mails write it: `Montag, 2. März 2026 um 08:05:00 MEZ`. */
const TIME = String.raw`[A-Z][a-z]+, \d+\. [A-Za-zä]+ \d{4} um \d\d:\d\d:\d\d [\w:+-]+`;

/** What German mails say, and what English ones say instead: written down apart from the product. */
const TEXTS: readonly (readonly [german: string, english: string])[] = [
  ['Einnahme noch nicht erfolgt', 'Dose not taken yet'],
  ['Erinnerung: Einnahme noch immer nicht erfolgt', 'Reminder: dose still not taken'],
  ['Einnahme versäumt', 'Dose missed'],
  ['Entwarnung: Verspätete Einnahme erfolgt', 'All clear: late dose taken'],
  ['Mehr Tabletten genommen als geplant', 'More pills taken than planned'],
  ['Pillendose nicht verbunden', 'Bottle offline'],
  ['Entwarnung: Pillendose wieder verbunden', 'All clear: bottle online again'],
  ['(\\d+) Nachrichten zu Pillendosen', '$1 messages about pill bottles'],
  ['Pillendose ([0-9a-f]{6}), (\\S+)\\.', 'Bottle $1, $2.'],
  ['Fällig: <time>\\.', 'Due: $1.'],
  ['Bemerkt: <time>\\.', 'Noticed: $1.'],
  ['Beendet: <time>\\.', 'Ended: $1.'],
  [
    '<pills> Tablette mehr als geplant wurde entnommen: <time>\\.',
    '$1 pill more than planned was removed: $2.',
  ],
  [
    '<pills> Tabletten mehr als geplant wurden entnommen: <time>\\.',
    '$1 pills more than planned were removed: $2.',
  ],
  [
    'Zusammen sind das <pills> Tabletten? mehr als geplant\\.',
    'In all, that makes $1 pills more than planned.',
  ],
  ['Die Einnahme war auch so vollständig\\.', 'The dose was complete without that.'],
  [
    'Die Pillendose wurde aufgefüllt: <time>\\. Keine Zählung zeigt, ob dabei Tabletten entnommen wurden\\.',
    'The bottle was filled at $1, and no count shows whether pills were taken out then.',
  ],
  ['Das ist mehr, als in 24 Stunden erlaubt ist\\.', 'That is more than 24 hours allow.'],
  ['Einnahme lässt sich nicht bestätigen', 'Dose cannot be confirmed'],
  ['Fragen Sie, ob die Einnahme erfolgt ist\\.', 'Ask whether it was taken.'],
  ['Lässt sich nicht bestätigen: die Einnahme von <time>\\.', 'Cannot be confirmed: the dose of $1.'],
  ['Genommen, später oder ausgelassen\\? (\\S+)', 'Taken, later or skipped? $1'],
  ['Genommen oder ausgelassen\\? (\\S+)', 'Taken or skipped? $1'],
  ['Alarm quittieren: (\\S+)', 'Acknowledge: $1'],
  [
    'Die letzte Einnahme war (\\d+) Std\\. (\\d+) Min\\. davor fällig, die nächste ist (\\d+) Std\\. (\\d+) Min\\. danach fällig\\.',
    'The last dose was due $1 h $2 min before, the next one is due $3 h $4 min after it.',
  ],
  ['(\\w+), (\\S+)\\.', '$1, $2.'],
];

const PATTERNS = TEXTS.map(
  ([german, english]) =>
    [
      new RegExp(`^${german.replaceAll('<time>', `(${TIME})`).replaceAll('<pills>', `(${AMOUNT})`)}$`),
      english,
    ] as const,
);

/** A German mail as an English one would be; what is not German stays, marked, so that it is no English text either. */
export function inEnglish({ title, subject, lines, html, ...rest }: MailPart, timeZone: string): MailPart {
  const text = (german: string): string => {
    const [pattern, english] = PATTERNS.find(([each]) => each.test(german)) ?? [];
    if (!pattern || english === undefined) return `no German: ${german}`;
    return german
      .replace(pattern, english)
      .replaceAll(new RegExp(TIME, 'g'), (time) => englishTime(time, timeZone));
  };
  return {
    ...rest,
    title: text(title),
    subject: text(subject),
    lines: lines.map(text),
    html: html.map(text),
  };
}

/** The same moment as an English mail writes it; the text as it is if it is none in this zone. */
function englishTime(text: string, timeZone: string): string {
  const at = momentOf(text, timeZone, 'de-DE');
  return at === undefined ? text : timeIn(timeZone, 'en-GB').format(at);
}
