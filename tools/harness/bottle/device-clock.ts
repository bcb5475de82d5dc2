/** A bottle's own clock: real time, and how far it is off. */
export class DeviceClock {
  /** @param offsetMs what the device shows less what is right, milliseconds */
  constructor(readonly offsetMs = 0) {}

  /** A clock that lost its battery: it began again in 1970 at the moment of its start. */
  static resetAt(epochMs: number): DeviceClock {
    return new DeviceClock(-epochMs);
  }

  /** What the device writes for a real instant (epoch milliseconds). */
  write(epochMs: number): string {
    return new Date(epochMs + this.offsetMs).toISOString();
  }
}
