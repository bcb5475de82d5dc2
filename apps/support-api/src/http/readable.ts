import { isDatabaseError } from '#persistence';
import { Metrics, Problem } from '#platform';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { Counter } from 'prom-client';

const logger = new Logger('Lists');

/** Of the process: lists are read by functions, which have no registry. */
let leftOut = 0;

/**
 * Shows the entries of a list. If one of them cannot be shown, because its record is damaged or of a later version, the
 * others are.
 *
 * @param list its name, for the log
 */
export async function showReadable<D, T>(
  entries: D[],
  show: (entries: D[]) => T[] | Promise<T[]>,
  list: string,
): Promise<{ shown: T[]; unreadable: number }> {
  try {
    return { shown: await show(entries), unreadable: 0 };
  } catch (error) {
    throwUnlessOfRecord(error);
  }
  const shown: T[] = [];
  let unreadable = 0;
  for (const entry of entries) {
    try {
      shown.push(...(await show([entry])));
    } catch (error) {
      throwUnlessOfRecord(error);
      unreadable += 1;
      // the message may contain what the record does
      logger.error(`left out of the list ${list}: the record ${idOf(entry)} (${(error as Error).name})`);
    }
  }
  leftOut += unreadable;
  return { shown, unreadable };
}

/** The id of a record, which says nothing of whom it is about. */
function idOf(entry: unknown): string {
  const { _id } = entry as { _id?: unknown };
  return /^[0-9a-f]{24,}$/.test(String(_id)) ? String(_id) : 'without an id';
}

function throwUnlessOfRecord(error: unknown): void {
  if (error instanceof Problem || isDatabaseError(error)) throw error;
}

/** Counts the records that lists left out. */
@Injectable()
export class UnreadableRecords {
  constructor(@Inject(Metrics) metrics: Metrics) {
    const counter: Counter = new Counter({
      name: 'pillwatch_unreadable_records_total',
      help: 'Records that lists left out because they cannot be shown',
      registers: [metrics],
      collect: (): void => {
        counter.reset();
        counter.inc(leftOut);
      },
    });
  }
}
