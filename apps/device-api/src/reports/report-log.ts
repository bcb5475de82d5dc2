import {
  type BottleAction,
  BottleActionsRepository,
  BottleHeartbeatsRepository,
  type InsertOutcome,
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

type Action = Extract<Report, { kind: 'action' }>;

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
    const actions = reports.filter((report) => report.kind === 'action');
    const [heartbeatOutcomes, actionOutcomes] = await Promise.all([
      this.heartbeats.insert(heartbeats),
      this.actions.insert(actions.map(({ document }) => document)),
    ]);
    const outcomes = { heartbeat: heartbeatOutcomes.values(), action: actionOutcomes.values() };
    const before = await this.findBefore(actions, actionOutcomes);
    return reports.map((report) => resultOf(report, outcomes[report.kind].next().value!, before));
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
  private async findBefore(actions: Action[], outcomes: InsertOutcome[]): Promise<Map<string, BottleAction>> {
    const repeated = actions.filter((_, index) => outcomes[index]!.kind === 'duplicate');
    if (repeated.length === 0) return new Map();
    const found = await this.actions.findLogged(repeated.map(({ document }) => document));
    return new Map(found.map((action) => [action._id.toHexString(), action]));
  }
}

function resultOf(report: Report, outcome: InsertOutcome, before: Map<string, BottleAction>): ReportResult {
  if (outcome.kind === 'failed') return { kind: 'refused', problem: notStored() };
  const duplicate = outcome.kind === 'duplicate';
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
