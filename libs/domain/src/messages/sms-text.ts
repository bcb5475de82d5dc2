import { notificationEventFacts } from '../notifications/notification-events.js';
import type { Phrases } from '../language/phrases.js';
import type { Message } from './message.js';
import { type PersonText, personText } from './person-text.js';
import { fitsSms } from './sms.js';

const hasLink = (line: string): boolean => /https?:\/\//.test(line);
/** In place of what does not fit; in GSM 7, unlike an ellipsis. */
const MORE = '...';

/**
 * A message as an SMS.
 *
 * @param takesReplies whether it names the digits that answer it
 */
export function smsOf(
  message: Message,
  phrases: Phrases,
  { namesMedication, takesReplies }: { namesMedication: boolean; takesReplies: boolean },
): string {
  const { title, lines } = personText(message, phrases, namesMedication);
  const digits = takesReplies ? digitsOf(message, phrases) : undefined;
  const withDigits = (line: string): string => (digits && hasLink(line) ? `${line}\n${digits}` : line);
  return smsText({ title, lines: lines.map(withDigits) });
}

/** Of several doses, no digit says which one it answers. */
function digitsOf({ data: { event, statement_url, doses } }: Message, { say }: Phrases): string | undefined {
  if (statement_url === undefined || doses) return undefined;
  const isOver = notificationEventFacts(event).ends !== undefined;
  return isOver
    ? say('Or reply: 1 taken, 3 skipped, 4 help')
    : say('Or reply: 1 taken, 2 later, 3 skipped, 4 help');
}

/**
 * The text of an SMS: the title, and of the lines as many as fit. Its link stays whole, as does what names the bottle;
 * details go first, from the last one on. Of several doses, each with its link, the last ones go.
 */
export function smsText({ title, lines }: PersonText): string {
  const links = lines.filter(hasLink);
  const shorter = links.length > 1 ? withFewerDoses(lines) : withFewerDetails(lines);
  const texts = [lines, ...shorter].map((kept) => joined([title, ...kept]));
  return texts.find(fitsSms) ?? cutToFit(joined([title, lines[0] ?? '']), links[0]);
}

/** Without the last doses, of which each ends with its link. */
function withFewerDoses(lines: readonly string[]): string[][] {
  const ends = lines.flatMap((line, index) => (hasLink(line) ? index + 1 : []));
  return ends
    .slice(0, -1)
    .toReversed()
    .map((end) => [...lines.slice(0, end), MORE]);
}

/** Without the last lines, but for the first and the link. */
function withFewerDetails([name = '', ...others]: readonly string[]): string[][] {
  const details = others.filter((line) => !hasLink(line));
  return details
    .map((_detail, index) => {
      const left = new Set(details.slice(index));
      return [name, ...others.filter((line) => !left.has(line)), MORE];
    })
    .toReversed();
}

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n');

/** A text without its last phrases, as many as it takes, and a link if there is room for it at all. */
function cutToFit(text: string, link: string | undefined): string {
  const parts = text.split(/(?<=\s)/);
  const starts = parts.map((_part, left) => `${parts.slice(0, left).join('').trimEnd()} ${MORE}`.trimStart());
  const texts = [...starts, text].map((start) => joined([start, link ?? '']));
  return texts.findLast(fitsSms) ?? cutToFit(text, undefined);
}
