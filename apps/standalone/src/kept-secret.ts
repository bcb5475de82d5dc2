import { generatePassword, makePrivate, newToken } from '#platform';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const MAKE = {
  'admin-token': () => newToken('pwk'),
  'link-secret': () => newToken('pwk'),
  'push-key': () => newToken('pwk'),
  'second-factor-key': () => newToken('pwk'),
  'operations-key': () => newToken('pwk'),
  'console-password': generatePassword,
};

/** A secret in a file that only its owner may read. */
export interface KeptSecret {
  value: string;
  file: string;
  /** It was made just now, and is printed this once. */
  isNew: boolean;
}

/** With an empty database everything begins again. */
export async function forgetSecrets(dataDir: string): Promise<void> {
  await Promise.all(Object.keys(MAKE).map((name) => rm(join(dataDir, name), { force: true })));
}

/** A secret kept in the data folder; made when there is none. */
export async function keptSecret(dataDir: string, name: keyof typeof MAKE): Promise<KeptSecret> {
  const file = join(dataDir, name);
  try {
    return { value: (await readFile(file, 'utf8')).trim(), file, isNew: false };
  } catch {
    const value = MAKE[name]();
    await makePrivate(dataDir);
    await writeFile(file, `${value}\n`, { mode: 0o600 });
    return { value, file, isNew: true };
  }
}
