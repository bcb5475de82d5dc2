import {
  actionUpdates,
  badClockUpdate,
  type BottleAction,
  BottleActionsRepository,
  BottleHeartbeatsRepository,
  BottleStatesRepository,
  contactUpdate,
  DatabaseStatus,
  type InsertOutcome,
  type Thresholds,
  vitalsUpdate,
} from '#persistence';
import { Problem } from '#platform';
import { backlogGrace } from '#domain';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { DeviceApiConfig } from '../config.js';
import { ReportCounters } from './report-counters.js';
import type { Report } from './report-reader.js';

/** What became of a report. Only the first two are acknowledged. */
export type ReportResult =
  | { kind: 'heartbeat' }
  | { kind: 'action'; id: string; duplicate: boolean }
  | { kind: 'refused'; problem: Problem };

type Heartbeat = Extract<Report, { kind: 'heartbeat' }>;
type Action = Extract<Report, { kind: 'action' }>;

/**
 * The write path: log first, state second, answer last. Every report of a group was received at one moment.
 * A crash in between leaves the device without an answer; its retry is recognised in the log and applies
 * the state again, which changes nothing if it was applied before.
 */
@Injectable()
export class ReportWriter {
  private readonly thresholds: Thresholds;

  constructor(
    private readonly actions: BottleActionsRepository,
    private readonly heartbeats: BottleHeartbeatsRepository,
    private readonly states: BottleStatesRepository,
    private readonly database: DatabaseStatus,
    private readonly counters: ReportCounters,
    config: DeviceApiConfig,
  ) {
    this.thresholds = {
      silentAfter: config.SILENT_BOTTLE_AFTER,
      openAfter: config.OPEN_BOTTLE_AFTER,
      backlogGrace: backlogGrace(config.SILENT_BOTTLE_AFTER),
    };
  }

  /**
   * @returns one result a report, in order.
   * @throws when the database cannot store the group: then nothing is acknowledged.
   */
  async write(reports: Report[], receivedAt: Date): Promise<ReportResult[]> {
    if (reports.length === 0) return [];
    this.database.assertWritable();
    const heartbeats = reports.filter((report): report is Heartbeat => report.kind === 'heartbeat');
    const actions = reports.filter((report): report is Action => report.kind === 'action');
    const [heartbeatOutcomes, actionOutcomes] = await Promise.all([
      this.heartbeats.insert(heartbeats.map(({ document }) => document)),
      this.actions.insert(actions.map(({ document }) => document)),
    ]);
    const logged = await this.resolveDuplicates(actions, actionOutcomes);
    const fates = { heartbeat: heartbeatOutcomes.values(), action: logged.values() };
    const results = reports.map((report) =>
      report.kind === 'heartbeat'
        ? heartbeatResult(fates.heartbeat.next().value!)
        : actionResult(report, fates.action.next().value!),
    );
    // the state follows the log: what was refused is not in it, and changes nothing
    const stored = reports.filter((_, index) => results[index]!.kind !== 'refused');
    await this.updateStates(stored, logged, receivedAt);
    this.counters.count(reports, results);
    return results;
  }

  /** A duplicate is the same event only if it says the same; what is in the log then stands for it. */
  private async resolveDuplicates(actions: Action[], outcomes: InsertOutcome[]): Promise<LoggedAction[]> {
    const repeated = actions.filter((_, index) => outcomes[index]!.kind === 'duplicate');
    const stored = new Map<string, BottleAction>();
    for (const bottleId of new Set(repeated.map(({ document }) => document.bottle_id))) {
      const ids = repeated
        .filter(({ document }) => document.bottle_id === bottleId)
        .map(({ document }) => document._id);
      for (const action of await this.actions.findByIds(bottleId, ids))
        stored.set(action._id.toHexString(), action);
    }
    return actions.map(({ document }, index) => {
      const outcome = outcomes[index]!;
      if (outcome.kind === 'failed') return { outcome };
      if (outcome.kind === 'inserted') return { outcome, document };
      const before = stored.get(document._id.toHexString());
      return before && saysTheSame(before, document)
        ? { outcome, document: before }
        : { outcome, conflict: true };
    });
  }

  private async updateStates(reports: Report[], actions: LoggedAction[], receivedAt: Date): Promise<void> {
    if (reports.length === 0) return;
    const heard = new Map<string, Types.ObjectId>();
    for (const { document } of reports) heard.set(document.bottle_id.toHexString(), document.bottle_id);
    const individual = [
      ...actions.flatMap(({ document }) => (document ? actionUpdates(document, this.thresholds) : [])),
      ...reports.flatMap((report) => (report.kind === 'heartbeat' ? vitalsOf(report.document) : [])),
      ...clockUpdates(reports, receivedAt),
    ];
    await Promise.all([
      this.states.updateMany([...heard.values()], contactUpdate(receivedAt, this.thresholds.silentAfter)),
      this.states.bulkWrite(individual),
    ]);
  }
}

interface LoggedAction {
  outcome: InsertOutcome;
  document?: BottleAction;
  conflict?: boolean;
}

function saysTheSame(one: BottleAction, other: BottleAction): boolean {
  return (
    one.action === other.action &&
    one.pills_taken === other.pills_taken &&
    one.number_of_pills === other.number_of_pills &&
    one.mass_of_contents === other.mass_of_contents
  );
}

function vitalsOf({
  _id,
  time,
  battery_percent,
  rssi_dbm,
  mass_of_contents,
  number_of_pills,
  bottle_id,
}: Heartbeat['document']) {
  const said = Object.entries({ battery_percent, rssi_dbm, mass_of_contents, number_of_pills }).filter(
    ([, value]) => value !== undefined,
  );
  return said.length === 0
    ? []
    : [vitalsUpdate(bottle_id, { id: _id, at: time, ...Object.fromEntries(said) })];
}

function clockUpdates(reports: Report[], at: Date) {
  const wrong = new Map(
    reports
      .filter(({ clockOffset }) => clockOffset !== 0)
      .map((report) => [report.document.bottle_id.toHexString(), report]),
  );
  return [...wrong.values()].map(({ document, clockOffset }) =>
    badClockUpdate(document.bottle_id, clockOffset, at),
  );
}

function heartbeatResult(outcome: InsertOutcome): ReportResult {
  return outcome.kind === 'failed' ? notStored() : { kind: 'heartbeat' };
}

function actionResult({ document }: Action, { outcome, conflict }: LoggedAction): ReportResult {
  if (conflict) {
    const message = 'event_id was used before for an event that says something else';
    return { kind: 'refused', problem: Problem.field('event_id', 'event_id_conflict', message, 409) };
  }
  return outcome.kind === 'failed'
    ? notStored()
    : { kind: 'action', id: document._id.toHexString(), duplicate: outcome.kind === 'duplicate' };
}

function notStored(): ReportResult {
  return {
    kind: 'refused',
    problem: Problem.unavailable('not_stored', 'The database refused this report; send it again.'),
  };
}
