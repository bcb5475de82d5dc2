import type { Clock } from '#platform';

interface Planned {
  at: number;
  order: number;
  action: () => void;
}

export type SetTimer = (action: () => void, ms: number) => NodeJS.Timeout | undefined;

/** The longest that setTimeout can wait. Milliseconds. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** What is to happen and when, for a whole fleet with one timer: a heap, the earliest on top. */
export class Timeline {
  private readonly heap: Planned[] = [];
  private planned = 0;
  private timer: NodeJS.Timeout | undefined;
  private wakesAt = Infinity;
  private stopped = false;

  /** @param setTimer for those who let time pass themselves */
  constructor(
    private readonly clock: Clock,
    private readonly setTimer: SetTimer = setTimeout,
  ) {}

  /** When something is planned next, epoch milliseconds; Infinity if nothing is. */
  get nextAt(): number {
    return this.heap[0]?.at ?? Infinity;
  }

  /** Real time, epoch milliseconds. */
  now(): number {
    return this.clock.now().getTime();
  }

  /** Does something at an instant (epoch milliseconds), or as soon as possible when that is past. */
  at(at: number, action: () => void): void {
    if (this.stopped) return;
    this.push({ at, order: this.planned++, action });
    this.arm();
  }

  /** Does something `ms` from now. */
  after(ms: number, action: () => void): void {
    this.at(this.now() + ms, action);
  }

  /** Drops what is planned and takes no more. */
  stop(): void {
    this.stopped = true;
    this.heap.length = 0;
    clearTimeout(this.timer);
  }

  /** Does everything that is due, in the order of its time. */
  runDue(): void {
    const now = this.now();
    while (!this.stopped && this.heap.length > 0 && this.heap[0]!.at <= now) this.pop().action();
    this.arm();
  }

  private arm(): void {
    const next = this.nextAt;
    if (next >= this.wakesAt || this.stopped) return;
    clearTimeout(this.timer);
    this.wakesAt = next;
    this.timer = this.setTimer(
      () => {
        this.wakesAt = Infinity;
        this.runDue();
      },
      Math.min(Math.max(0, next - this.now()), LONGEST_WAIT_MS),
    );
  }

  private push(entry: Planned): void {
    const { heap } = this;
    let index = heap.push(entry) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (before(heap[parent]!, entry)) break;
      heap[index] = heap[parent]!;
      index = parent;
    }
    heap[index] = entry;
  }

  private pop(): Planned {
    const { heap } = this;
    const top = heap[0]!;
    const last = heap.pop()!;
    if (heap.length === 0) return top;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      if (left >= heap.length) break;
      const right = left + 1;
      const child = right < heap.length && before(heap[right]!, heap[left]!) ? right : left;
      if (before(last, heap[child]!)) break;
      heap[index] = heap[child]!;
      index = child;
    }
    heap[index] = last;
    return top;
  }
}

function before(one: Planned, other: Planned): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
