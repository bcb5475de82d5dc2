/** Lets at most so many through at once; the others wait in the order in which they came. */
export class Gate {
  private inside = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly limit: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.inside < this.limit) this.inside += 1;
    else await new Promise<void>((enter) => this.waiting.push(enter));
    try {
      return await work();
    } finally {
      // whoever waits takes this place over
      const next = this.waiting.shift();
      if (next) next();
      else this.inside -= 1;
    }
  }
}
