import { DEADLINE_FIELDS, type DeadlineField, type DeadlineName, DEADLINES } from '#domain';
import { mongo } from 'mongoose';
import { type Coverage, coverageDue } from './due-coverage.js';
import type { JobName } from './notifier.js';

/** When each job has work at the earliest; absent when it has none. */
export type Deadlines = Partial<Record<JobName, Date>>;

export interface DueWork {
  deadlines: Deadlines;
  /** Ids of the bottles whose next heartbeat gives a check work. */
  awaited: ReadonlySet<string>;
}

/** How often the receiver of what waits is asked. Milliseconds. */
const ASKED_EVERY_MS = 30_000;
const ONCE = new Date(0);
/** Any channel: the indexes of what waits begin with it. */
const OF_A_CHANNEL = { channel: { $gte: '' } };
/** In one answer. */
const ALL = 10_000;

/** What is read of a bottle's state. */
interface State extends Partial<Record<DeadlineField, Date>> {
  _id: mongo.ObjectId;
  silent?: boolean;
  open_alerted?: boolean;
  open_unchanged?: unknown;
  dose_waiting?: boolean;
  unheard?: unknown;
}

/** What is read of a delivery. */
interface Waiting {
  channel: string;
  next_attempt_at?: Date;
  retry_early_from?: Date;
}

/** What is read of an alert. */
interface Standing {
  next_step_at?: Date;
  clears_at?: Date | null;
  end_owed?: unknown;
}

const STATE = projectionOf([
  ...DEADLINE_FIELDS,
  'silent',
  'open_alerted',
  'open_unchanged',
  'dose_waiting',
  'unheard',
]);

/**
 * Reads the armed deadlines and the markers that the checks look for (see libs/persistence, DeadlinesRepository), so
 * that not every check has to run at every tick.
 */
export class DueWorkReader {
  private states = new Map<string, State>();
  private waiting: Waiting[] = [];
  private standing: Standing[] = [];
  private gaps: Date[] = [];
  private wasLive = true;

  constructor(private readonly db: mongo.Db) {}

  /**
   * Reads everything.
   *
   * @param answering the channels whose receivers answer when they are asked
   * @param coverage undefined where nothing interrupts it
   */
  async read(now: Date, answering: readonly string[], coverage?: Coverage): Promise<DueWork> {
    this.states.clear();
    const [, gaps, waiting, standing] = await Promise.all([
      this.readStates({}),
      this.readGaps(now, coverage),
      withAny<Waiting>(this.db, 'deliveries', ['next_attempt_at', 'retry_early_from'], OF_A_CHANNEL),
      withAny<Standing>(this.db, 'alerts', ['next_step_at', 'clears_at', 'end_owed']),
    ]);
    this.gaps = gaps;
    this.waiting = waiting;
    this.standing = standing;
    return this.dueWork(now, answering);
  }

  /**
   * The same when there were only reports since the last time: device-api writes neither alerts nor notifications, and
   * no other bottle's state.
   *
   * @param bottles the ids of those that have reported
   */
  async readAfterReports(
    now: Date,
    answering: readonly string[],
    bottles: Iterable<string>,
  ): Promise<DueWork> {
    await this.readStates({ _id: { $in: [...new Set(bottles)].map((id) => new mongo.ObjectId(id)) } });
    return this.dueWork(now, answering);
  }

  /** While both parts work, and nothing was to be found, there is no gap. */
  private readGaps(now: Date, coverage?: Coverage): Promise<Date[]> {
    const isCalm = this.gaps.length === 0 && this.wasLive;
    this.wasLive = !coverage || Object.values(coverage.live).every(Boolean);
    if (!coverage || (isCalm && this.wasLive)) return Promise.resolve([]);
    return coverageDue(this.db, now, coverage);
  }

  private async readStates(which: mongo.Filter<State>): Promise<void> {
    const found = this.db
      .collection<State>('bottle_states')
      .find(which, { projection: STATE, batchSize: ALL });
    for await (const state of found) this.states.set(state._id.toHexString(), state);
  }

  private dueWork(now: Date, answering: readonly string[]): DueWork {
    const states = [...this.states.values()];
    const wakes: Partial<Record<DeadlineName, boolean>> = {
      silent: states.some(({ silent, silent_at }) => silent && silent_at && silent_at > ONCE),
      open: states.some(({ open_alerted, open_unchanged }) => open_alerted && !open_unchanged),
      dose: states.some(({ dose_waiting, unheard }) => dose_waiting && !unheard),
    };
    const checks = Object.entries(DEADLINES) as [DeadlineName, { deadline: DeadlineField }][];
    const deadlines: Deadlines = Object.assign(
      dueAt('coverage', this.gaps),
      dueAt('deliver', [
        ...this.waiting.map(({ next_attempt_at }) => next_attempt_at),
        ...this.waiting
          .filter(({ channel }) => answering.includes(channel))
          .map(({ retry_early_from }) => whenAsked(retry_early_from, now)),
      ]),
      dueAt('escalate', [
        ...this.standing.map(({ next_step_at, clears_at }) => clears_at ?? next_step_at),
        ...(this.standing.some(({ end_owed }) => end_owed !== undefined) ? [ONCE] : []),
      ]),
      ...checks.map(([name, { deadline }]) =>
        dueAt(name, wakes[name] ? [ONCE] : states.map((state) => state[deadline])),
      ),
    );
    const awaited = states.filter(({ silent, dose_waiting }) => silent || dose_waiting);
    return { deadlines, awaited: new Set(awaited.map(({ _id }) => _id.toHexString())) };
  }
}

/** These fields, and those of `also`, of the documents with at least one of them. */
function withAny<T extends object>(
  db: mongo.Db,
  collection: string,
  fields: readonly string[],
  also: Record<string, object> = {},
): Promise<T[]> {
  return db
    .collection(collection)
    .find<T>(
      { $or: fields.map((field) => ({ ...also, [field]: { $exists: true } })) },
      { projection: projectionOf([...fields, ...Object.keys(also)]), batchSize: ALL },
    )
    .toArray();
}

function projectionOf(fields: readonly string[]): Record<string, 1> {
  return Object.fromEntries(fields.map((field) => [field, 1]));
}

/** The next half minute from which on a notification is sent early: a notifier asks its receiver then (MSG-17). */
function whenAsked(earlyFrom: Date | undefined, now: Date): Date | undefined {
  const next = new Date((Math.floor(now.getTime() / ASKED_EVERY_MS) + 1) * ASKED_EVERY_MS);
  return earlyFrom && (earlyFrom > next ? earlyFrom : next);
}

function dueAt(job: JobName, moments: readonly (Date | null | undefined)[]): Deadlines {
  const times = moments.flatMap((at) => at?.getTime() ?? []);
  return times.length > 0 ? { [job]: new Date(Math.min(...times)) } : {};
}
