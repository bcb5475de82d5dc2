import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** `<DATA_DIR>/mongod` and its contents. */
export interface DataFolder {
  dbPath: string;
  /** Of its Unix socket, if it has one. */
  socketFolder: string;
  logFile: string;
  ownerFile: string;
  stateFile: string;
  /** mongod's keyFile; its content is the password of {@link DataFolder.password}. */
  keyFile: string;
  password: string;
}

/** What one start stores for the next. */
export interface DataState {
  /** The replica set's configuration contains it; on the same port the configuration stays valid. */
  port?: number;
  /** The version of the mongod that wrote the data. */
  version?: string;
}

export async function openDataFolder(dataDir: string): Promise<DataFolder> {
  const folder = join(resolve(dataDir), 'mongod');
  await makePrivate(resolve(dataDir));
  await mkdir(join(folder, 'db'), { recursive: true });
  await chmod(folder, 0o700);
  // Resolved, so that a process is recognised by the folder on its command line, whatever link was used.
  const real = await realpath(folder);
  await writeKey(join(real, 'key'));
  return readDataFolder(real);
}

/** Of a database that has run already. @throws if there is none, or if it belongs to another account */
export async function findDataFolder(dataDir: string): Promise<DataFolder> {
  return readDataFolder(join(resolve(dataDir), 'mongod'));
}

async function readDataFolder(folder: string): Promise<DataFolder> {
  const keyFile = join(folder, 'key');
  return {
    dbPath: join(folder, 'db'),
    socketFolder: folder,
    logFile: join(folder, 'mongod.log'),
    ownerFile: join(folder, 'owner.json'),
    stateFile: join(folder, 'state.json'),
    keyFile,
    password: (await readFile(keyFile, 'utf8')).trim(),
  };
}

/** For its owner only; a folder that everybody may write to, such as /tmp, stays as it is. */
export async function makePrivate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { mode } = await stat(folder);
  if ((mode & 0o002) === 0) await chmod(folder, 0o700);
}

/** Data that was written before there was a password needs no change: the key is no user in the database. */
async function writeKey(keyFile: string): Promise<void> {
  await writeFile(keyFile, randomBytes(48).toString('hex'), { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
}

/** An unreadable state file counts as absent: the state only saves work. */
export async function readState({ stateFile }: DataFolder): Promise<DataState> {
  try {
    const state = JSON.parse(await readFile(stateFile, 'utf8')) as DataState;
    return {
      ...(Number.isInteger(state.port) && { port: state.port }),
      ...(typeof state.version === 'string' && { version: state.version }),
    };
  } catch {
    return {};
  }
}

export async function writeState({ stateFile }: DataFolder, state: DataState): Promise<void> {
  await writeFile(`${stateFile}.new`, JSON.stringify(state));
  await rename(`${stateFile}.new`, stateFile);
}

/** Bytes; with its predecessor the log takes about twice this. */
const MAX_LOG_SIZE = 32 * 1024 * 1024;
const TAIL_SIZE = 64 * 1024;
const TAIL_LINES = 8;

/** Renames the log to `mongod.log.1`, replacing the previous one. */
export async function rotateLog(file: string): Promise<void> {
  await rename(file, `${file}.1`).catch(() => {});
}

export async function isLogTooLarge(file: string): Promise<boolean> {
  return stat(file).then(
    ({ size }) => size > MAX_LOG_SIZE,
    () => false,
  );
}

/** The end of the log, for an error message: only the errors if there are any. */
export async function lastLines(file: string): Promise<string[]> {
  const lines = (await tail(file)).split('\n').filter((line) => line.trim() !== '');
  const entries = lines.map(toEntry);
  const errors = entries.filter(({ isError }) => isError);
  return (errors.length > 0 ? errors : entries).slice(-TAIL_LINES).map(({ text }) => text);
}

async function tail(file: string): Promise<string> {
  try {
    const handle = await open(file);
    try {
      const { size } = await handle.stat();
      const length = Math.min(size, TAIL_SIZE);
      const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
      return buffer.toString('utf8');
    } finally {
      await handle.close();
    }
  } catch {
    return '';
  }
}

/** mongod writes one JSON document per line; the dynamic loader and a crash write plain text. */
function toEntry(line: string): { text: string; isError: boolean } {
  try {
    const { s, msg, attr } = JSON.parse(line) as { s: string; msg: string; attr?: unknown };
    const text = `${s} ${msg}${attr === undefined ? '' : ` ${JSON.stringify(attr)}`}`;
    return { text: text.length > 500 ? `${text.slice(0, 500)}...` : text, isError: s === 'E' || s === 'F' };
  } catch {
    return { text: line.slice(0, 500), isError: true };
  }
}
