import { openDataFolder } from './data-folder.js';
import type { FindMongodOptions } from './find-mongod.js';
import { locateMongod } from './find-mongod.js';
import { stopOrphan } from './orphan.js';
import { claimFolder } from './owner.js';
import { SupervisedMongod } from './supervised-mongod.js';

export interface EmbeddedDatabaseOptions extends FindMongodOptions {
  /** The setting DATA_DIR; the database lives in `mongod` below it. */
  dataDir: string;
  /** Of WiredTiger, in GB, at least 0.25. Default: mongod's own, half of the memory. */
  cacheSizeGb?: number | undefined;
  /** Whether a mongod that dies is started again, on the same port with the same data. Default: true. */
  keepAlive?: boolean | undefined;
}

export interface EmbeddedDatabase {
  readonly uri: string;
  /** Changes when mongod has died and was started again. */
  readonly pid: number;
  readonly binary: string;
  /** Shuts mongod down in order and waits for its end. May be called more than once. */
  stop(): Promise<void>;
}

/**
 * A real mongod as a replica set of one member, on 127.0.0.1 only, taking writes when this returns. Its data
 * stays in `dataDir`; what a killed run left there, a lock file or a running mongod, is cleared away.
 * @throws if `dataDir` is in use, if no mongod can be had, or if it does not start (with the end of its log)
 */
export async function startEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const log = options.log ?? (() => {});
  const folder = await openDataFolder(options.dataDir);
  const release = await claimFolder(folder.ownerFile);
  let mongod: SupervisedMongod | undefined;
  try {
    await stopOrphan(folder.dbPath, log);
    const binary = await locateMongod(options);
    const { cacheSizeGb, keepAlive = true } = options;
    mongod = new SupervisedMongod({ folder, binary, cacheSizeGb, keepAlive, log, release });
    await mongod.start();
    return mongod;
  } catch (error) {
    await (mongod ? mongod.stop() : release());
    throw error;
  }
}
