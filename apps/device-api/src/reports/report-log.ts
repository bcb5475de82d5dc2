import {
  type BottleAction,
  BottleActionsRepository,
  BottleHeartbeatsRepository,
  type InsertFailure,
} from '#persistence';
import { Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import type { Report } from './report-reader.js';

/** A report that is in the log, as it stands there; `duplicate` when it was there before. */
export interface Stored {
  kind: 'stored';
  report: Report;
  duplicate: boolean;
}

/** What became of a report; `erased` when its bottle was, meanwhile. Only what is stored is acknowledged. */
export type ReportResult = Stored | { kind: 'refused'; problem: Problem } | { kind: 'erased' };

/** Writes the two logs, a group at a time. */
@Injectable()
export class ReportLog {
  constructor(
    private readonly actions: BottleActionsRepository,
    private readonly heartbeats: BottleHeartbeatsRepository,
  ) {}

  /**
   * @returns one result a report, in order.
   * @throws when the database cannot store the group.
   */
  async append(reports: Report[]): Promise<ReportResult[]> {
    const heartbeats = reports.flatMap((report) => (report.kind === 'heartbeat' ? report.document : []));
    const actions = reports.flatMap((report) => (report.kind === 'action' ? report.document : []));
    const [heartbeatFailures, actionFailures] = await Promise.all([
      this.heartbeats.insert(heartbeats),
      this.actions.insert(actions),
    ]);
    const before = await this.findBefore(actionFailures);
    const failures = new Map<object, InsertFailure>([...heartbeatFailures, ...actionFailures]);
    return reports.map((report) => resultOf(report, failures.get(report.document), before));
  }

  /** Nothing stays of a bottle that was erased while its reports were on their way. */
  async deleteLogged(stored: Stored[]): Promise<void> {
    const reports = stored.map(({ report }) => report);
    const ofKind = (kind: Report['kind']) =>
      reports.flatMap((report) => (report.kind === kind ? report.document : []));
    if (reports.length === 0) return;
    await Promise.all([
      this.heartbeats.deleteLogged(ofKind('heartbeat')),
      this.actions.deleteLogged(ofKind('action')),
    ]);
  }

  /** The actions of which the name was in the log already, by name. */
  private async findBefore(failures: Map<BottleAction, InsertFailure>): Promise<Map<string, BottleAction>> {
    const repeated = [...failures].flatMap(([action, failure]) => (failure === 'duplicate' ? action : []));
    if (repeated.length === 0) return new Map();
    const found = await this.actions.findLogged(repeated);
    return new Map(found.map((action) => [action._id.toHexString(), action]));
  }
}

function resultOf(
  report: Report,
  failure: InsertFailure | undefined,
  before: Map<string, BottleAction>,
): ReportResult {
  if (failure === 'refused') return { kind: 'refused', problem: notStored() };
  const duplicate = failure === 'duplicate';
  if (!duplicate || report.kind === 'heartbeat') return { kind: 'stored', report, duplicate };
  // a duplicate is the same event only if it says the same; what is in the log then stands for it
  const document = before.get(report.document._id.toHexString());
  return document && saysTheSame(document, report.document)
    ? { kind: 'stored', report: { ...report, document }, duplicate }
    : { kind: 'refused', problem: conflict() };
}

function saysTheSame(one: BottleAction, other: BottleAction): boolean {
  return (
    one.action === other.action &&
    one.pills_taken === other.pills_taken &&
    one.number_of_pills === other.number_of_pills &&
    one.mass_of_contents === other.mass_of_contents
  );
}

function conflict(): Problem {
  const message = 'event_id was used before for an event that says something else';
  return Problem.field('event_id', 'event_id_conflict', message, 409);
}

/** A token is known for some seconds; the bottle that it speaks for was erased in these. */
export function tokenOfErased(): Problem {
  return new Problem(401, 'token_unknown', 'The bottle was erased.');
}

/** The database refused this report alone. */
export function notStored(): Problem {
  return Problem.unavailable('not_stored', 'The database refused this report; send it again.');
}
