/**
 * Lets each caller have a few things in progress at once; the others of this caller wait, first come first served. While
 * some wait, one is in progress at a time: whoever floods takes no more of the process than whoever waits for each
 * response. Whoever has nothing in progress never waits.
 */
export class Turns {
  private readonly callers = new Map<string, { inProgress: number; waiting: (() => void)[] }>();

  /**
   * @param atOnce of a caller
   * @param mostWaiting of a caller
   */
  constructor(
    private readonly atOnce: number,
    private readonly mostWaiting: number,
  ) {}

  /** Resolves when it is this one's turn; {@link leave} ends it. @returns false if too many of the caller wait */
  enter(caller: string): false | Promise<void> {
    const own = this.callers.get(caller) ?? { inProgress: 0, waiting: [] };
    this.callers.set(caller, own);
    if (own.inProgress < this.atOnce && own.waiting.length === 0) {
      own.inProgress += 1;
      return Promise.resolve();
    }
    if (own.waiting.length >= this.mostWaiting) return false;
    return new Promise((resolve) => own.waiting.push(resolve));
  }

  leave(caller: string): void {
    const own = this.callers.get(caller)!;
    own.inProgress -= 1;
    if (own.inProgress > 0) return;
    const next = own.waiting.shift();
    if (!next) return void this.callers.delete(caller);
    own.inProgress = 1;
    next();
  }
}
