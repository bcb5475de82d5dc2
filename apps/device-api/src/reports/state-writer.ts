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
    if (reports.length === 0) return { refused: new Set(), missing: new Set() };
    const { silentAfter } = this.thresholds;
    const vitals = newestVitals(reports);
    const [{ refused, missing }, unchanged] = await Promise.all([
      this.states.hear(
        contacts(reports, vitals).map(({ bottles, at }) => ({
          bottles,
          update: contactUpdate(at, silentAfter),
        })),
        [...vitals.values()].map((one) => vitalsUpdate(one.bottle, one.vitals, silentAfter)),
      ),
      this.states.change([
        ...reports.flatMap(({ kind, document }) =>
          kind === 'action' ? actionUpdates(document, this.thresholds) : [],
        ),
        ...clockUpdates(reports),
      ]),
    ]);
    return { refused: new Set([...refused, ...unchanged]), missing };
  }
}

type NewestVitals = Map<string, { bottle: Types.ObjectId; vitals: Vitals }>;

/** The bottles by when they were last heard, but for those that said more of themselves at that moment. */
function contacts(reports: Report[], vitals: NewestVitals): { bottles: Types.ObjectId[]; at: Date }[] {
  const lastHeard = new Map<string, { bottle: Types.ObjectId; at: Date }>();
  for (const { document, receivedAt } of reports) {
    const id = document.bottle_id.toHexString();
    const known = lastHeard.get(id) ?? vitals.get(id)?.vitals;
    if (!known || known.at < receivedAt) lastHeard.set(id, { bottle: document.bottle_id, at: receivedAt });
  }
  const together = new Map<number, { bottles: Types.ObjectId[]; at: Date }>();
  for (const { bottle, at } of lastHeard.values()) {
    const known = together.get(at.getTime()) ?? { bottles: [], at };
    known.bottles.push(bottle);
    together.set(at.getTime(), known);
  }
  return [...together.values()];
}

/** What the bottles of a group last said of themselves: of several heartbeats at one moment the greatest id stands. */
function newestVitals(reports: Report[]): NewestVitals {
  const newest: NewestVitals = new Map();
  for (const { kind, document } of reports) {
    const vitals = kind === 'heartbeat' ? vitalsOf(document) : undefined;
    if (!vitals) continue;
    const bottle = document.bottle_id.toHexString();
    const known = newest.get(bottle)?.vitals;
    if (!known || isNewer(vitals, known)) newest.set(bottle, { bottle: document.bottle_id, vitals });
  }
  return newest;
}

function isNewer(one: Vitals, other: Vitals): boolean {
  const later = one.at.getTime() - other.at.getTime();
  return later === 0 ? one.id.toHexString() > other.id.toHexString() : later > 0;
}

/** In one order, as the database compares them in theirs. */
const VITALS = ['battery_percent', 'rssi_dbm', 'mass_of_contents', 'number_of_pills'] as const;

function vitalsOf(heartbeat: BottleHeartbeat): Vitals | undefined {
  let vitals: Vitals | undefined;
  for (const field of VITALS) {
    const value = heartbeat[field];
    if (value !== undefined) (vitals ??= { id: heartbeat._id, at: heartbeat.time })[field] = value;
  }
  return vitals;
}

function clockUpdates(reports: Report[]): StateUpdate[] {
  const wrong = new Map<string, StateUpdate>();
  for (const { document, clockOffset, receivedAt } of reports) {
    if (clockOffset === 0) continue;
    wrong.set(
      `${document.bottle_id.toHexString()} ${clockOffset}`,
      badClockUpdate(document.bottle_id, clockOffset, receivedAt),
    );
  }
  return [...wrong.values()];
}
