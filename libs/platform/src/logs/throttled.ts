/** Lines of one kind are at least so far apart. Milliseconds. */
const EVERY_MS = 60_000;

/** Counts what would fill the log: the first time has a line, and then once a minute how often it was. */
export class Throttled {
  private times = 0;
  private dueAt = -Infinity;

  /** Counts once more. @returns how often since the last line, if one is due now */
  count(): number | undefined {
    const now = performance.now();
    this.times += 1;
    if (now < this.dueAt) return undefined;
    const { times } = this;
    this.times = 0;
    this.dueAt = now + EVERY_MS;
    return times;
  }
}
