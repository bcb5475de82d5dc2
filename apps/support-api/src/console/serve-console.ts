import { answerProblem, Problem, rootFolder, weightIn } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};
const COMPRESSED = ['.br', '.gz'];

/** One file of the console, ready to be sent. */
interface ConsoleFile {
  type: string;
  etag: string;
  body: Buffer;
  /** Compressed by the build. */
  br?: Buffer;
  gzip?: Buffer;
}

/** The files of the built console by path, in memory. */
export type BuiltConsole = ReadonlyMap<string, ConsoleFile>;

/** The folder into which `npm run build` puts the console: beside the compiled services. */
export function consoleFolder(): string {
  return join(rootFolder(), 'dist/apps/console');
}

/**
 * Reads the console into memory. Only files that were read here can be requested, whatever the path looks like.
 *
 * @returns undefined if the console has not been built
 */
export async function readConsole(folder: string): Promise<BuiltConsole | undefined> {
  if (!existsSync(join(folder, 'index.html'))) return undefined;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const bodies = new Map(await Promise.all(paths.map(async (path) => [path, await readFile(path)] as const)));
  const files = new Map<string, ConsoleFile>();
  for (const [path, body] of bodies) {
    if (COMPRESSED.includes(extname(path))) continue;
    const [br, gzip] = COMPRESSED.map((end) => bodies.get(path + end));
    files.set(`/${relative(folder, path).split(sep).join('/')}`, {
      type: TYPES[extname(path)] ?? 'application/octet-stream',
      etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
      body,
      ...(br ? { br } : {}),
      ...(gzip ? { gzip } : {}),
    });
  }
  return files;
}

const NONCE = '__CSP_NONCE__';
const ONE_YEAR = 'public, max-age=31536000, immutable';
/** Paths of the services, never of a page of the console. */
const NOT_A_PAGE = /^\/(v1|docs|health|metrics|[asv]|push|assets)(\/|$)/;

/** What the page may load: its own files, and styles with the nonce of this response. */
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
 * Serves the console: its files by name, and its page for every other path that a browser requests, because the page
 * has its own routing. Routes of the API take precedence.
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
      if (NOT_A_PAGE.test(path) || weightIn(request.headers.accept, 'text/html') === 0) {
        return answerProblem(new Problem(404, 'route_not_found', `Cannot GET ${path}`), reply);
      }
      return sendPage(reply, page);
    });
}

function sendFile(request: FastifyRequest, reply: FastifyReply, path: string, file: ConsoleFile): void {
  // file names under /assets/ contain a hash of the content
  void reply.header('cache-control', path.startsWith('/assets/') ? ONE_YEAR : 'no-cache');
  void reply.header('etag', file.etag).header('vary', 'accept-encoding').type(file.type);
  if (request.headers['if-none-match'] === file.etag) return void reply.status(304).send();
  const accepted = request.headers['accept-encoding'];
  if (file.br && weightIn(accepted, 'br') > 0)
    return void reply.header('content-encoding', 'br').send(file.br);
  if (file.gzip && weightIn(accepted, 'gzip') > 0)
    return void reply.header('content-encoding', 'gzip').send(file.gzip);
  void reply.send(file.body);
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
