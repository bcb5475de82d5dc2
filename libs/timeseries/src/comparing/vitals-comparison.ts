import type { BottleAction, BottleHeartbeat } from '#persistence';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { RangedCollections } from '../collections/ranged-collections.js';
import { homeOf } from '../tiers/tiers.js';
import { endOf } from '../time/units.js';
import { type Vital, VITAL_NAMES, VITALS, vitalsUnit } from '../counting/vitals.js';
import { heldAgainst, type Difference } from './difference.js';
import { type Logged, type LogPage, ReportLog, settledBefore } from './report-log.js';

interface Sampled {
  num_samples: number;
}

interface VitalsDay {
  _id: { bottle_id: Types.ObjectId; timestamp: Date };
  sums?: Partial<Record<Vital, Sampled>>;
}

/** Compares how many samples of a bottle's day were counted with how many are in the log. */
@Injectable()
export class VitalsComparison {
  constructor(
    private readonly collections: RangedCollections,
    private readonly log: ReportLog,
  ) {}

  /** @param days those past keeping are left out. */
  async compare({ bottles }: LogPage, days: readonly Date[], clock: { now(): Date }): Promise<Difference[]> {
    const found: Difference[] = [];
    for (const day of days.filter((one) => homeOf(one, clock.now()) !== '1d')) {
      const receivedBefore = settledBefore(clock.now());
      const ids = bottles.map(({ _id }) => vitalsUnit(_id, day));
      const counted = await this.collections
        .existing<VitalsDay>(ids[0]!.collection)
        .find(
          { _id: { $in: ids.map(({ key }) => key['_id'] as VitalsDay['_id']) } },
          { projection: { sums: 1 } },
        )
        .toArray();
      // after what was counted: that is in the log first
      const reports = await this.log.reportsOf(bottles, day, endOf('day', day));
      const logged = samplesOf(reports, receivedBefore);
      const byBottle = new Map(counted.map(({ _id, sums }) => [_id.bottle_id.toHexString(), sums]));
      for (const { _id } of bottles)
        for (const vital of VITAL_NAMES) {
          const count = byBottle.get(_id.toHexString())?.[vital]?.num_samples ?? 0;
          const difference = heldAgainst(
            count,
            logged.get(`${_id.toHexString()} ${vital}`) ?? { least: 0, most: 0 },
          );
          if (!difference) continue;
          const kind = `${_id.toHexString()} ${vital}`;
          found.push({
            tier: 'vitals',
            bucket: day,
            kind,
            ...difference,
            unit: vitalsUnit(_id, day),
          });
        }
    }
    return found;
  }
}

function samplesOf(
  reports: readonly (BottleAction | BottleHeartbeat)[],
  receivedBefore: Date,
): Map<string, Logged> {
  const samples = new Map<string, Logged>();
  for (const report of reports) {
    const received = ('received_at' in report ? report.received_at : report.time) < receivedBefore;
    for (const vital of VITAL_NAMES) {
      const said = (report as Partial<Record<(typeof VITALS)[Vital], number>>)[VITALS[vital]];
      if (said === undefined || said === null) continue;
      const name = `${report.bottle_id.toHexString()} ${vital}`;
      const known = samples.get(name) ?? { least: 0, most: 0 };
      samples.set(name, { least: known.least + (received ? 1 : 0), most: known.most + 1 });
    }
  }
  return samples;
}
