import { html, type Markup } from '#platform';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { createHash } from 'node:crypto';
import { map, type Observable } from 'rxjs';
import { SupportApiConfig } from '../config.js';
import { OFFER_SCRIPT } from '../push/offer.js';
import type { Reader } from './reader.js';
import { styleOf } from './style.js';
import type { TextKey } from './texts/en.js';

/** A page that works without scripts: in the browser of any mail program, and on an old phone. */
export interface Page {
  status: number;
  title: string;
  reader: Reader;
  /** Whose dose it is, and of which bottle. */
  facts?: readonly (readonly [name: string, value: string])[];
  /** Which dose. */
  lead?: string | undefined;
  /** What is known, and what is not. */
  known?: readonly string[];
  text: readonly string[];
  /** What can be pressed: {@link button}, {@link more}, {@link link}. */
  actions?: readonly Markup[];
  /** Where to go instead, relative to the address that was asked for. */
  location?: string;
  /** {@link offer}: with it, the page has a script. */
  push?: Markup | undefined;
}

/** A page that says one thing. */
export function notice(
  reader: Reader,
  status: number,
  title: TextKey,
  text: readonly TextKey[],
  actions: readonly Markup[] = [],
): Page {
  return { status, reader, title: reader.say(title), text: text.map((key) => reader.say(key)), actions };
}

/**
 * A button: a form of its own, because only a POST changes anything.
 *
 * @param path where it posts, relative to the page; empty for the page's own address
 */
export function button(label: string, path = '', isMain = false): Markup {
  return form(path, [], label, isMain);
}

/** A form with fields above its button. */
export function form(path: string, fields: readonly Markup[], label: string, isMain = false): Markup {
  const content = html`${[...fields]}<button type="submit">${label}</button>`;
  const made =
    path === ''
      ? html`<form method="post">${content}</form>`
      : html`<form method="post" action="${path}">${content}</form>`;
  return isMain ? html`<div class="main">${made}</div>` : made;
}

/** What is seldom needed; a browser that cannot fold it shows all of it. */
export function more(summary: string, content: readonly Markup[]): Markup {
  return html`<details>
    <summary>${summary}</summary>
    ${[...content]}
  </details>`;
}

export function link(label: string, path: string): Markup {
  return html`<p><a href="${path}">${label}</a></p>`;
}

/** What an element contains, as a policy allows it (CSP 3, 2.3.1). */
function hashOf({ text }: Markup): string {
  const [, content = ''] = /^<\w+>(.*)<\/\w+>$/s.exec(text) ?? [];
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}

/** As a policy names it: without what follows the path, which makes it name nothing (CSP 3, 2.3.1). */
function sourceOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** Sends the pages that routes return, with the operator's name, colour, logo, phone and imprint. */
@Injectable()
export class PageInterceptor implements NestInterceptor {
  private readonly style: Markup;
  private readonly policy: string;
  /** Of a page with its script. */
  private readonly pushPolicy: string;

  constructor(private readonly config: SupportApiConfig) {
    this.style = html`<style>
      ${styleOf(config.OPERATOR_COLOR)}
    </style>`;
    const { OPERATOR_LOGO_URL: logo } = config;
    this.policy = [
      "default-src 'none'",
      `style-src ${hashOf(this.style)}`,
      ...(logo === undefined ? [] : [`img-src ${sourceOf(logo)}`]),
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; ');
    const push = [`script-src ${hashOf(OFFER_SCRIPT)}`, "worker-src 'self'", "connect-src 'self'"];
    this.pushPolicy = [this.policy, ...push].join('; ');
  }

  intercept(context: ExecutionContext, next: CallHandler<Page>): Observable<string> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((page) => {
        void reply.status(page.status).headers({
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': page.push ? this.pushPolicy : this.policy,
          'content-language': page.reader.language,
          'referrer-policy': 'no-referrer',
          'cache-control': 'no-store',
          ...(page.location !== undefined && { location: page.location }),
        });
        return this.render(page).text;
      }),
    );
  }

  private render({ title, reader, facts = [], lead, known = [], text, actions = [], push }: Page): Markup {
    const { OPERATOR_NAME: name } = this.config;
    const head = html`<meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <meta name="color-scheme" content="light dark" />
      <title>${title} - ${name}</title>
      ${this.style}`;
    const main = html`<h1>${title}</h1>
      ${
        facts.length === 0
          ? html``
          : html`<dl>
              ${facts.map(
                ([term, value]) =>
                  html`<dt>${term}</dt>
                    <dd>${value}</dd>`,
              )}
            </dl>`
      }
      ${lead === undefined ? html`` : html`<p>${lead}</p>`}
      ${
        known.length === 0
          ? html``
          : html`<h2>${reader.say('known')}</h2>
              <ul>
                ${known.map((line) => html`<li>${line}</li>`)}
              </ul>`
      }
      ${text.map((line) => html`<p>${line}</p>`)} ${[...actions]}`;
    return html`<!doctype html>
      <html lang="${reader.language}">
        <head>
          ${head}
        </head>
        <body>
          <header class="head">${this.logo()}${name}</header>
          <main class="page">${main} ${push ?? html``}</main>
          ${this.foot(reader)} ${push ? OFFER_SCRIPT : html``}
        </body>
      </html>`;
  }

  private logo(): Markup {
    const { OPERATOR_LOGO_URL: logo } = this.config;
    return logo === undefined ? html`` : html`<img src="${logo}" alt="" height="48" />`;
  }

  /** Whom to call, and who the operator is. */
  private foot(reader: Reader): Markup {
    const { OPERATOR_PHONE: phone, OPERATOR_IMPRINT_URL: imprint } = this.config;
    const lines = [
      ...(phone === undefined
        ? []
        : [link(reader.say('call', { phone }), `tel:${phone.replaceAll(/[^+\d]/g, '')}`)]),
      ...(imprint === undefined ? [] : [link(reader.say('imprint'), imprint)]),
    ];
    return lines.length === 0 ? html`` : html`<footer class="page foot">${lines}</footer>`;
  }
}
