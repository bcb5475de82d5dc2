import { type Language, type PersonLine, personLines, personText, type Say, sayIn, phrasesIn } from '#domain';
import { html, type Markup, textOn } from '#platform';
import type { NotifierConfig } from '../../../config.js';
import type { Notification } from '../../channel.js';
import { LAYOUT } from './layout.js';

/** An e-mail without its addresses. */
export interface Mail {
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
}

/** The settings that a mail shows. */
export type MailSettings = Pick<
  NotifierConfig,
  | 'MAIL_NAMES_MEDICATION'
  | 'OPERATOR_NAME'
  | 'OPERATOR_COLOR'
  | 'OPERATOR_LOGO_URL'
  | 'OPERATOR_PHONE'
  | 'OPERATOR_IMPRINT_URL'
>;

/** One message of a mail. */
export interface MailPart {
  title: string;
  lines: readonly PersonLine[];
}

type Part = Pick<Notification, 'delivery' | 'message' | 'stopUrl'>;

/** How the recipient of a mail reads. */
interface MailReader {
  /** Absent: English. */
  language?: Language;
  /** IANA name. */
  time_zone: string;
}

/** Composes one e-mail of one or several notifications. Times are in the recipient's zone and name it. */
export function composeMail(
  notifications: readonly [Part, ...Part[]],
  { language, time_zone }: MailReader,
  settings: MailSettings,
): Mail {
  const { MAIL_NAMES_MEDICATION: namesMedication } = settings;
  const phrases = phrasesIn(language, time_zone);
  const texts = notifications.map(({ message }) => personText(message, phrases, namesMedication));
  const parts = notifications.map(({ message }) => personLines(message, phrases, namesMedication));
  const subject =
    notifications.length === 1
      ? parts[0]!.title
      : phrases.say('{{count}} messages about pill bottles', { count: notifications.length });
  const { stopUrl } = notifications[0];
  return {
    subject,
    text: [
      ...texts.map(({ title, lines }) => [title, ...lines].join('\n')),
      ...footText(settings, stopUrl, phrases.say),
    ].join('\n\n'),
    html: mailHtml(subject, parts, settings, stopUrl, language),
    headers: {
      'X-Pillwatch-Delivery': notifications.map(({ delivery }) => delivery._id).join(', '),
      'X-Pillwatch-Alert': notifications.map(({ delivery }) => delivery.alert_id.toHexString()).join(', '),
      'X-Pillwatch-Kind': notifications.map(({ delivery }) => delivery.kind).join(', '),
      'X-Pillwatch-Event': notifications.map(({ delivery }) => delivery.event).join(', '),
      'X-Pillwatch-Bottle': notifications.map(({ delivery }) => delivery.bottle_id.toHexString()).join(', '),
      // RFC 2369 and 8058: the button of mail programs
      ...(stopUrl !== undefined && {
        'List-Unsubscribe': `<${stopUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  };
}

/** Composes an e-mail about nobody. */
export function composeNotice(
  part: MailPart,
  settings: MailSettings,
  language?: Language,
): Omit<Mail, 'headers'> {
  const lines = part.lines.map((line) => (typeof line === 'string' ? line : `${line.ask}: ${line.url}`));
  return {
    subject: part.title,
    text: [...lines, ...footText(settings, undefined, sayIn(language))].join('\n\n'),
    html: mailHtml(part.title, [part], settings, undefined, language),
  };
}

function mailHtml(
  subject: string,
  parts: readonly MailPart[],
  settings: MailSettings,
  stopUrl: string | undefined,
  language: Language = 'en',
): string {
  const { OPERATOR_NAME: name, OPERATOR_COLOR: color, OPERATOR_LOGO_URL: logo } = settings;
  const colors = { color, textColor: textOn(color) };
  const lineOf = (line: PersonLine): Markup =>
    typeof line === 'string'
      ? fill('line', { text: line })
      : fill('button', { label: line.ask, url: line.url, ...colors });
  const foot = footOf(settings, stopUrl, sayIn(language)).map(({ text, url }) =>
    fill('foot', {
      text: url === undefined ? text : html`<a href="${url}" style="color:#0b57d0">${text}</a>`,
    }),
  );
  return fill('document', {
    language,
    subject,
    name,
    ...colors,
    logo: logo === undefined ? [] : fill('logo', { src: logo }),
    messages: parts.map(({ title, lines }) => fill('message', { title, lines: lines.map(lineOf) })),
    foot,
  }).text;
}

/** Whom to call, who the operator is, and how to get no more messages. */
function footOf(
  { OPERATOR_PHONE: phone, OPERATOR_IMPRINT_URL: imprint }: MailSettings,
  stopUrl: string | undefined,
  say: Say,
): { text: string; url?: string }[] {
  return [
    ...(phone === undefined ? [] : [{ text: say('Questions? Call {{phone}}', { phone }) }]),
    ...(imprint === undefined ? [] : [{ text: say('Imprint'), url: imprint }]),
    ...(stopUrl === undefined ? [] : [{ text: say('Stop messages to this address'), url: stopUrl }]),
  ];
}

/** The foot after the sign by which mail programs know it (RFC 3676, 4.3); nothing if it is empty. */
function footText(settings: MailSettings, stopUrl: string | undefined, say: Say): string[] {
  const lines = footOf(settings, stopUrl, say).map(({ text, url }) =>
    url === undefined ? text : `${text}: ${url}`,
  );
  return lines.length === 0 ? [] : [['-- ', ...lines].join('\n')];
}

/** A part of the layout with what is put into it, escaped. */
function fill(
  part: keyof typeof LAYOUT,
  values: Readonly<Record<string, string | Markup | Markup[]>>,
): Markup {
  // a text, then a name, and so on to the last text
  const textsAndNames = LAYOUT[part].split(/\$\{(\w+)\}/);
  const texts = textsAndNames.filter((_, index) => index % 2 === 0);
  const names = textsAndNames.filter((_, index) => index % 2 === 1);
  return html(Object.assign(texts, { raw: texts }), ...names.map((name) => values[name]!));
}
