const HOUR_MS = 3_600_000;

/** How the fleet's own time runs: so many of its seconds in a real one. All results are real milliseconds. */
export class Pace {
  constructor(readonly speed: number) {}

  hours(virtual: number): number {
    return (virtual * HOUR_MS) / this.speed;
  }

  minutes(virtual: number): number {
    return this.hours(virtual / 60);
  }

  seconds(virtual: number): number {
    return this.hours(virtual / 3600);
  }
}
