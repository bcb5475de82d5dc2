import { findDataFolder, openDataFolder, readState } from './data-folder.js';
import { type FindMongodOptions, locateMongod } from './find-mongod.js';
import { claimFolder, isOwned, stopOrphan } from './owner.js';
import { replicaSetUri } from './replica-set.js';
import { SupervisedMongod } from './supervised-mongod.js';

export interface EmbeddedDatabaseOptions extends FindMongodOptions {
  /** The setting DATA_DIR; the database is in its folder `mongod`. */
  dataDir: string;
  /** WiredTiger's cache in GB, at least 0.25. Default: mongod's own, half of the memory. */
  cacheSizeGb?: number | undefined;
  /** Whether a mongod that dies is restarted, on the same port with the same data. Default: true. */
  keepAlive?: boolean | undefined;
  /** Whether it also listens on a Unix socket, see {@link EmbeddedDatabase.socketUri}. Default: false. */
  unixSocket?: boolean | undefined;
}

export interface EmbeddedDatabase {
  readonly uri: string;
  /**
   * By its Unix socket, a connection that costs both sides less than TCP. Of the mongod that runs now: after a restart
   * the driver does not wait until it is primary again.
   * @throws if it was started without `unixSocket`
   */
  readonly socketUri: string;
  /** Changes when mongod is restarted. */
  readonly pid: number;
  readonly binary: string;
  /** Shuts mongod down and waits until it has exited. May be called more than once. */
  stop(): Promise<void>;
}

/**
 * Starts a real mongod as a replica set of one member, on 127.0.0.1 only; it accepts writes when this returns. Its data
 * stays in `dataDir`. A lock file or a running mongod that a killed process left there is removed.
 * @throws if `dataDir` is in use, if no mongod is found, or if it does not start (with the end of its log)
 */
export async function startEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const log = options.log ?? (() => {});
  const folder = await openDataFolder(options.dataDir);
  const release = await claimFolder(folder.ownerFile);
  let mongod: SupervisedMongod | undefined;
  try {
    await stopOrphan(folder.dbPath, log);
    const binary = await locateMongod(options);
    const { cacheSizeGb, keepAlive = true, unixSocket = false } = options;
    mongod = new SupervisedMongod({ folder, binary, cacheSizeGb, keepAlive, unixSocket, log, release });
    await mongod.start();
    return mongod;
  } catch (error) {
    await (mongod ? mongod.stop() : release());
    throw error;
  }
}

/** The URI of the database that another process runs in `dataDir`; undefined if none does. Changes nothing there. */
export async function runningDatabaseUri(dataDir: string): Promise<string | undefined> {
  const folder = await findDataFolder(dataDir).catch(() => undefined);
  if (!folder || !(await isOwned(folder.ownerFile))) return undefined;
  const { port } = await readState(folder);
  return port === undefined ? undefined : replicaSetUri(port, folder.password);
}
