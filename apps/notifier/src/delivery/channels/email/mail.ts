import type { Notification } from '../../channel.js';
import type { Message } from '../../message.js';

/** A mail ready to be addressed. */
export interface Mail {
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
}

/** No medication in a subject: a locked phone shows it to whoever looks. */
const SUBJECTS: Record<string, string> = {
  'missed_dose raised': 'A dose has not been taken',
  'missed_dose escalated': 'A dose has still not been taken',
  'missed_dose missed': 'A dose was missed',
  'missed_dose resolved': 'The late dose was taken',
  'missed_dose retracted': 'Correction: the dose had been taken',
  'bottle_open raised': 'A pill bottle stands open',
  'bottle_open escalated': 'A pill bottle still stands open',
  'bottle_open resolved': 'The pill bottle was closed',
  'bottle_open retracted': 'Correction: the pill bottle had been closed',
  'bottle_silent raised': 'A pill bottle cannot be reached',
  'bottle_silent escalated': 'A pill bottle still cannot be reached',
  'bottle_silent resolved': 'The pill bottle is connected again',
  'extra_dose raised': 'More was taken than planned',
  'extra_dose escalated': 'More was taken than planned',
  'low_supply raised': 'A pill bottle is nearly empty',
  'low_supply escalated': 'A pill bottle is nearly empty',
  'low_supply resolved': 'The pill bottle was refilled',
  'count_mismatch raised': 'Weight and count of a pill bottle differ',
  'count_mismatch escalated': 'Weight and count of a pill bottle still differ',
  'count_mismatch resolved': 'Weight and count of the pill bottle agree again',
  'fleet_incident raised': 'Many pill bottles fell silent at once',
  'fleet_incident resolved': 'The pill bottles are connected again',
};

/** One mail for one or several messages; times in the recipient's zone, always with its name. */
export function composeMail(
  notifications: readonly [Notification, ...Notification[]],
  timeZone: string,
): Mail {
  const [{ message: first }] = notifications;
  const parts = notifications.map(({ message }) => ({
    title: titleOf(message),
    lines: linesOf(message, timeZone),
  }));
  return {
    subject:
      notifications.length === 1 ? titleOf(first) : `${notifications.length} messages about pill bottles`,
    text: parts.map(({ title, lines }) => [title, ...lines].join('\n')).join('\n\n'),
    html: `<!doctype html><html lang="en"><body>${parts
      .map(
        ({ title, lines }) =>
          `<h2>${escape(title)}</h2>${lines.map((line) => `<p>${escape(line)}</p>`).join('')}`,
      )
      .join('')}</body></html>`,
    headers: {
      'X-Pillwatch-Delivery': notifications.map(({ delivery }) => delivery._id).join(', '),
      'X-Pillwatch-Kind': notifications.map(({ delivery }) => delivery.kind).join(', '),
      'X-Pillwatch-Event': notifications.map(({ delivery }) => delivery.event).join(', '),
      'X-Pillwatch-Bottle': notifications.map(({ delivery }) => delivery.bottle_id.toHexString()).join(', '),
    },
  };
}

function titleOf({ data }: Message): string {
  if (data.event === 'resolved' && data.evidence['outcome'] === 'partial')
    return 'Only a part of the dose was taken';
  return SUBJECTS[`${data.kind} ${data.event}`] ?? `${data.kind} ${data.event}`;
}

function linesOf({ data }: Message, timeZone: string): string[] {
  const at = (iso: string): string =>
    new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'full', timeStyle: 'long' }).format(
      new Date(iso),
    );
  return [
    `${data.medication}, ${data.user_id}.`,
    ...(data.kind === 'missed_dose' ? [`Due: ${at(data.subject)}.`] : []),
    ...countedAndWeighed(data),
    `Noticed: ${at(data.raised_at)}.`,
    ...(data.ended_at === undefined ? [] : [`Ended: ${at(data.ended_at)}.`]),
    ...(data.acknowledge_url === undefined ? [] : [`Take care of it: ${data.acknowledge_url}`]),
    ...unconfirmed(data.evidence).map((iso) => `Cannot be confirmed: the dose of ${at(iso)}.`),
  ];
}

/** What a person can check by looking into the bottle. */
function countedAndWeighed({ kind, event, evidence }: Message['data']): string[] {
  const { number_of_pills: counted, difference_pills: difference } = evidence;
  if (kind !== 'count_mismatch' || event === 'resolved') return [];
  if (typeof counted !== 'number' || typeof difference !== 'number') return [];
  return [
    `By its count there are ${counted} pills in it, by its weight about ${Math.round(counted + difference)}.`,
  ];
}

function unconfirmed(evidence: Record<string, unknown>): string[] {
  const doses = evidence['unconfirmed_doses'];
  return Array.isArray(doses)
    ? doses.map((dose: unknown) => (dose instanceof Date ? dose.toISOString() : String(dose)))
    : [];
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
