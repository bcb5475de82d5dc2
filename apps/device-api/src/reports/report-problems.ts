import { isCanary, type ProblemEffect, type ReportProblem } from '#domain';
import { type DeviceIdentity, type NotedProblems, ReportProblemsRepository } from '#persistence';
import { Clock } from '#platform';
import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type Type,
} from '@nestjs/common';
import type { Types } from 'mongoose';
import { ReportCounters } from './report-counters.js';
import type { IgnoredField } from './understand.js';

const FLUSH_EVERY_MS = 1_000;
/** A problem is written at once, and then at most so often. */
const WRITE_EVERY_MS = 60_000;
/** Fields that are not known have any number of names: in a minute more than these would hide what else is wrong. */
const MOST_UNKNOWN_FIELDS = 10;
/** What the problems of more bottles than these would add in a minute is counted by the metrics alone. */
const MOST_BOTTLES = 10_000;

/** A problem with what was not written of it yet: nothing if its count is 0. */
interface Noted {
  problem: ReportProblem;
  /** Epoch milliseconds. */
  nextWrite: number;
}

/**
 * Notes on each bottle what is wrong with its reports. It is written beside the reports, in one command for all bottles:
 * no report waits for it, and a group has the writes that it has without problems.
 */
@Injectable()
export class ReportProblems implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(ReportProblems.name);
  private readonly bottles = new Map<string, { id: Types.ObjectId; noted: Map<string, Noted> }>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;

  constructor(
    private readonly repository: ReportProblemsRepository,
    private readonly counters: ReportCounters,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.flush(), FLUSH_EVERY_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.writing;
    await this.write(() => true);
  }

  /** Counts and notes what was left out of a report. */
  noteIgnored(device: DeviceIdentity, type: Type<object>, ignored: readonly IgnoredField[]): void {
    if (ignored.length === 0) return;
    this.counters.countIgnored(type, ignored);
    for (const field of ignored) this.note(device, 'ignored', field);
  }

  note(
    { _id: id }: DeviceIdentity,
    effect: ProblemEffect,
    { field, reason, kind: value_kind }: IgnoredField,
  ): void {
    if (isCanary(id)) return;
    const noted = this.notedOf(id);
    const key = `${effect} ${reason} ${field}`;
    const now = this.clock.now();
    const known = noted?.get(key)?.problem;
    if (known) {
      if (known.count === 0) known.first_at = now;
      Object.assign(known, { last_at: now, value_kind, count: known.count + 1 });
    } else if (noted && !(reason === 'unknown_field' && hasMostUnknown(noted, effect, now))) {
      const problem = { effect, field, reason, value_kind, first_at: now, last_at: now, count: 1 };
      noted.set(key, { problem, nextWrite: now.getTime() });
    }
  }

  private notedOf(id: Types.ObjectId): Map<string, Noted> | undefined {
    const hex = id.toHexString();
    const known = this.bottles.get(hex);
    if (known) return known.noted;
    if (this.bottles.size >= MOST_BOTTLES) return undefined;
    const noted = new Map<string, Noted>();
    this.bottles.set(hex, { id, noted });
    return noted;
  }

  private flush(): void {
    if (this.bottles.size === 0 || this.writing) return;
    const now = this.clock.now().getTime();
    this.writing = this.write(({ nextWrite }) => nextWrite <= now).finally(() => (this.writing = undefined));
  }

  /** Writes what is due, and forgets problems that were not noted again since they were written. */
  private async write(isDue: (noted: Noted) => boolean): Promise<void> {
    const now = this.clock.now().getTime();
    const due: NotedProblems[] = [];
    for (const [hex, { id, noted }] of this.bottles) {
      const problems: ReportProblem[] = [];
      for (const [key, one] of noted) {
        if (!isDue(one)) continue;
        if (one.problem.count === 0) noted.delete(key);
        else {
          problems.push({ ...one.problem });
          one.problem.count = 0;
          one.nextWrite = now + WRITE_EVERY_MS;
        }
      }
      if (problems.length > 0) due.push({ bottle_id: id, problems });
      if (noted.size === 0) this.bottles.delete(hex);
    }
    await this.repository
      .note(due)
      .catch((error: unknown) => this.logger.warn(`problems of reports are not noted: ${String(error)}`));
  }
}

function hasMostUnknown(noted: ReadonlyMap<string, Noted>, effect: ProblemEffect, now: Date): boolean {
  const unknown = [...noted.values()].filter(
    ({ problem, nextWrite }) =>
      problem.reason === 'unknown_field' &&
      problem.effect === effect &&
      (problem.count > 0 || nextWrite > now.getTime()),
  );
  return unknown.length >= MOST_UNKNOWN_FIELDS;
}
