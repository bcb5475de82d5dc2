import type { ExpectedContent } from '../file/format.js';
import type { ReceivedMessage } from '../truth/describe.js';
import type { Evidence } from './content.js';
import type { MailSays } from './mail-lines.js';

/** What a message says, whatever channel it came over. */
export interface Shown extends Pick<ExpectedContent, 'user' | 'medication' | 'link' | 'title' | 'lines'> {
  /** Of a webhook. */
  recipient?: string;
  /** Some of its lines are left out: those that are there are right. */
  isCut: boolean;
  /** Of each alert that it is about. */
  about: { subject: string; evidence: Evidence }[];
}

/** The last line of an SMS without room for all. */
export const MORE = '...';

export const isCut = ({ content: { sms } }: ReceivedMessage): boolean => sms?.lines.at(-1) === MORE;

/** @param says what its lines say, of a mail or SMS */
export function shownBy(message: ReceivedMessage, says: MailSays | undefined): Shown {
  const { body, mail, sms, push } = message.content;
  const text = mail ?? sms ?? (push && { title: push.title, lines: [] });
  if (body) {
    const {
      user_id: user,
      medication,
      recipient: { carer_id, role },
      statement_url: asks,
      acknowledge_url: acknowledges,
    } = body.data;
    const link = asks !== undefined ? 'ask' : acknowledges !== undefined ? 'acknowledge' : 'none';
    const about = body.data.doses ?? [body.data];
    return { user, medication, recipient: carer_id ?? role, link, about, isCut: false };
  }
  const { name = says?.doses[0]?.name, subject = '', evidence = {}, doses = [], link } = says ?? {};
  const comma = name?.lastIndexOf(', ') ?? -1;
  const kind = link?.kind ?? (doses.some((dose) => dose.link !== undefined) ? 'ask' : 'none');
  return {
    ...(comma > 0 && { medication: name!.slice(0, comma), user: name!.slice(comma + 2) }),
    link: kind,
    ...(text && { title: text.title, lines: text.lines }),
    isCut: isCut(message),
    about: doses.length > 0 ? doses : [{ subject, evidence }],
  };
}

/** Whether a message says what it must. */
export function saysAll(
  shown: Shown,
  { doses, evidence, lines, recipient, ...texts }: ExpectedContent,
): boolean {
  const dueAt = shown.about.map(({ subject }) => subject);
  return (
    Object.entries(texts).every(([field, text]) => shown[field as keyof typeof texts] === text) &&
    (recipient === undefined || shown.recipient === undefined || shown.recipient === recipient) &&
    (!doses || areDue(doses, dueAt, shown)) &&
    (!evidence || shown.about.some((each) => contains(each.evidence, evidence, shown.lines !== undefined))) &&
    (!lines || lines.every((line) => shown.lines?.includes(line)))
  );
}

/** Whether these doses are named; of an SMS without room for all, the first of them. */
function areDue(doses: readonly Date[], named: readonly string[], { isCut: few }: Shown): boolean {
  const due = doses.map((dose) => dose.toISOString());
  if (!few) return due.join() === named.join();
  return named.every((subject, index) => subject === '' || subject === due[index]);
}

/**
 * Whether a value is what is expected; of an object, in the fields that are given.
 *
 * @param isMail a mail has only some of the fields, and names whole seconds
 */
function contains(value: unknown, expected: unknown, isMail: boolean): boolean {
  if (isMail && value === undefined) return true;
  if (typeof expected !== 'object' || expected === null || Array.isArray(expected))
    return JSON.stringify(value) === JSON.stringify(isMail ? inSeconds(expected) : expected);
  return Object.entries(expected).every(([field, part]) =>
    contains((value as Evidence | undefined)?.[field], part, isMail),
  );
}

function inSeconds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSeconds);
  return typeof value === 'string' ? value.replace(/\.\d{3}Z$/, '.000Z') : value;
}
