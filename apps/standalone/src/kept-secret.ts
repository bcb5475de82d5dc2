import { newToken } from '#platform';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A secret kept in the data folder; made, readable for its owner only, when there is none. */
export async function keptSecret(dataDir: string, name: 'admin-token' | 'link-secret'): Promise<string> {
  const file = join(dataDir, name);
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch {
    const token = newToken('pwk');
    await mkdir(dataDir, { recursive: true });
    await writeFile(file, `${token}\n`, { mode: 0o600 });
    return token;
  }
}
