import { Injectable } from '@nestjs/common';

/** What a part of the service reports. */
export interface HealthReport {
  /** Shown at `GET /health/ready`. */
  details: Record<string, unknown>;
  /** False if only a new start can help. */
  isAlive: boolean;
}

/** The reports of the service's parts, by their names. */
@Injectable()
export class HealthReports {
  private readonly parts = new Map<string, () => HealthReport>();

  add(name: string, report: () => HealthReport): void {
    this.parts.set(name, report);
  }

  all(): [name: string, report: HealthReport][] {
    return [...this.parts].map(([name, report]) => [name, report()]);
  }
}
