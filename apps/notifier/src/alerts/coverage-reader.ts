import { coverageInterval, RecordedCoverage } from '#domain';
import { CoverageRepository } from '#persistence';
import { Injectable } from '@nestjs/common';
import { NotifierConfig } from '../config.js';

/** Reads when device-api accepted reports. */
@Injectable()
export class CoverageReader {
  private readonly interval: number;

  constructor(
    private readonly spans: CoverageRepository,
    config: NotifierConfig,
  ) {
    this.interval = coverageInterval(config.SILENT_BOTTLE_AFTER);
  }

  /** What is known of the time since a moment. */
  async read(since: Date, now: Date): Promise<RecordedCoverage> {
    return new RecordedCoverage(await this.spans.findSince(since), now, this.interval);
  }

  /** Deadlines up to this moment can be judged: nothing is concluded of a time in which nobody listened. */
  async dueBy(now: Date): Promise<Date> {
    const last = await this.spans.findLast();
    return new RecordedCoverage(last ? [last] : [], now, this.interval).dueBy;
  }
}
