import { continuesCoverage, coverageInterval, type CoveragePart } from '#domain';
import { CoverageRepository } from '#persistence';
import type { Clock } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { randomUUID } from 'node:crypto';
import { CoverageRecorder } from '../../apps/device-api/src/coverage-recorder.js';

/** A device-api's recorder beats by the machine's time, which is not that of a fake clock. */
export async function stopBeating(app: NestFastifyApplication): Promise<void> {
  await app.get(CoverageRecorder).onApplicationShutdown();
}

/** The setting of those who let it thaw. */
const SILENT_AFTER_MS = 60 * 60_000;

/**
 * The coverage of a service whose fake clock jumps from event to event. Its own recorder beats by the machine's time,
 * so to it every jump is a time in which it was frozen.
 */
export class SteadyCoverage {
  private _id = randomUUID();
  private from: Date;
  private until: Date;

  constructor(
    private readonly app: NestFastifyApplication,
    private readonly clock: Clock,
    private readonly part: CoveragePart = 'device-api',
    private readonly listener = 'the only one',
  ) {
    this.from = clock.now();
    this.until = this.from;
  }

  /** The first beat after a time without any, as the product's recorder takes it. */
  async thaw(): Promise<void> {
    const now = this.clock.now();
    if (!continuesCoverage({ from: this.from, until: this.until }, now, coverageInterval(SILENT_AFTER_MS))) {
      this._id = randomUUID();
      this.from = now;
    }
    await this.record();
  }

  /** Records that it has accepted reports, or run its checks, from its start until now. */
  async record(): Promise<void> {
    const { _id, from, listener } = this;
    this.until = this.clock.now();
    const ofListener = this.part === 'device-api' && { listener };
    await this.app.get(CoverageRepository).extend({ _id, from, until: this.until, ...ofListener }, this.part);
  }
}
