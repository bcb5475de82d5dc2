import type { AlertTexts } from '../../../alert-kinds/alert-texts.js';
import type { Notification } from '../../channel.js';
import type { Message } from '../../message.js';

/** An e-mail without its addresses. */
export interface Mail {
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
}

/** Composes one e-mail of one or several notifications. Times are in the recipient's zone and name it. */
export function composeMail(
  notifications: readonly [Notification, ...Notification[]],
  timeZone: string,
  texts: AlertTexts,
): Mail {
  const [{ message: first }] = notifications;
  const parts = notifications.map(({ message }) => ({
    title: texts.title(message.data),
    lines: linesOf(message, timeZone, texts),
  }));
  return {
    subject:
      notifications.length === 1
        ? texts.title(first.data)
        : `${notifications.length} messages about pill bottles`,
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

function linesOf({ data }: Message, timeZone: string, texts: AlertTexts): string[] {
  const at = (iso: string): string =>
    new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'full', timeStyle: 'long' }).format(
      new Date(iso),
    );
  return [
    `${data.medication}, ${data.user_id}.`,
    ...texts.lines(data, at),
    `Noticed: ${at(data.raised_at)}.`,
    ...(data.ended_at === undefined ? [] : [`Ended: ${at(data.ended_at)}.`]),
    ...(data.acknowledge_url === undefined ? [] : [`Acknowledge: ${data.acknowledge_url}`]),
  ];
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
