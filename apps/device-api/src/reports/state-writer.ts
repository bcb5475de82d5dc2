import { backlogGrace } from '#domain';
import {
  actionUpdates,
  badClockUpdate,
  type BottleHeartbeat,
  contactUpdate,
  ReportedStatesRepository,
  type StateUpdate,
  type Thresholds,
  type Unfollowed,
  type Vitals,
  vitalsUpdate,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { DeviceApiConfig } from '../config.js';
import type { Report } from './report-reader.js';

/** Lets the bottles' states follow the log, a group at a time: all of it was received at one moment. */
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
  async follow(reports: Report[], receivedAt: Date): Promise<Unfollowed> {
    if (reports.length === 0) return { refused: new Set(), missing: new Set() };
    const { silentAfter } = this.thresholds;
    const vitals = newestVitals(reports);
    const alive = new Map<string, Types.ObjectId>();
    for (const { document } of reports) {
      const id = document.bottle_id.toHexString();
      if (!vitals.has(id)) alive.set(id, document.bottle_id);
    }
    const [{ refused, missing }, unchanged] = await Promise.all([
      this.states.hear(
        [...alive.values()],
        contactUpdate(receivedAt, silentAfter),
        [...vitals.values()].map((one) => vitalsUpdate(one.bottle, one.vitals, silentAfter)),
      ),
      this.states.change([
        ...reports.flatMap(({ kind, document }) =>
          kind === 'action' ? actionUpdates(document, this.thresholds) : [],
        ),
        ...clockUpdates(reports, receivedAt),
      ]),
    ]);
    return { refused: new Set([...refused, ...unchanged]), missing };
  }
}

/** What the bottles of a group last said of themselves: of several heartbeats at one moment the greatest id stands. */
function newestVitals(reports: Report[]): Map<string, { bottle: Types.ObjectId; vitals: Vitals }> {
  const newest = new Map<string, { bottle: Types.ObjectId; vitals: Vitals }>();
  for (const { kind, document } of reports) {
    const vitals = kind === 'heartbeat' ? vitalsOf(document) : undefined;
    if (!vitals) continue;
    const bottle = document.bottle_id.toHexString();
    const known = newest.get(bottle)?.vitals;
    if (!known || known.id.toHexString() < vitals.id.toHexString())
      newest.set(bottle, { bottle: document.bottle_id, vitals });
  }
  return newest;
}

function vitalsOf(heartbeat: BottleHeartbeat): Vitals | undefined {
  const { battery_percent, rssi_dbm, mass_of_contents, number_of_pills } = heartbeat;
  const said = { battery_percent, rssi_dbm, mass_of_contents, number_of_pills };
  for (const field of Object.keys(said) as (keyof typeof said)[]) {
    if (said[field] === undefined) delete said[field];
  }
  return Object.keys(said).length === 0
    ? undefined
    : { id: heartbeat._id, at: heartbeat.time, ...(said as Partial<Vitals>) };
}

function clockUpdates(reports: Report[], at: Date): StateUpdate[] {
  const wrong = new Map<string, StateUpdate>();
  for (const { document, clockOffset } of reports) {
    if (clockOffset === 0) continue;
    wrong.set(
      `${document.bottle_id.toHexString()} ${clockOffset}`,
      badClockUpdate(document.bottle_id, clockOffset, at),
    );
  }
  return [...wrong.values()];
}
