import { DAY_MS, HOUR_MS } from '#domain';
import { PersistenceModule } from '#persistence';
import type { Clock, DatabaseConfig } from '#platform';
import { type Difference, TimeseriesModule, Verifier } from '#timeseries';
import { NestFactory } from '@nestjs/core';
import type { TimeseriesRequest } from '../command-line.js';
import { tableOf } from './difference-table.js';

/** The counts are not what the logs say; the message says how many. */
export class DifferenceError extends Error {}

/**
 * Compares the counts behind the charts with the logs, or makes them from the logs again.
 *
 * @throws DifferenceError when something differs; for `rebuild`, when something still does.
 */
export async function runTimeseries(
  { task, from, to }: TimeseriesRequest,
  config: DatabaseConfig,
  { say, clock }: { say: (line: string) => void; clock: Clock },
): Promise<void> {
  class TimeseriesCommand {}
  const persistence = PersistenceModule.forRoot(config.MONGODB_URI, {
    heartbeatRetention: config.HEARTBEAT_RETENTION,
  });
  const app = await NestFactory.createApplicationContext(
    { module: TimeseriesCommand, imports: [persistence, TimeseriesModule] },
    { logger: ['error'], abortOnError: false },
  );
  try {
    const now = clock.now().getTime();
    const tomorrow = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
    const range = { from: from ?? new Date(tomorrow - 3 * DAY_MS), to: to ?? new Date(tomorrow) };
    // the oldest may be deleted while they are counted
    const heartbeatsSince = new Date(now - config.HEARTBEAT_RETENTION + HOUR_MS);
    const verifier = app.get(Verifier);
    const shown = `${range.from.toISOString()} to ${range.to.toISOString()}`;
    if (task === 'rebuild') {
      const differed = await verifier.rebuild(range, clock, heartbeatsSince);
      say(`${shown}: made from the logs; ${countOf(differed)} before.`);
    }
    const differing = await verifier.verify(range, clock, heartbeatsSince);
    if (differing.length === 0) return say(`${shown}: every count is what the logs say.`);
    tableOf(differing).forEach(say);
    throw new DifferenceError(`${shown}: ${countOf(differing)} from the logs.`);
  } finally {
    await app.close();
  }
}

const countOf = ({ length }: Difference[]): string =>
  length === 1 ? '1 count differs' : `${length} counts differ`;
