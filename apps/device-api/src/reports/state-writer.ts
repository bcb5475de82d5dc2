import { backlogGrace, onReports, type Thresholds } from '#domain';
import { ReportedStatesRepository, type Unfollowed } from '#persistence';
import { Injectable } from '@nestjs/common';
import { DeviceApiConfig } from '../config.js';
import type { Report } from './report-reader.js';

/** Lets the bottles' states follow the log, a group at a time. */
@Injectable()
export class StateWriter {
  private readonly thresholds: Thresholds;

  constructor(
    private readonly states: ReportedStatesRepository,
    config: DeviceApiConfig,
  ) {
    this.thresholds = {
      silentAfter: config.SILENT_BOTTLE_AFTER,
      openAfter: config.OPEN_BOTTLE_AFTER,
      backlogGrace: backlogGrace(config.SILENT_BOTTLE_AFTER),
    };
  }

  /** @throws when the database cannot store the group. */
  async follow(reports: Report[]): Promise<Unfollowed> {
    return this.states.follow(onReports(reports, this.thresholds));
  }
}
