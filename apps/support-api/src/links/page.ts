import { html, readLink, type SignedLink } from '#platform';
import { applyDecorators, Header } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { SupportApiConfig } from '../config.js';

/** A page without scripts or styles: it works in the browser of any mail program. */
export interface Page {
  status: number;
  html: string;
}

const POLICY = "default-src 'none'; style-src 'none'; form-action 'self'; frame-ancestors 'none'";

export const Html = (): MethodDecorator =>
  applyDecorators(
    Header('content-type', 'text/html; charset=utf-8'),
    Header('content-security-policy', POLICY),
    Header('referrer-policy', 'no-referrer'),
    Header('cache-control', 'no-store'),
  );

export function send({ status, html }: Page, reply: FastifyReply): string {
  void reply.status(status);
  return html;
}

/** A button of a page: its label, and the end of the address to which it posts; empty for the page's own. */
export type Button = [label: string, path: string];

/** @param buttons each a form, because only a POST changes anything */
export function page(status: number, title: string, text: string, buttons: readonly Button[] = []): Page {
  const forms = buttons.map(([label, action]) => {
    const button = html`<p><button type="submit">${label}</button></p>`;
    return action === ''
      ? html`<form method="post">${button}</form>`
      : html`<form method="post" action="${action}">${button}</form>`;
  });
  const head = html`<meta charset="utf-8" /><meta
      name="viewport"
      content="width=device-width, initial-scale=1"
    /><meta name="robots" content="noindex" /><title>${title}</title>`;
  const main = html`<main>
    <h1>${title}</h1>
    <p>${text}</p>
    ${forms}
  </main>`;
  return {
    status,
    html: html`<!doctype html>
      <html lang="en">
        <head>
          ${head}
        </head>
        <body>
          ${main}
        </body>
      </html>`.text,
  };
}

/** A link that we have not signed. */
export function invalidLink(): Page {
  return page(404, 'Invalid link', 'Open the link exactly as it appears in the message.');
}

/** A link whose recipient is no contact any more, or has another address. @param then what that means */
export function revokedLink(then = ''): Page {
  const why = 'The contact that it was sent to was removed or has another address now.';
  return page(403, 'This link is no longer valid', then === '' ? why : `${why} ${then}`);
}

/**
 * Reads a link that we signed and that is still valid.
 *
 * @param undone what did not happen, for the page of an expired link
 * @returns the page to show instead if it is neither
 */
export function openLink(
  { LINK_SECRET }: SupportApiConfig,
  token: string,
  now: Date,
  undone: string,
): SignedLink | Page {
  const link = LINK_SECRET === undefined ? undefined : readLink(LINK_SECRET, token);
  if (!link) return invalidLink();
  return link.expires_at > now
    ? link
    : page(410, 'This link has expired', `${undone} Please contact support.`);
}
