import { amountText } from '../doses/pills.js';
import { alertKindFacts } from '../alerts/alert-kinds.js';
import { closeReasonText } from '../alerts/closing.js';
import { isFirstAdmin } from '../attestations/attestation.js';
import type { Say, Phrases } from '../language/phrases.js';
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

/** What names a bottle, and whose it is. */
type Named = Pick<SummarizedDose, 'medication' | 'label' | 'bottle_id' | 'user_id' | 'user_name'>;

/**
 * A message as plain text, each link after what it is for.
 *
 * @param phrases of the recipient
 * @param namesMedication false: the end of the bottle's id stands for the medication, by which staff find it
 */
export function personText(message: Message, phrases: Phrases, namesMedication: boolean): PersonText {
  const { title, lines } = personLines(message, phrases, namesMedication);
  const textOf = (line: PersonLine): string =>
    typeof line === 'string' ? line : `${line.ask}${line.ask.endsWith('?') ? '' : ':'} ${line.url}`;
  return { title, lines: lines.map(textOf) };
}

/** The same, where links can be pressed. */
export function personLines(
  { data }: Message,
  phrases: Phrases,
  namesMedication: boolean,
): { title: string; lines: PersonLine[] } {
  const { say, at } = phrases;
  const nameOf = ({ medication, label, bottle_id, user_id, user_name = user_id }: Named): string => {
    const bottle = namesMedication ? medication : say('Bottle {{end}}', { end: bottle_id.slice(-6) });
    return `${label === undefined ? bottle : `${bottle} (${label})`}, ${user_name}`;
  };
  if (data.doses)
    return {
      title: alertTitle(data, say),
      lines:
        data.event === 'unconfirmed'
          ? unconfirmedLines(data.doses, nameOf, phrases)
          : data.doses.map((dose) => `${nameOf(dose)}: ${summaryLine(dose, phrases)}.`),
    };
  return {
    title: alertTitle(data, say),
    lines: [
      `${nameOf(data)}.`,
      ...closingLines(data, say),
      ...kindLines(data, phrases),
      ...(alertKindFacts(data.kind).reminds ? [] : [say('Noticed: {{time}}.', { time: at(data.raised_at) })]),
      ...(data.ended_at === undefined ? [] : [say('Ended: {{time}}.', { time: at(data.ended_at) })]),
      ...linkLines(data, say),
    ],
  };
}

/** One page serves for both. Of a dose that is over nobody can promise to take it (ATTEST-12). */
function linkLines({ event, acknowledge_url, statement_url }: Message['data'], say: Say): PersonLine[] {
  if (notificationEventFacts(event).ends !== undefined) return statementLines(statement_url, say);
  if (statement_url !== undefined) return [{ ask: say('Taken, later or skipped?'), url: statement_url }];
  return acknowledge_url === undefined ? [] : [{ ask: say('Acknowledge'), url: acknowledge_url }];
}

/** Of a dose that is over. */
function statementLines(url: string | undefined, say: Say): PersonLine[] {
  return url === undefined ? [] : [{ ask: say('Taken or skipped?'), url }];
}

/** `the dose of Monday, 2 March 2026 at 08:00:00 UTC was missed` */
function summaryLine({ evidence, subject }: SummarizedDose, { say, at, pills }: Phrases): string {
  const { outcome, pills_taken: taken = 0, pills_scheduled: scheduled } = evidence;
  const time = at(subject);
  if (outcome !== 'partial') return say('the dose of {{time}} was missed', { time });
  return say(
    scheduled > 0 && scheduled <= 1
      ? '{{taken}} of {{pills}} of the dose of {{time}} was taken'
      : '{{taken}} of {{pills}} of the dose of {{time}} were taken',
    { taken: amountText(taken), pills: pills(scheduled), time },
  );
}

/** The coverage gaps, oldest first, and below each its doses that cannot be confirmed. */
function unconfirmedLines(
  doses: readonly SummarizedDose[],
  nameOf: (dose: Named) => string,
  { say, at }: Phrases,
): PersonLine[] {
  const gapOf = ({ evidence }: SummarizedDose): string =>
    'from' in evidence
      ? say('Between {{from}} and {{until}} we could not receive reports. These doses cannot be confirmed:', {
          from: at(evidence.from),
          until: at(evidence.until),
        })
      : '';
  return [...new Set(doses.map(gapOf))].flatMap((gap) => [
    gap,
    ...doses
      .filter((dose) => gapOf(dose) === gap)
      .flatMap((dose) => [
        `${nameOf(dose)}: ${say('the dose of {{time}}', { time: at(dose.subject) })}.`,
        ...statementLines(dose.statement_url, say),
      ]),
  ]);
}

/** Who closed which alert and why; says nothing about its condition. */
function closingLines({ closed, ...data }: Message['data'], say: Say): string[] {
  if (data.event !== 'closed_by_staff' || !closed) return [];
  const { afterClosing } = alertKindFacts(data.kind);
  const reason = closeReasonText(closed, say);
  return [
    say('Alert: {{title}}.', { title: alertTitle({ ...data, event: 'raised' }, say) }),
    isFirstAdmin(closed.by)
      ? say('Closed by staff. Reason: {{reason}}.', { reason })
      : say('Closed by {{by}}. Reason: {{reason}}.', { by: closed.by, reason }),
    ...(afterClosing === undefined ? [] : [say(afterClosing)]),
  ];
}
