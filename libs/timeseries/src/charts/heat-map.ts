import { Injectable } from '@nestjs/common';
import { RangedCollections } from '../collections/ranged-collections.js';
import { ALL_ZONES, TAKEN } from '../counting/taken.js';
import { spansBetween } from '../time/units.js';
import { MOST_DOCUMENTS, TooManyPointsError } from './steps.js';

/** When people take a medication, by the wall clock where the bottle is. Rows are Monday to Sunday. */
export interface HeatMap {
  pills_taken: number[][];
  doses: number[][];
  total: { pills_taken: number; doses: number };
}

interface Cell {
  _id: { weekday: number; hour: number };
  pills_taken: number;
  doses: number;
}

/** Questions by tag: what was taken of a medication, in all zones or in one. */
@Injectable()
export class HeatMaps {
  constructor(private readonly collections: RangedCollections) {}

  /**
   * @param from the first local day, as midnight UTC.
   * @param to the day after the last one.
   * @throws TooManyPointsError for more than 48 months.
   */
  async of(medication: string, timeZone: string | undefined, from: Date, to: Date): Promise<HeatMap> {
    const months = spansBetween('month', from, to);
    if (months.length > MOST_DOCUMENTS) throw new TooManyPointsError(`at most ${MOST_DOCUMENTS} months`);
    const cells = await this.collections
      .existing(TAKEN)
      .aggregate<Cell>([
        { $match: { medication, time_zone: timeZone ?? ALL_ZONES, date: { $in: months } } },
        { $unwind: '$days' },
        { $match: { 'days.date': { $gte: from, $lt: to }, 'days.doses': { $gt: 0 } } },
        { $unwind: '$days.hours' },
        { $match: { 'days.hours.doses': { $gt: 0 } } },
        {
          $group: {
            _id: { weekday: { $isoDayOfWeek: '$days.date' }, hour: { $hour: '$days.hours.date' } },
            pills_taken: { $sum: '$days.hours.pills_taken' },
            doses: { $sum: '$days.hours.doses' },
          },
        },
      ])
      .toArray();
    return layOut(cells);
  }
}

function layOut(cells: Cell[]): HeatMap {
  const empty = (): number[][] => Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  const map: HeatMap = { pills_taken: empty(), doses: empty(), total: { pills_taken: 0, doses: 0 } };
  for (const { _id, pills_taken, doses } of cells) {
    map.pills_taken[_id.weekday - 1]![_id.hour] = pills_taken;
    map.doses[_id.weekday - 1]![_id.hour] = doses;
    map.total.pills_taken += pills_taken;
    map.total.doses += doses;
  }
  return map;
}
