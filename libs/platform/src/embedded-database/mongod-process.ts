import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import type { DataFolder } from './data-folder.js';
import { rotateLog } from './mongod-log.js';
import { REPLICA_SET } from './replica-set.js';

/** mongod's exit code when its port is taken. */
const NET_ERROR = 48;
/** Milliseconds until SIGTERM is followed by SIGKILL. */
const PATIENCE = 30_000;

export interface MongodExit {
  /** Such as `exit code 48` or `SIGKILL`. */
  how: string;
  portTaken: boolean;
}

export interface MongodProcess {
  readonly pid: number;
  /** Set once it has ended. */
  readonly exit: MongodExit | undefined;
  readonly exited: Promise<MongodExit>;
  signal(name: NodeJS.Signals): void;
  /** Ends it in order and waits for that. */
  terminate(): Promise<void>;
}

export interface SpawnOptions {
  binary: string;
  port: number;
  folder: DataFolder;
  cacheSizeGb?: number | undefined;
}

export async function spawnMongod(options: SpawnOptions): Promise<MongodProcess> {
  const { logFile } = options.folder;
  await rotateLog(logFile);
  const output = await open(logFile, 'a');
  try {
    const child = spawn(options.binary, mongodArguments(options), {
      stdio: ['ignore', output.fd, output.fd],
      // A process group of its own: Ctrl-C in a terminal goes to the whole group, and mongod has to
      // outlive the services that are still writing their last reports into it.
      detached: true,
      // A locale that is not installed keeps mongod from starting.
      env: { ...process.env, LC_ALL: 'C' },
    });
    let exit: MongodExit | undefined;
    const exited = new Promise<MongodExit>((resolve) => {
      child.once('exit', (code, signal) =>
        resolve((exit = { how: signal ?? `exit code ${code}`, portTaken: code === NET_ERROR })),
      );
    });
    await once(child, 'spawn');
    child.unref();

    return {
      pid: child.pid ?? 0,
      get exit() {
        return exit;
      },
      exited,
      signal: (name) => void child.kill(name),
      async terminate() {
        child.ref();
        child.kill('SIGTERM');
        const giveUp = new AbortController();
        const timer = sleep(PATIENCE, undefined, { signal: giveUp.signal }).then(
          () => child.kill('SIGKILL'),
          () => {},
        );
        await exited;
        giveUp.abort();
        await timer;
      },
    };
  } finally {
    await output.close();
  }
}

function mongodArguments({ port, folder, cacheSizeGb }: SpawnOptions): string[] {
  return [
    // Two words, by which `isMongodOn` recognises it.
    '--dbpath',
    folder.dbPath,
    `--port=${port}`,
    '--bind_ip=127.0.0.1',
    '--nounixsocket',
    `--replSet=${REPLICA_SET}`,
    '--oplogSize=1024',
    // `reopen`: we move the log aside ourselves, so that old ones do not pile up.
    `--logpath=${folder.logFile}`,
    '--logappend',
    '--logRotate=reopen',
    '--quiet',
    // Up to 200 MB of measurements for MongoDB's support.
    '--setParameter=diagnosticDataCollectionEnabled=false',
    // There is no secondary to hand over to, so nothing to wait for.
    '--setParameter=shutdownTimeoutMillisForSignaledShutdown=100',
    ...(cacheSizeGb === undefined ? [] : [`--wiredTigerCacheSizeGB=${cacheSizeGb}`]),
  ];
}
