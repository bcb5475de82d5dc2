import { answerProblem, Problem } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomBytes } from 'node:crypto';
import type { BuiltConsole, ConsoleFile } from './built-console.js';

const NONCE = '__CSP_NONCE__';
const ONE_YEAR = 'public, max-age=31536000, immutable';
/** Addresses of the services, never of a page. */
const NOT_A_PAGE = /^\/(v1|docs|health|metrics|a|assets)(\/|$)/;

/** What the page may load: its own files, and styles that carry this answer's nonce. */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/**
 * Serves the console: its files by their names, and its page for every other address that a browser asks for,
 * for the page knows its own addresses. Routes of the API come first.
 */
export function serveConsole(app: NestFastifyApplication, console: BuiltConsole): void {
  const page = console.get('/index.html')!.body.toString();
  app
    .getHttpAdapter()
    .getInstance()
    .get('/*', (request: FastifyRequest, reply: FastifyReply) => {
      const [path = '/'] = request.url.split('?');
      const file = path === '/index.html' ? undefined : console.get(path);
      if (file) return sendFile(request, reply, path, file);
      if (NOT_A_PAGE.test(path) || !request.headers.accept?.includes('text/html')) {
        return answerProblem(new Problem(404, 'route_not_found', `Cannot GET ${path}`), reply);
      }
      return sendPage(reply, page);
    });
}

function sendFile(request: FastifyRequest, reply: FastifyReply, path: string, file: ConsoleFile): void {
  // a name under /assets/ has the content's hash in it
  void reply.header('cache-control', path.startsWith('/assets/') ? ONE_YEAR : 'no-cache');
  void reply.header('etag', file.etag).header('vary', 'accept-encoding').type(file.type);
  if (request.headers['if-none-match'] === file.etag) return void reply.status(304).send();
  const accepted = request.headers['accept-encoding'];
  if (file.br && accepts(accepted, 'br')) return void reply.header('content-encoding', 'br').send(file.br);
  if (file.gzip && accepts(accepted, 'gzip'))
    return void reply.header('content-encoding', 'gzip').send(file.gzip);
  void reply.send(file.body);
}

function accepts(header: string | string[] | undefined, encoding: string): boolean {
  const offered = String(header ?? '')
    .split(',')
    .map((part) => part.trim().split(/ *; */));
  const found = offered.find(([name]) => name === encoding);
  return found !== undefined && !/^q=0(\.0*)?$/.test(found[1] ?? '');
}

function sendPage(reply: FastifyReply, page: string): void {
  const nonce = randomBytes(16).toString('base64');
  void reply
    .header('content-security-policy', policy(nonce))
    .header('cache-control', 'no-store')
    .header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()')
    .header('cross-origin-opener-policy', 'same-origin')
    .type('text/html; charset=utf-8')
    .send(page.replaceAll(NONCE, nonce));
}
