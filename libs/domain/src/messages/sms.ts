/** GSM 03.38's basic alphabet: seven bits each, without the escape. */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
/** Its extension: an escape and seven bits. */
const EXTENSION = '\f^{}\\[~]|€';

const UNITS_OF = new Map<string, number>([
  ...[...BASIC].map((character) => [character, 1] as const),
  ...[...EXTENSION].map((character) => [character, 2] as const),
]);

export type SmsEncoding = 'gsm7' | 'ucs2';

/** Units in a text of one segment, and in each segment of a longer one, whose header takes some. */
const ROOM = { gsm7: { one: 160, each: 153 }, ucs2: { one: 70, each: 67 } } as const;

/** An SMS has at most so many segments: each is paid, and some networks take no more. */
export const MOST_SEGMENTS = 4;

/** GSM 7 if every character is in its alphabet, else UCS-2 for the whole text. */
export function smsEncoding(text: string): SmsEncoding {
  return [...text].every((character) => UNITS_OF.has(character)) ? 'gsm7' : 'ucs2';
}

/** How many segments a text takes. No segment ends inside an escape or a pair of surrogates. */
export function smsSegments(text: string): number {
  const encoding = smsEncoding(text);
  const { one, each } = ROOM[encoding];
  const units = [...text].map((character) =>
    encoding === 'gsm7' ? UNITS_OF.get(character)! : character.length,
  );
  if (units.reduce((sum, size) => sum + size, 0) <= one) return 1;
  let [segments, left] = [1, each];
  for (const size of units) {
    if (size > left) [segments, left] = [segments + 1, each];
    left -= size;
  }
  return segments;
}

/** Whether a text can be sent as one SMS. */
export const fitsSms = (text: string): boolean => smsSegments(text) <= MOST_SEGMENTS;

/** What a reply by SMS asks for. */
export type SmsCommand = 'stop' | 'start' | 'help';

/** The words that gateways know, too, and the German ones. */
const COMMANDS: Record<SmsCommand, readonly string[]> = {
  stop: ['STOP', 'STOPALL', 'STOPP', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'ABMELDEN'],
  start: ['START', 'UNSTOP', 'ANMELDEN'],
  help: ['HELP', 'INFO', 'HILFE'],
};

/** What a digit in a reply says of a dose. */
export type DoseReply = 'taken' | 'later' | 'skipped' | 'help';

const DOSE_REPLIES = new Map<string, DoseReply>([
  ['1', 'taken'],
  ['2', 'later'],
  ['3', 'skipped'],
  ['4', 'help'],
]);

/** What a reply says of a dose; undefined for anything but the one digit. */
export function doseReply(text: string): DoseReply | undefined {
  return DOSE_REPLIES.get(text.trim().replace(/[.!]+$/, ''));
}

/** The command that a reply is; undefined for any other text, also for one that only contains such a word. */
export function smsCommand(text: string): SmsCommand | undefined {
  const command = text
    .trim()
    .replace(/[.!]+$/, '')
    .toUpperCase();
  return (Object.keys(COMMANDS) as SmsCommand[]).find((name) => COMMANDS[name].includes(command));
}
