import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, extname, join, relative, sep } from 'node:path';

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

/** One file of the console, as it is sent. */
export interface ConsoleFile {
  type: string;
  etag: string;
  body: Buffer;
  /** Compressed at the build. */
  br?: Buffer;
  gzip?: Buffer;
}

/** The console as it was built: a few files, by their address, kept in memory. */
export type BuiltConsole = ReadonlyMap<string, ConsoleFile>;

/** Where `npm run build` puts the console: beside the compiled services. */
export function consoleFolder(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return join(folder, 'dist/apps/console');
}

/**
 * Reads the console into memory: what is not read here cannot be asked for, whatever an address looks like.
 *
 * @returns undefined when it has not been built.
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
