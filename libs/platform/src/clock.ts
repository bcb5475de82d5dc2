/**
 * The project's only source of time. Everything else takes `now` from an injected {@link Clock}, once an
 * operation, and passes it down, so that tests and scenarios can set it.
 */
export abstract class Clock {
  /** The present instant (UTC, millisecond precision). */
  abstract now(): Date;
}

/** The machine's clock. */
export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}

/** One reading of the database's clock. */
export interface ClockReading {
  /** The database's time, somewhere between the request and its answer. */
  time: Date;
  /** The machine's monotonic timer at the request and at the answer, in milliseconds (`performance.now()`). */
  sentAt: number;
  answeredAt: number;
}

/**
 * The database's time, which all processes have in common. Between two readings it advances by the machine's monotonic
 * timer, so nothing depends on whether the machine's own clock is right, or jumps. Until the first reading it is the
 * machine's clock.
 */
export class DatabaseClock extends Clock {
  /** The database's time at the zero of the monotonic timer. Epoch milliseconds. */
  private origin: number | undefined;

  now(): Date {
    return new Date(this.origin === undefined ? Date.now() : this.origin + performance.now());
  }

  /** The machine's clock minus the database's. Milliseconds; 0 before the first reading. */
  get machineOffset(): number {
    return this.origin === undefined ? 0 : Date.now() - this.origin - performance.now();
  }

  /**
   * Takes a reading over. What the clock shows is kept as long as the reading allows it: a clock that followed every
   * reading would go back and forth by the time that the answers take.
   */
  follow({ time, sentAt, answeredAt }: ClockReading): void {
    const [latest, earliest] = [time.getTime() - sentAt, time.getTime() - answeredAt];
    const isRight = this.origin !== undefined && this.origin >= earliest && this.origin <= latest;
    if (!isRight) this.origin = (earliest + latest) / 2;
  }
}

/** A clock that stands still until it is set: for tests and scenarios. */
export class ManualClock extends Clock {
  constructor(private instant: Date) {
    super();
  }

  now(): Date {
    return new Date(this.instant);
  }

  set(instant: Date): void {
    this.instant = new Date(instant);
  }

  advance(milliseconds: number): void {
    this.instant = new Date(this.instant.getTime() + milliseconds);
  }
}
