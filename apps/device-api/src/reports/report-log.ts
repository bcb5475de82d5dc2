import { haveSameContents } from '#domain';
import {
  type BottleAction,
  BottleActionsRepository,
  BottleHeartbeatsRepository,
  type InsertFailure,
} from '#persistence';
import { Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import { RepeatedActions } from './repeated-actions.js';
import { notStored, type Refused, type Report, type ReportResult, type Stored } from './report.js';

/** Writes the two logs, a group at a time. */
@Injectable()
export class ReportLog {
  constructor(
    private readonly actions: BottleActionsRepository,
    private readonly heartbeats: BottleHeartbeatsRepository,
    private readonly repeated: RepeatedActions,
  ) {}

  /**
   * Logs the reports that were not refused.
   *
   * @returns the result of each, in order
   * @throws when the database cannot store the group.
   */
  async append(group: readonly (Report | Refused)[]): Promise<ReportResult[]> {
    const heartbeats: Parameters<BottleHeartbeatsRepository['insert']>[0] = [];
    const actions: BottleAction[] = [];
    for (const report of group) {
      if (report.kind === 'heartbeat') heartbeats.push(report.document);
      else if (report.kind === 'action') actions.push(report.document);
    }
    const [heartbeatFailures, actionFailures] = await Promise.all([
      this.heartbeats.insert(heartbeats),
      this.actions.insert(actions),
    ]);
    const logged = await this.repeated.settle(actionFailures);
    const failures = new Map<object, InsertFailure>([...heartbeatFailures, ...actionFailures]);
    return group.map((report) =>
      report.kind === 'refused' ? report : resultOf(report, failures.get(report.document), logged),
    );
  }

  /** Removes what was logged of bottles that were erased meanwhile. */
  async deleteLogged(stored: readonly Stored[]): Promise<void> {
    if (stored.length === 0) return;
    const reports = stored.map(({ report }) => report);
    const ofKind = (kind: Report['kind']) =>
      reports.flatMap((report) => (report.kind === kind ? report.document : []));
    await Promise.all([
      this.heartbeats.deleteLogged(ofKind('heartbeat')),
      this.actions.deleteLogged(ofKind('action')),
    ]);
  }
}

function resultOf(
  report: Report,
  failure: InsertFailure | undefined,
  logged: Map<string, BottleAction>,
): ReportResult {
  if (failure === 'refused') return notStored();
  const duplicate = failure === 'duplicate';
  if (!duplicate || report.kind === 'heartbeat') return { kind: 'stored', report, duplicate };
  // a duplicate is the same event only if its contents are the same; the logged one then stands for it
  const document = logged.get(report.document._id.toHexString());
  return document && haveSameContents(document, report.document)
    ? { kind: 'stored', report: { ...report, document }, duplicate }
    : { kind: 'refused', problem: conflict() };
}

function conflict(): Problem {
  const message = 'event_id was already used for a different event';
  return Problem.field('event_id', 'event_id_conflict', message, 409);
}
