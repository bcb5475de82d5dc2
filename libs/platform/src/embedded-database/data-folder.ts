import { mkdir, readFile, realpath, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** `<DATA_DIR>/mongod` and what is in it. */
export interface DataFolder {
  dbPath: string;
  logFile: string;
  ownerFile: string;
  stateFile: string;
}

/** What a run leaves for the next one. */
export interface DataState {
  /** The replica set's configuration names it: on the same port nothing need be changed. */
  port?: number;
  /** Of the mongod that wrote the data. */
  version?: string;
}

export async function openDataFolder(dataDir: string): Promise<DataFolder> {
  const folder = join(resolve(dataDir), 'mongod');
  await mkdir(join(folder, 'db'), { recursive: true });
  // Resolved, so that a process is recognised by the folder on its command line whatever link led here.
  const real = await realpath(folder);
  return {
    dbPath: join(real, 'db'),
    logFile: join(real, 'mongod.log'),
    ownerFile: join(real, 'owner.json'),
    stateFile: join(real, 'state.json'),
  };
}

/** A state file that cannot be read is none: it only saves work. */
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
