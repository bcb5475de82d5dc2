import type { At } from '../alerts/alert-kind-facts.js';
import { amountText, pillsText } from '../doses/pills.js';
import { alertKindFacts } from '../alerts/alert-kinds.js';
import { closeReasonText } from '../alerts/closing.js';
import { notificationEventFacts } from '../notifications/notification-events.js';
import { alertTitle, kindLines } from './alert-texts.js';
import type { Message, SummarizedDose } from './message.js';

/** A message as a person reads it. */
export interface PersonText {
  /** Names no medication: a locked phone shows it to whoever looks. */
  title: string;
  lines: string[];
}

/** A sentence, or what a page is offered for. */
export type PersonLine = string | { ask: string; url: string };

/** What names a bottle. */
type Named = Pick<SummarizedDose, 'medication' | 'label' | 'bottle_id' | 'user_id'>;

/**
 * A message as plain text, each link after what it is for.
 *
 * @param timeZone IANA name: the zone of the times, which name it
 * @param namesMedication false: the end of the bottle's id stands for the medication, by which staff find it
 */
export function personText(message: Message, timeZone: string, namesMedication: boolean): PersonText {
  const { title, lines } = personLines(message, timeZone, namesMedication);
  const textOf = (line: PersonLine): string =>
    typeof line === 'string' ? line : `${line.ask}${line.ask.endsWith('?') ? '' : ':'} ${line.url}`;
  return { title, lines: lines.map(textOf) };
}

/** The same, where links can be pressed. */
export function personLines(
  { data }: Message,
  timeZone: string,
  namesMedication: boolean,
): { title: string; lines: PersonLine[] } {
  const nameOf = ({ medication, label, bottle_id, user_id }: Named): string => {
    const bottle = namesMedication ? medication : `Bottle ${bottle_id.slice(-6)}`;
    return `${label === undefined ? bottle : `${bottle} (${label})`}, ${user_id}`;
  };
  const at: At = (time) =>
    new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'full', timeStyle: 'long' }).format(
      new Date(time),
    );
  if (data.doses)
    return {
      title: alertTitle(data),
      lines:
        data.event === 'unconfirmed'
          ? unconfirmedLines(data.doses, nameOf, at)
          : data.doses.map((dose) => `${nameOf(dose)}: ${summaryLine(dose, at(dose.subject))}.`),
    };
  return {
    title: alertTitle(data),
    lines: [
      `${nameOf(data)}.`,
      ...closingLines(data),
      ...kindLines(data, at),
      ...(alertKindFacts(data.kind).reminds ? [] : [`Noticed: ${at(data.raised_at)}.`]),
      ...(data.ended_at === undefined ? [] : [`Ended: ${at(data.ended_at)}.`]),
      ...linkLines(data),
    ],
  };
}

/** One page serves for both. Of a dose that is over nobody can promise to take it (ATTEST-12). */
function linkLines({ event, acknowledge_url, statement_url }: Message['data']): PersonLine[] {
  if (notificationEventFacts(event).ends !== undefined) return statementLines(statement_url);
  if (statement_url !== undefined) return [{ ask: 'Taken, later or skipped?', url: statement_url }];
  return acknowledge_url === undefined ? [] : [{ ask: 'Acknowledge', url: acknowledge_url }];
}

/** Of a dose that is over. */
function statementLines(url: string | undefined): PersonLine[] {
  return url === undefined ? [] : [{ ask: 'Taken or skipped?', url }];
}

/** `the dose of Monday, 2 March 2026 at 08:00:00 UTC was missed` */
function summaryLine({ evidence }: SummarizedDose, due: string): string {
  const { outcome, pills_taken: taken, pills_scheduled: scheduled } = evidence;
  return outcome === 'partial'
    ? `${amountText(taken ?? 0)} of ${pillsText(scheduled ?? 0)} of the dose of ${due} ${scheduled && scheduled <= 1 ? 'was' : 'were'} taken`
    : `the dose of ${due} was missed`;
}

/** The coverage gaps, oldest first, and below each its doses that cannot be confirmed. */
function unconfirmedLines(
  doses: readonly SummarizedDose[],
  nameOf: (dose: Named) => string,
  at: At,
): PersonLine[] {
  const gapOf = ({ evidence }: SummarizedDose): string =>
    'from' in evidence ? [evidence.from, evidence.until].map(at).join(' and ') : '';
  return [...new Set(doses.map(gapOf))].flatMap((gap) => [
    `Between ${gap} we could not receive reports. These doses cannot be confirmed:`,
    ...doses
      .filter((dose) => gapOf(dose) === gap)
      .flatMap((dose) => [
        `${nameOf(dose)}: the dose of ${at(dose.subject)}.`,
        ...statementLines(dose.statement_url),
      ]),
  ]);
}

/** Who closed which alert and why; says nothing about its condition. */
function closingLines({ closed, ...data }: Message['data']): string[] {
  if (data.event !== 'closed_by_staff' || !closed) return [];
  const { afterClosing } = alertKindFacts(data.kind);
  return [
    `Alert: ${alertTitle({ ...data, event: 'raised' })}.`,
    `Closed by ${closed.by}. Reason: ${closeReasonText(closed)}.`,
    ...(afterClosing === undefined ? [] : [afterClosing]),
  ];
}
