import { PersistentBottle } from '../../tools/harness/persistent-bottle.js';

const BEAT_MS = 500;

/** Bottles whose alerts are known in advance: half are left open and keep reporting, half report once. */
export class FaultFleet {
  readonly open: PersistentBottle[] = [];
  readonly silent: PersistentBottle[] = [];
  private readonly end = new AbortController();
  private readonly beating: Promise<void>[] = [];

  constructor(
    private readonly target: string,
    private readonly acknowledged: (id: string) => void,
  ) {}

  /** Resolves when every bottle has reported. */
  async add(registered: { id: string; token: string }[]): Promise<void> {
    const { target, acknowledged } = this;
    const bottles = registered.map(
      ({ id, token }) =>
        new PersistentBottle(id, token, { targets: [target], acknowledged, signal: this.end.signal }),
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

  async stop(): Promise<void> {
    this.end.abort();
    await Promise.all(this.beating);
  }
}
