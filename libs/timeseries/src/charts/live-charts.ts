import { Injectable } from '@nestjs/common';
import { collectionOf } from '../collections/families.js';
import { groupBy } from '../collections/group-by.js';
import { RangedCollections } from '../collections/ranged-collections.js';
import { LIVE_KINDS, liveBucket, type LiveDocument } from '../counting/live.js';
import { SECOND, spansBetween, startOf } from '../time/units.js';
import { boundariesOf } from './boundaries.js';
import { type Chart, stepFinder, timesOf } from './columns.js';
import { LIVE_SERIES } from './fleet-series.js';
import { MOST_POINTS, TooManyPointsError } from './steps.js';

/** What comes in, by the second. */
@Injectable()
export class LiveCharts {
  constructor(private readonly collections: RangedCollections) {}

  /** @throws TooManyPointsError for more than 500 seconds. */
  async chart(from: Date, to: Date): Promise<Chart> {
    if ((to.getTime() - from.getTime()) / SECOND > MOST_POINTS)
      throw new TooManyPointsError(`a live chart has at most ${MOST_POINTS} seconds`);
    const boundaries = boundariesOf(from, to, '1s', 'UTC');
    const minutes = spansBetween('minute', boundaries[0]!, boundaries.at(-1)!);
    const documents = await this.find(minutes);
    const listening = new Set(
      documents.filter((one) => one.listening).map(({ _id }) => _id.timestamp_minute.getTime()),
    );
    const listened = (at: Date): boolean => listening.has(startOf('minute', at).getTime());
    const columns = LIVE_KINDS.map(() =>
      boundaries.slice(0, -1).map((at): number | null => (listened(at) ? 0 : null)),
    );
    const stepOf = stepFinder(boundaries);
    for (const { _id, seconds = {} } of documents) {
      const column = columns[LIVE_KINDS.indexOf(_id.kind)]!;
      for (const [second, count] of Object.entries(seconds)) {
        const at = new Date(_id.timestamp_minute.getTime() + Number(second) * SECOND);
        const step = stepOf(at);
        // zeros that were made ahead say nothing of whether someone was there to count
        if (step !== undefined && count > 0) column[step] = (column[step] ?? 0) + count;
      }
    }
    return {
      series: LIVE_SERIES,
      columns: [timesOf(boundaries), ...columns],
      step: '1s',
      step_seconds: 1,
      from: boundaries[0]!,
      to: boundaries.at(-1)!,
      time_zone: 'UTC',
    };
  }

  private async find(minutes: Date[]): Promise<LiveDocument[]> {
    const byCollection = groupBy(minutes, (minute) => collectionOf('ts_live', minute));
    const found = await Promise.all(
      [...byCollection].map(([name, some]) => {
        const ids = some.flatMap((minute) =>
          LIVE_KINDS.map((kind) => liveBucket(kind, minute).key['_id'] as LiveDocument['_id']),
        );
        return this.collections
          .existing<LiveDocument>(name)
          .find({ _id: { $in: ids } })
          .toArray();
      }),
    );
    return found.flat();
  }
}
