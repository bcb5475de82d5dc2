import { newToken } from '#platform';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The admin key kept in the data folder; made, readable for its owner only, when there is none. */
export async function keptAdminToken(dataDir: string): Promise<string> {
  const file = join(dataDir, 'admin-token');
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch {
    const token = newToken('pwk');
    await mkdir(dataDir, { recursive: true });
    await writeFile(file, `${token}\n`, { mode: 0o600 });
    return token;
  }
}
