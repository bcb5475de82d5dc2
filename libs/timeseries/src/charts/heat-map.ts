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

/** The days of one weekday, each with its 24 hours. */
interface Weekday {
  /** 1 is Monday. */
  _id: number;
  pills_taken: number[][];
  doses: number[][];
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
    const weekdays = await this.collections
      .existing(TAKEN)
      .aggregate<Weekday>([
        { $match: { medication, time_zone: timeZone ?? ALL_ZONES, date: { $in: months } } },
        { $unwind: '$days' },
        { $match: { 'days.date': { $gte: from, $lt: to }, 'days.doses': { $gt: 0 } } },
        {
          // the hours are added up here: to unwind them too takes three times as long
          $group: {
            _id: { $isoDayOfWeek: '$days.date' },
            pills_taken: { $push: '$days.hours.pills_taken' },
            doses: { $push: '$days.hours.doses' },
          },
        },
      ])
      .toArray();
    return layOut(weekdays);
  }
}

function layOut(weekdays: Weekday[]): HeatMap {
  const rows = (key: 'pills_taken' | 'doses'): number[][] =>
    Array.from({ length: 7 }, (_day, index) => {
      const days = weekdays.find(({ _id }) => _id === index + 1)?.[key] ?? [];
      return Array.from({ length: 24 }, (_hour, hour) => sum(days.map((hours) => hours[hour] ?? 0)));
    });
  const [pills_taken, doses] = [rows('pills_taken'), rows('doses')];
  return { pills_taken, doses, total: { pills_taken: sum(pills_taken.flat()), doses: sum(doses.flat()) } };
}

const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0);
