import { generatePassword, newToken } from '#platform';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const MAKE = {
  'admin-token': () => newToken('pwk'),
  'link-secret': () => newToken('pwk'),
  'console-password': generatePassword,
};

/** A secret kept in the data folder; made, readable for its owner only, when there is none. */
export async function keptSecret(dataDir: string, name: keyof typeof MAKE): Promise<string> {
  const file = join(dataDir, name);
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch {
    const secret = MAKE[name]();
    await mkdir(dataDir, { recursive: true });
    await writeFile(file, `${secret}\n`, { mode: 0o600 });
    return secret;
  }
}
