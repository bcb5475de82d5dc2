import { personText } from '#domain';
import { html, type Markup } from '#platform';
import type { Notification } from '../../channel.js';

/** An e-mail without its addresses. */
export interface Mail {
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
}

type Part = Pick<Notification, 'delivery' | 'message'>;

/** Composes one e-mail of one or several notifications. Times are in the recipient's zone and name it. */
export function composeMail(
  notifications: readonly [Part, ...Part[]],
  timeZone: string,
  namesMedication: boolean,
): Mail {
  const parts = notifications.map(({ message }) => personText(message, timeZone, namesMedication));
  return {
    subject:
      notifications.length === 1 ? parts[0]!.title : `${notifications.length} messages about pill bottles`,
    text: parts.map(({ title, lines }) => [title, ...lines].join('\n')).join('\n\n'),
    html: html`<!doctype html>
      <html lang="en">
        <body>
          ${parts.map(sectionOf)}
        </body>
      </html>`.text,
    headers: {
      'X-Pillwatch-Delivery': notifications.map(({ delivery }) => delivery._id).join(', '),
      'X-Pillwatch-Alert': notifications.map(({ delivery }) => delivery.alert_id.toHexString()).join(', '),
      'X-Pillwatch-Kind': notifications.map(({ delivery }) => delivery.kind).join(', '),
      'X-Pillwatch-Event': notifications.map(({ delivery }) => delivery.event).join(', '),
      'X-Pillwatch-Bottle': notifications.map(({ delivery }) => delivery.bottle_id.toHexString()).join(', '),
    },
  };
}

function sectionOf({ title, lines }: { title: string; lines: readonly string[] }): Markup {
  return html`<h2>${title}</h2>
    ${lines.map((line) => html`<p>${line}</p>`)}`;
}
