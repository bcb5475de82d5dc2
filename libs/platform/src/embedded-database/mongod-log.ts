import { open, rename, stat } from 'node:fs/promises';

/** Bytes; with the one before it, the log takes at most about twice this. */
const LARGEST = 32 * 1024 * 1024;
const TAIL = 64 * 1024;
const LINES = 8;

/** Moves the log aside as `mongod.log.1`, replacing the one before. */
export async function rotateLog(file: string): Promise<void> {
  await rename(file, `${file}.1`).catch(() => {});
}

export async function isLogTooLarge(file: string): Promise<boolean> {
  return stat(file).then(
    ({ size }) => size > LARGEST,
    () => false,
  );
}

/** The end of the log as a person wants it after a failure: warnings and errors if there are any. */
export async function lastLines(file: string): Promise<string[]> {
  const lines = (await tail(file)).split('\n').filter((line) => line.trim() !== '');
  const told = lines.map(readable);
  const grave = told.filter(({ grave }) => grave);
  return (grave.length > 0 ? grave : told).slice(-LINES).map(({ text }) => text);
}

async function tail(file: string): Promise<string> {
  try {
    const handle = await open(file);
    try {
      const { size } = await handle.stat();
      const length = Math.min(size, TAIL);
      const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
      return buffer.toString('utf8');
    } finally {
      await handle.close();
    }
  } catch {
    return '';
  }
}

/** mongod writes a JSON document a line; the dynamic loader and a crash write plain text. */
function readable(line: string): { text: string; grave: boolean } {
  try {
    const { s, msg, attr } = JSON.parse(line) as { s: string; msg: string; attr?: unknown };
    const text = `${s} ${msg}${attr === undefined ? '' : ` ${JSON.stringify(attr)}`}`;
    return { text: text.length > 500 ? `${text.slice(0, 500)}...` : text, grave: s === 'E' || s === 'F' };
  } catch {
    return { text: line.slice(0, 500), grave: true };
  }
}
