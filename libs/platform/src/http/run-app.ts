/* oxlint-disable no-console -- a wrong setting goes to the terminal */
import { Logger, type INestApplicationContext } from '@nestjs/common';
import cluster from 'node:cluster';
import { ConfigError } from '../config/load-config.js';
import { warnOfUnknownSettings } from '../config/unknown-settings.js';
import { ServiceLogger } from '../logs/service-logger.js';
import { WorkerChannel } from '../workers/worker-channel.js';

/** A shutdown that takes longer hangs, and is cut short: what it waits for does not come. Milliseconds. */
const SHUTDOWN_LIMIT_MS = 60_000;

/**
 * Warns of unknown settings, and runs a process until SIGTERM or SIGINT; then closes what `start` returned, in reverse
 * order, and exits 0. If `start` fails, or nobody catches an error, prints the reason and exits 1. A worker is stopped by
 * its primary, not by signals, which may reach all processes at once.
 */
export async function runProcess(
  start: () => Promise<Pick<INestApplicationContext, 'close'>[]>,
): Promise<void> {
  endOnUncaught();
  if (!cluster.isWorker) warnOfUnknownSettings(process.env);
  const running = start().catch((error: unknown) => {
    if (error instanceof ConfigError) console.error(error.message);
    else logFatal(error);
    process.exit(1);
  });
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => {
      new Logger('Shutdown').error(`not finished after ${SHUTDOWN_LIMIT_MS / 1_000} s`);
      process.exit(1);
    }, SHUTDOWN_LIMIT_MS).unref();
    for (const part of (await running).reverse()) await part.close();
    process.exit(0);
  };
  onStop(() => {
    void stop().catch((error: unknown) => {
      new Logger('Shutdown').error(error);
      process.exit(1);
    });
  });
  await running;
}

/** Node itself would print the error with all that it carries: an error of the database quotes records. */
function endOnUncaught(): void {
  const end = (error: unknown): void => {
    logFatal(error);
    process.exit(1);
  };
  process.on('uncaughtException', end).on('unhandledRejection', end);
}

/** Of something else than an error nothing is known that may be shown. */
function logFatal(error: unknown): void {
  new ServiceLogger('Process').fatal(error instanceof Error ? error : `ended by a ${typeof error}`);
}

function onStop(stop: () => void): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (!cluster.isWorker) stop();
    });
  }
  // if the primary dies, node:cluster ends the worker
  if (cluster.isWorker) new WorkerChannel(process).handle('stop', stop);
}
