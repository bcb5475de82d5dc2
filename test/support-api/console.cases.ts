import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import supertest from 'supertest';
import { Support } from './support.js';

describe('console', () => {
  const SCRIPT = 'console.log("hello");\n'.repeat(200);
  const PAGE =
    '<!doctype html><meta name="csp-nonce" content="__CSP_NONCE__"><script type="module" src="/assets/index-1.js"></script>';

  let support: Support;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'console-'));
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'index.html'), PAGE);
    await writeFile(join(folder, 'favicon.svg'), '<svg/>');
    await writeFile(join(folder, 'assets/index-1.js'), SCRIPT);
    execFileSync(process.execPath, ['scripts/compress-console.mjs', folder]);
    support = await Support.start(
      'console',
      { PUBLIC_URL: 'https://pills.example.org' },
      { console: folder },
    );
  });
  afterAll(async () => {
    await support?.stop();
    await rm(folder, { recursive: true });
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    supertest(support.app.getHttpServer())
      .get(path)
      .set({ 'accept-encoding': 'identity', ...headers })
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => done(null, Buffer.concat(chunks)));
      });
  const browse = (path: string) => get(path, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });

  describe('the page', () => {
    it.each(['/', '/bottles/6b01570aaa98db17dc6c142f', '/alerts?state=open', '/index.html'])(
      'is there at %s, with a policy that names this answer',
      async (path) => {
        const [one, other] = [await browse(path), await browse(path)];
        expect(one).toMatchObject({
          status: 200,
          headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
        });
        const [, nonce] = /'nonce-([^']+)'/.exec(one.headers['content-security-policy']!)!;
        expect(String(one.body)).toBe(PAGE.replace('__CSP_NONCE__', nonce!));
        expect(String(other.body)).not.toContain(nonce);
      },
    );

    it('may load only its own files', async () => {
      const policy = (await browse('/')).headers['content-security-policy']!;
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
    });

    it.each(['/v1/nothing', '/v1', '/docs/nothing', '/assets/gone.js', '/a/b/c/d'])(
      'is not the answer to %s',
      async (path) => {
        const answer = await browse(path);
        expect(answer.status).toBe(404);
        expect(JSON.parse(String(answer.body))).toMatchObject({ code: 'route_not_found' });
      },
    );

    it('is not sent to clients that do not accept HTML', async () => {
      expect((await get('/bottles', { accept: 'application/json' })).status).toBe(404);
    });

    it('leaves the API as it is', async () => {
      expect((await support.get('/v1/fleet')).status).toBe(200);
      expect((await browse('/health/live')).status).toBe(200);
      expect((await support.post('/nothing')).status).toBe(404);
    });
  });

  describe('its files', () => {
    it('are cached for a year if their name contains a hash', async () => {
      const answer = await get('/assets/index-1.js');
      expect(answer.headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
      });
      expect(String(answer.body)).toBe(SCRIPT);
    });

    it('are revalidated if it does not, and not sent again', async () => {
      const answer = await get('/favicon.svg');
      expect(answer.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'no-cache' });
      expect((await get('/favicon.svg', { 'if-none-match': answer.headers['etag']! })).status).toBe(304);
      expect((await get('/favicon.svg', { 'if-none-match': '"x"' })).status).toBe(200);
    });

    it.each([
      ['br, gzip', 'br'],
      ['gzip', 'gzip'],
      ['gzip, br;q=0', 'gzip'],
      ['identity', undefined],
      ['bravo', undefined],
    ])('are sent compressed to clients that accept %s', async (accepted, encoding) => {
      const answer = await get('/assets/index-1.js', { 'accept-encoding': accepted });
      expect(answer.headers['content-encoding']).toBe(encoding);
      const sent = Number(answer.headers['content-length']);
      if (encoding) expect(sent).toBeLessThan(SCRIPT.length / 10);
      else expect(sent).toBe(SCRIPT.length);
      expect(String(answer.body)).toBe(SCRIPT);
    });

    it.each([
      '/../package.json',
      '/assets/../../package.json',
      '/..%2f..%2fetc%2fpasswd',
      '/assets/',
      '/index.html.br',
    ])('do not include %s', async (path) => expect((await get(path, { accept: '*/*' })).status).toBe(404));
  });

  describe('every response', () => {
    it('has security headers', async () => {
      for (const path of ['/', '/v1/fleet', '/v1/nothing', '/assets/index-1.js']) {
        expect((await browse(path)).headers).toMatchObject({
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'DENY',
          'referrer-policy': 'no-referrer',
          'cross-origin-resource-policy': 'same-origin',
          'strict-transport-security': 'max-age=63072000',
        });
      }
    });

    it('of the API is not cached', async () => {
      for (const path of ['/v1/fleet', '/v1/nothing']) {
        expect((await support.get(path)).headers['cache-control']).toBe('no-store');
      }
    });
  });
});
