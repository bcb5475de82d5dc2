/* oxlint-disable no-console -- the last words of a process that could not start belong on the terminal */
import { Logger, type INestApplicationContext } from '@nestjs/common';
import { ConfigError } from '../config/load-config.js';

/**
 * Runs a process until SIGTERM or SIGINT, then closes what `start` gave back, in reverse order, and exits 0.
 * A start that fails says why in one line and exits 1.
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
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      void stop().catch((error: unknown) => {
        new Logger('Shutdown').error(error);
        process.exit(1);
      });
    });
  }
  await running;
}
