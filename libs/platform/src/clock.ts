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
