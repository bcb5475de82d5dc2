import type { MailPart } from './content.js';

/**
 * Reads what people see of a mail: its parts, each a title and lines.
 *
 * @param ids of its notifications
 * @throws if it has no text or no HTML, or if their feet say different things
 */
export function readMail(raw: string, subject: string, ids: string[]): MailPart[] {
  const [plain, all] = ['text/plain', 'text/html'].map((type) => partOf(raw, type)) as [string, string];
  const [html = '', ...footOfHtml] = all.split(/(?=<td [^>]*class="foot")/);
  const [, language = ''] = /<html lang="([^"]*)"/.exec(html) ?? [];
  const [text = '', foot = ''] = plain.trimEnd().split('\n\n-- \n');
  if (footOfHtml.flatMap(linesOfHtml).join('\n') !== foot)
    throw new Error(`the foot of a mail in HTML is not "${foot}"`);
  const blocks = html
    .split(/<h2[^>]*>/)
    .slice(1)
    .map(linesOfHtml);
  return text
    .trimEnd()
    .split('\n\n')
    .map((block, index) => {
      const [title = '', ...lines] = block.split('\n');
      return { ids, subject: phrasesIn(subject), language, title, lines, html: blocks[index] ?? [] };
    });
}

function linesOfHtml(block: string): string[] {
  return block
    .replaceAll(/<a href="([^"]*)"[^>]*>([^<]*)<\/a>/g, textOfLink)
    .split(/<\/h2>|<\/p>/)
    .map((line) => line.replaceAll(/<[^>]*>/g, '').trim())
    .filter((line) => line !== '')
    .map((line) => line.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))));
}

/** As the plain text has it: what a link is for, and its address. */
function textOfLink(_: string, url: string, label: string): string {
  return `${label}${label.endsWith('?') ? '' : ':'} ${url}</p>`;
}

/** A header as people read it: what is not ASCII is in encoded words (RFC 2047), which join where they meet. */
function phrasesIn(header: string): string {
  return header
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, how: string, text: string) =>
      how.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString()
        : decode(text.replaceAll('_', ' '), 'quoted-printable'),
    );
}

/** The decoded part of a MIME message. */
export function partOf(raw: string, type: string): string {
  const boundary = /boundary="?([^";\r\n]+)"?/.exec(raw)?.[1];
  const part = raw
    .split(`--${boundary}`)
    .find((each) => each.toLowerCase().includes(`content-type: ${type}`));
  const begin = part?.indexOf('\r\n\r\n') ?? -1;
  if (!part || begin < 0) throw new Error(`a mail without a part ${type}`);
  const body = part.slice(begin + 4).replace(/\r\n$/, '');
  const encoding = /content-transfer-encoding: *(\S+)/i.exec(part.slice(0, begin))?.[1]?.toLowerCase();
  return decode(body, encoding).replaceAll('\r\n', '\n');
}

function decode(body: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
