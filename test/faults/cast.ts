import { PersistentBottle } from '../../tools/harness/persistent-bottle.js';

const BEAT_MS = 500;

/** Bottles of which we know what becomes of them: half are left open and go on speaking, half speak once. */
export class Cast {
  readonly open: PersistentBottle[] = [];
  readonly silent: PersistentBottle[] = [];
  private readonly end = new AbortController();
  private readonly beating: Promise<void>[] = [];

  constructor(
    private readonly target: string,
    private readonly acknowledged: (id: string) => void,
  ) {}

  /** All have been heard when this returns. */
  async enter(registered: { id: string; token: string }[]): Promise<void> {
    const { target, acknowledged } = this;
    const bottles = registered.map(
      ({ id, token }) => new PersistentBottle(id, token, { target, acknowledged, signal: this.end.signal }),
    );
    const [open, silent] = [bottles.slice(0, bottles.length / 2), bottles.slice(bottles.length / 2)];
    await Promise.all([
      ...open.map((bottle) => bottle.open()),
      ...silent.map((bottle) => bottle.heartbeat()),
    ]);
    this.open.push(...open);
    this.silent.push(...silent);
    this.beating.push(...open.map((bottle) => bottle.keepReporting(BEAT_MS)));
  }

  async leave(): Promise<void> {
    this.end.abort();
    await Promise.all(this.beating);
  }
}
