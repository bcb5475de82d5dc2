/** How much a {@link GroupCommit} takes on, in items. */
export interface GroupCommitLimits {
  /** Items of a group. */
  group: number;
  /** So many may wait for their group. A call that finds nobody waiting is always taken. */
  queued: number;
  /** Groups that may be on their way at once; beside others goes one that is as large as they are, or full. */
  inFlight: number;
}

/** Too many items wait. Nothing of the call was acknowledged. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';

  constructor() {
    super('too many items wait for their group');
  }
}

/** While several callers wait, a group takes so much of each: the share of it that one caller may have. */
const TURNS = 4;

interface Call<T, R> {
  items: readonly T[];
  results: R[];
  /** Items that are in a group, and items that have their result. */
  taken: number;
  done: number;
  resolve: (results: R[]) => void;
  reject: (error: unknown) => void;
}

/** What waits of one caller. */
interface Queue<T, R> {
  caller: unknown;
  calls: Call<T, R>[];
  items: number;
}

/** Items of a call that are in one group. */
interface Part<T, R> {
  call: Call<T, R>;
  from: number;
  to: number;
}

/**
 * Writes items in groups, because single writes are expensive. There is no timer: an item that finds no write in
 * progress is written at once, and items that arrive meanwhile form the next group, so groups grow with the load. A
 * group that is as large as the one in progress does not wait: groups stay large, and neither side idles.
 *
 * Callers take turns: a group has a share for each that waits, and a large call goes in several groups. When the queue is
 * full, the caller of whom most waits is refused, whoever comes.
 */
export class GroupCommit<T, R> {
  /** By caller, in the order of their turns. */
  private readonly queues = new Map<unknown, Queue<T, R>>();
  /** Those of which more than one item waits. */
  private readonly long = new Set<Queue<T, R>>();
  private queued = 0;
  private inFlight = 0;
  /** Items of the groups on their way. */
  private underWay = 0;
  private starting = false;
  private readonly onIdle: (() => void)[] = [];

  /** @param commit does a group and gives one result an item, in order; what it throws concerns the whole group. */
  constructor(
    private readonly commit: (items: T[]) => Promise<R[]>,
    private readonly limits: GroupCommitLimits,
  ) {}

  /**
   * The items go into the next groups that have room, in order.
   *
   * @param caller who shares the queue with others; without it, the call is a caller of its own.
   * @param limit items of the caller that may wait.
   * @returns one result an item, in order.
   * @throws QueueFullError, or whatever failed a group.
   */
  add(items: readonly T[], caller: unknown = items, limit = Number.POSITIVE_INFINITY): Promise<R[]> {
    if (!this.makeRoom(items.length, caller, limit)) return Promise.reject(new QueueFullError());
    return new Promise((resolve, reject) => {
      const queue = this.queues.get(caller) ?? { caller, calls: [], items: 0 };
      queue.calls.push({ items, results: [], taken: 0, done: 0, resolve, reject });
      this.queues.set(caller, queue);
      this.grow(queue, items.length);
      this.startSoon();
    });
  }

  /** Whether an item of any caller of whom nothing waits would be refused now. */
  isFull(): boolean {
    return this.queued > 0 && this.queued >= this.limits.queued && this.long.size === 0;
  }

  /** Whether so many items of this caller would be refused now. */
  refuses(caller: unknown, limit: number, items = 1): boolean {
    const own = this.queues.get(caller)?.items ?? 0;
    if (own > 0 && own + items > limit) return true;
    const isFull = this.queued > 0 && this.queued + items > this.limits.queued;
    return isFull && this.longest().items <= own + items;
  }

  /** Resolves when nothing waits and nothing is on its way. */
  async idle(): Promise<void> {
    if (this.queues.size === 0 && this.inFlight === 0) return;
    await new Promise<void>((resolve) => this.onIdle.push(resolve));
  }

  /** Refuses others' calls, if more of theirs waits. @returns whether there is room for these items then */
  private makeRoom(items: number, caller: unknown, limit: number): boolean {
    const own = this.queues.get(caller)?.items ?? 0;
    if (own > 0 && own + items > limit) return false;
    while (this.queued > 0 && this.queued + items > this.limits.queued) {
      const queue = this.longest();
      if (queue.items <= own + items) return false;
      const call = queue.calls.pop()!;
      this.grow(queue, call.taken - call.items.length);
      if (queue.calls.length === 0) this.queues.delete(queue.caller);
      call.reject(new QueueFullError());
    }
    return true;
  }

  private longest(): Queue<T, R> {
    let longest: Queue<T, R> = { caller: undefined, calls: [], items: 1 };
    for (const queue of this.long) if (queue.items > longest.items) longest = queue;
    return longest;
  }

  private grow(queue: Queue<T, R>, items: number): void {
    this.queued += items;
    queue.items += items;
    if (queue.items > 1) this.long.add(queue);
    else this.long.delete(queue);
  }

  /** At the end of this turn of the event loop: whatever else the turn brings in goes with it. */
  private startSoon(): void {
    if (this.starting || !this.mayStart()) return;
    this.starting = true;
    setImmediate(() => {
      this.starting = false;
      void this.run();
    });
  }

  private mayStart(): boolean {
    if (this.inFlight === 0) return true;
    return this.inFlight < this.limits.inFlight && this.queued >= Math.min(this.underWay, this.limits.group);
  }

  private async run(): Promise<void> {
    // the group that was on its way may have been joined by another since this was asked for
    const parts = this.mayStart() ? this.takeGroup() : [];
    if (parts.length === 0) return;
    const group: T[] = [];
    for (const { call, from, to } of parts)
      for (let index = from; index < to; index += 1) group.push(call.items[index]!);
    this.inFlight += 1;
    this.underWay += group.length;
    if (this.queues.size > 0) this.startSoon();
    try {
      const results = await this.commit(group);
      let from = 0;
      for (const part of parts) settle(part, results, (from += part.to - part.from));
    } catch (error) {
      for (const { call } of parts) call.reject(error);
    } finally {
      this.inFlight -= 1;
      this.underWay -= group.length;
      if (this.queues.size > 0) this.startSoon();
      else if (this.inFlight === 0) for (const resolve of this.onIdle.splice(0)) resolve();
    }
  }

  private takeGroup(): Part<T, R>[] {
    const parts: Part<T, R>[] = [];
    const { group } = this.limits;
    const turn = this.queues.size > 1 ? Math.ceil(group / TURNS) : group;
    let room = group;
    const again: Queue<T, R>[] = [];
    for (const queue of this.queues.values()) {
      if (room === 0) break;
      room -= this.takeTurn(queue, Math.min(turn, room), parts);
      this.queues.delete(queue.caller);
      if (queue.calls.length > 0) again.push(queue);
    }
    for (const queue of again) this.queues.set(queue.caller, queue);
    return parts;
  }

  /** Takes up to so many items of a caller. @returns how many */
  private takeTurn(queue: Queue<T, R>, most: number, parts: Part<T, R>[]): number {
    let taken = 0;
    while (taken < most && queue.calls.length > 0) {
      const call = queue.calls[0]!;
      const from = call.taken;
      call.taken = Math.min(call.items.length, from + most - taken);
      taken += call.taken - from;
      parts.push({ call, from, to: call.taken });
      if (call.taken === call.items.length) queue.calls.shift();
    }
    this.grow(queue, -taken);
    return taken;
  }
}

/** @param end of the part's results among those of its group */
function settle<T, R>({ call, from, to }: Part<T, R>, results: readonly R[], end: number): void {
  const start = end - (to - from);
  for (let index = from; index < to; index += 1) call.results[index] = results[start + index - from]!;
  call.done += to - from;
  if (call.done === call.items.length) call.resolve(call.results);
}
