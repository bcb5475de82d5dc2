import { closeSync, openSync, readSync } from 'node:fs';

const FOLLOW_MS = 10;
const CHUNK = 65_536;

/** What was said of a bottle, as `BOTTLE KIND EVENT`. */
export type Said = string;

/** What durable-receiver.mjs writes, line by line. */
type Line =
  | { event: 'started' }
  | { event: 'answered'; id: string }
  | { event: 'heard' | 'repeated'; id: string; said: Said };

/** What the receiver has heard, read from what it has on disk while it writes it. */
export class Journal {
  /** By what was said, the ids under which it was. */
  readonly heard = new Map<Said, Set<string>>();
  /** How often a message came again under its id. */
  repeated = 0;
  /** How many messages have come, repeats included. */
  came = 0;
  private readonly inHand = new Set<string>();
  private readonly waiting = new Map<Said, (() => void)[]>();
  private readonly file: number;
  private readonly timer: NodeJS.Timeout;
  private rest = '';

  constructor(readonly path: string) {
    this.file = openSync(path, 'a+');
    this.timer = setInterval(() => this.follow(), FOLLOW_MS);
  }

  /** How many messages the receiver has taken and not answered yet. */
  get unanswered(): number {
    return this.inHand.size;
  }

  /** Resolves when this has been heard. */
  async told(said: Said): Promise<void> {
    if (this.heard.has(said)) return;
    await new Promise<void>((resolve) => {
      const others = this.waiting.get(said) ?? [];
      this.waiting.set(said, [...others, resolve]);
    });
  }

  close(): void {
    clearInterval(this.timer);
    this.follow();
    closeSync(this.file);
  }

  private follow(): void {
    const chunk = Buffer.alloc(CHUNK);
    for (let size = 1; size > 0;) {
      size = readSync(this.file, chunk);
      this.rest += chunk.toString('latin1', 0, size);
    }
    const lines = this.rest.split('\n');
    this.rest = lines.pop()!;
    for (const line of lines) {
      const read = parse(line);
      if (read) this.take(read);
    }
  }

  private take(line: Line): void {
    // what the receiver had in hand when it was killed it will not answer
    if (line.event === 'started') return this.inHand.clear();
    if (line.event === 'answered') return void this.inHand.delete(line.id);
    const { said } = line;
    this.came += 1;
    this.inHand.add(line.id);
    if (line.event === 'repeated') this.repeated += 1;
    this.heard.set(said, (this.heard.get(said) ?? new Set()).add(line.id));
    for (const resolve of this.waiting.get(said) ?? []) resolve();
    this.waiting.delete(said);
  }
}

/** Undefined for a line in the middle of which the receiver was killed. */
function parse(line: string): Line | undefined {
  try {
    return JSON.parse(line) as Line;
  } catch {
    return undefined;
  }
}
