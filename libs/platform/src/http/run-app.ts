/* oxlint-disable no-console -- the last words of a process that could not start belong on the terminal */
import { Logger, type INestApplicationContext } from '@nestjs/common';
import cluster from 'node:cluster';
import { ConfigError } from '../config/load-config.js';
import { Line } from '../workers/line.js';

/**
 * Runs a process until SIGTERM or SIGINT, then closes what `start` gave back, in reverse order, and exits 0.
 * A start that fails says why in one line and exits 1. A worker is stopped by its primary and not by signals, which
 * may come to all processes at once.
 */
export async function runProcess(
  start: () => Promise<Pick<INestApplicationContext, 'close'>[]>,
): Promise<void> {
  const running = start().catch((error: unknown) => {
    console.error(error instanceof ConfigError ? error.message : error);
    process.exit(1);
  });
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
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

function onStop(stop: () => void): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (!cluster.isWorker) stop();
    });
  }
  // when the primary is gone, node:cluster ends the worker by itself
  if (cluster.isWorker) new Line(process).onAsked('stop', stop);
}
