import { HOUR_MS } from '#domain';
import { AuditRepository } from '#persistence';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

/**
 * Writes the last entry of the audit to the log, at the start and each hour: whoever cuts the newest entries at the
 * database, and sets back what is recorded there, does not reach the log.
 */
@Injectable()
export class AuditHeadLog implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Audit');
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly entries: AuditRepository) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.write(), HOUR_MS).unref();
    void this.write();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  async write(): Promise<void> {
    try {
      const head = await this.entries.readHead();
      if (head) this.logger.log(`last entry ${head.seq}:${head.hash}`);
    } catch (error) {
      this.logger.warn(`cannot read the last entry: ${(error as Error).name}`);
    }
  }
}
