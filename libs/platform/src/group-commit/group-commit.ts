/** How much a {@link GroupCommit} takes on, in items. */
export interface GroupCommitLimits {
  /** A group takes no further call once it has this many items. */
  group: number;
  /** So many may wait for their group; who comes then is refused. A call that finds nobody waiting is always taken. */
  queued: number;
  /** Groups that may be on their way at once; beside others goes one that is as large as they are, or full. */
  inFlight: number;
}

/** Thrown at once when too many items wait already. Nothing was done with those of the call. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';

  constructor() {
    super('too many items wait for their group');
  }
}

interface Call<T, R> {
  items: readonly T[];
  resolve: (results: R[]) => void;
  reject: (error: unknown) => void;
}

/**
 * Writes items in groups, because single writes are expensive. There is no timer: an item that finds no write in
 * progress is written at once, and items that arrive meanwhile form the next group, so groups grow with the load. A
 * group that is as large as the one in progress does not wait: groups stay large, and neither side idles.
 */
export class GroupCommit<T, R> {
  private readonly waiting: Call<T, R>[] = [];
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
   * The items stay together and in order, and get into the next group that has room.
   *
   * @returns one result an item, in order.
   * @throws QueueFullError at once, or whatever failed the group.
   */
  add(items: readonly T[]): Promise<R[]> {
    if (this.isFull(items.length)) return Promise.reject(new QueueFullError());
    this.queued += items.length;
    return new Promise((resolve, reject) => {
      this.waiting.push({ items, resolve, reject });
      this.startSoon();
    });
  }

  /** Whether a call of so many items would be refused now. */
  isFull(items = 1): boolean {
    return this.queued > 0 && this.queued + items > this.limits.queued;
  }

  /** Resolves when nothing waits and nothing is on its way. */
  async idle(): Promise<void> {
    if (this.waiting.length === 0 && this.inFlight === 0) return;
    await new Promise<void>((resolve) => this.onIdle.push(resolve));
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
    const calls = this.mayStart() ? this.takeGroup() : [];
    if (calls.length === 0) return;
    const group = calls.flatMap(({ items }) => items);
    this.inFlight += 1;
    this.underWay += group.length;
    if (this.waiting.length > 0) this.startSoon();
    try {
      const results = await this.commit(group);
      let from = 0;
      for (const { items, resolve } of calls) resolve(results.slice(from, (from += items.length)));
    } catch (error) {
      for (const { reject } of calls) reject(error);
    } finally {
      this.inFlight -= 1;
      this.underWay -= group.length;
      if (this.waiting.length > 0) this.startSoon();
      else if (this.inFlight === 0) for (const resolve of this.onIdle.splice(0)) resolve();
    }
  }

  private takeGroup(): Call<T, R>[] {
    let size = 0;
    let count = 0;
    for (const { items } of this.waiting) {
      if (count > 0 && size + items.length > this.limits.group) break;
      size += items.length;
      count += 1;
    }
    this.queued -= size;
    return this.waiting.splice(0, count);
  }
}
