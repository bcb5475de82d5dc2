import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { type DataFolder, rotateLog } from './data-folder.js';
import { REPLICA_SET } from './replica-set.js';

/** mongod's exit code when its port is taken. */
const NET_ERROR = 48;
/** Milliseconds until SIGTERM is followed by SIGKILL. */
const TERMINATION_TIMEOUT = 30_000;

export interface MongodExit {
  /** Such as `exit code 48` or `SIGKILL`. */
  how: string;
  portTaken: boolean;
}

export interface MongodProcess {
  readonly pid: number;
  /** Set once it has exited. */
  readonly exit: MongodExit | undefined;
  readonly exited: Promise<MongodExit>;
  signal(name: NodeJS.Signals): void;
  /** Shuts it down and waits until it has exited. */
  terminate(): Promise<void>;
}

export interface SpawnOptions {
  binary: string;
  port: number;
  folder: DataFolder;
  cacheSizeGb?: number | undefined;
  unixSocket?: boolean | undefined;
}

export async function spawnMongod(options: SpawnOptions): Promise<MongodProcess> {
  const { logFile } = options.folder;
  await rotateLog(logFile);
  const output = await open(logFile, 'a');
  try {
    const child = spawn(options.binary, mongodArguments(options), {
      stdio: ['ignore', output.fd, output.fd],
      // its own process group: Ctrl-C in a terminal goes to the whole group, and mongod must outlive the services,
      // which still write their last reports
      detached: true,
      // mongod does not start with a locale that is not installed
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
        const timer = sleep(TERMINATION_TIMEOUT, undefined, { signal: giveUp.signal }).then(
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

function mongodArguments({ port, folder, cacheSizeGb, unixSocket = false }: SpawnOptions): string[] {
  return [
    // two arguments, by which `isMongodOn` recognises the process
    '--dbpath',
    folder.dbPath,
    `--port=${port}`,
    '--bind_ip=127.0.0.1',
    unixSocket ? `--unixSocketPrefix=${folder.socketFolder}` : '--nounixsocket',
    `--replSet=${REPLICA_SET}`,
    // authentication; other accounts of this machine reach the port too
    `--keyFile=${folder.keyFile}`,
    // or anyone on this machine may create the first user
    '--setParameter=enableLocalhostAuthBypass=false',
    // what was erased stays in it until it is overwritten
    '--oplogSize=128',
    // `reopen`: we rename the log ourselves, so that old logs do not accumulate
    `--logpath=${folder.logFile}`,
    '--logappend',
    '--logRotate=reopen',
    '--quiet',
    // up to 200 MB of diagnostic data
    '--setParameter=diagnosticDataCollectionEnabled=false',
    // there is no secondary that could take over
    '--setParameter=shutdownTimeoutMillisForSignaledShutdown=100',
    ...(cacheSizeGb === undefined ? [] : [`--wiredTigerCacheSizeGB=${cacheSizeGb}`]),
  ];
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Listeners of this module: one per database of this process. */
let ours = 0;

/**
 * Stops the database with this process if its owner does not: when the script ends, on `process.exit`, and on a signal
 * that has no other listener. A process with its own signal handler needs the database during its shutdown and calls
 * `stop` itself.
 * @returns a function that removes the listeners
 */
export function stopWithProcess(stop: () => Promise<void>, stopWithoutWaiting: () => void): () => void {
  const onSignal = (name: NodeJS.Signals): void => {
    if (process.listenerCount(name) > ours) return;
    void stop().finally(() => process.kill(process.pid, name));
  };
  const onBeforeExit = (): void => void stop();
  ours += 1;
  for (const name of SIGNALS) process.on(name, onSignal);
  process.on('beforeExit', onBeforeExit);
  process.on('exit', stopWithoutWaiting);
  return () => {
    ours -= 1;
    for (const name of SIGNALS) process.off(name, onSignal);
    process.off('beforeExit', onBeforeExit);
    process.off('exit', stopWithoutWaiting);
  };
}
