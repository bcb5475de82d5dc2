import { setTimeout as sleep } from 'node:timers/promises';

import {
  type DataFolder,
  isLogTooLarge,
  lastLines,
  readState,
  rotateLog,
  writeState,
} from './data-folder.js';
import { freePort } from './free-port.js';
import type { MongodBinary } from './mongod-binary.js';
import { type MongodProcess, spawnMongod, stopWithProcess } from './mongod-process.js';
import { becomePrimary, replicaSetUri, socketUri } from './replica-set.js';
import { oneLine } from './run.js';

/** Milliseconds until a mongod that is neither ready nor dead counts as failed; enough to recover a large journal. */
const START_TIMEOUT = 120_000;
const [FIRST_BACKOFF, MAX_BACKOFF] = [100, 10_000];
/** A mongod that ran for this long resets the backoff. */
const STABLE_AFTER = 30_000;
const LOG_CHECK = 60_000;
const PORT_ATTEMPTS = 5;

interface Settings {
  folder: DataFolder;
  binary: MongodBinary;
  cacheSizeGb: number | undefined;
  keepAlive: boolean;
  unixSocket: boolean;
  log: (line: string) => void;
  release: () => Promise<void>;
}

/** One mongod on one port; restarted with the same data if it dies. */
export class SupervisedMongod {
  readonly #settings: Settings;
  #mongod: MongodProcess | undefined;
  #port = 0;
  #stopped: Promise<void> | undefined;
  #logTimer: NodeJS.Timeout | undefined;
  readonly #stopping = new AbortController();
  readonly #forgetProcess: () => void;
  #watch: Promise<void> = Promise.resolve();

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#forgetProcess = stopWithProcess(
      () => this.stop(),
      () => this.#mongod?.signal('SIGTERM'),
    );
  }

  get uri(): string {
    return replicaSetUri(this.#port, this.#settings.folder.password);
  }

  get socketUri(): string {
    const { folder, unixSocket } = this.#settings;
    if (!unixSocket) throw new Error('mongod has no Unix socket');
    return socketUri(folder.socketFolder, this.#port, folder.password);
  }

  /** Of the running mongod, or of the last one during a restart. */
  get pid(): number {
    return this.#mongod?.pid ?? 0;
  }

  get binary(): string {
    return this.#settings.binary.path;
  }

  async start(): Promise<void> {
    const { folder, binary, keepAlive } = this.#settings;
    const last = await readState(folder);
    try {
      await this.#startOnFreePort(last.port);
    } catch (error) {
      const hint =
        last.version === undefined || last.version === binary.version
          ? ''
          : `\nThe data was written by MongoDB ${last.version}, this is ${binary.version}: ` +
            'set MONGOD_BINARY to that version, or DATA_DIR to another folder.';
      throw new Error(`${(error as Error).message}${hint}`, { cause: error });
    }
    await writeState(folder, { port: this.#port, version: binary.version });
    this.#logTimer = setInterval(() => void this.#boundLog(), LOG_CHECK).unref();
    if (keepAlive) this.#watch = this.#keepAlive();
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#logTimer);
    await this.#mongod?.terminate();
    await this.#watch; // a restart in progress sees the signal and stops its own mongod
    this.#forgetProcess();
    await this.#settings.release();
  }

  async #startOnFreePort(preferred: number | undefined): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      this.#port = await freePort(attempt === 1 ? preferred : undefined);
      try {
        await this.#launch();
        return;
      } catch (error) {
        // another process may take the port between our check and mongod's
        if (!this.#mongod?.exit?.portTaken || attempt === PORT_ATTEMPTS) throw error;
      }
    }
  }

  /** Starts mongod and waits until it accepts writes; stops it if it does not. */
  async #launch(): Promise<void> {
    const { folder, binary, cacheSizeGb, unixSocket } = this.#settings;
    this.#stopping.signal.throwIfAborted();
    const mongod = await spawnMongod({
      binary: binary.path,
      port: this.#port,
      folder,
      cacheSizeGb,
      unixSocket,
    });
    this.#mongod = mongod;
    const deadline = performance.now() + START_TIMEOUT;
    try {
      await becomePrimary(this.#port, folder.password, mongod.pid, () => {
        this.#stopping.signal.throwIfAborted();
        if (mongod.exit) throw new Error(`mongod exited during its start (${mongod.exit.how})`);
        if (performance.now() > deadline) throw new Error('mongod did not become ready');
      });
    } catch (error) {
      if (!mongod.exit) await mongod.terminate();
      if (this.#stopping.signal.aborted) throw new Error('The database was stopped', { cause: error });
      const lines = await lastLines(folder.logFile);
      throw new Error([`${oneLine(error)}. Its log, ${folder.logFile}, ends with:`, ...lines].join('\n  '), {
        cause: error,
      });
    }
  }

  async #keepAlive(): Promise<void> {
    const { log } = this.#settings;
    const { signal } = this.#stopping;
    let backoff = FIRST_BACKOFF;
    for (;;) {
      const started = performance.now();
      const exit = await this.#mongod?.exited;
      if (signal.aborted) return;
      if (performance.now() - started > STABLE_AFTER) backoff = FIRST_BACKOFF;
      log(`mongod exited (${exit?.how}); restarting it`);
      do {
        await sleep(backoff, undefined, { signal }).catch(() => {});
        backoff = Math.min(backoff * 2, MAX_BACKOFF);
      } while (!(await this.#relaunched()));
    }
  }

  /** @returns true if no further attempt is needed: mongod runs, or this process is stopping */
  async #relaunched(): Promise<boolean> {
    const { log } = this.#settings;
    const { signal } = this.#stopping;
    if (signal.aborted) return true;
    try {
      await this.#launch();
      log(`mongod restarted as process ${this.pid}`);
      return true;
    } catch (error) {
      if (!signal.aborted) log(`mongod could not be restarted: ${(error as Error).message}`);
      return signal.aborted;
    }
  }

  async #boundLog(): Promise<void> {
    const { logFile } = this.#settings.folder;
    if (!(await isLogTooLarge(logFile)) || this.#mongod?.exit) return;
    await rotateLog(logFile);
    this.#mongod?.signal('SIGUSR1');
  }
}
