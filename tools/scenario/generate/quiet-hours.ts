import { MINUTE, type Span } from './oracle/facts.js';
import type { Recipient } from './oracle/contact-plan.js';
import { isQuiet } from './oracle/routes.js';
import type { WallClocks } from './oracle/wall-clock.js';

/** The quiet hours of people whose clocks show the same. */
export class QuietHours {
  private static readonly known = new WeakMap<WallClocks, Map<string, QuietHours>>();
  private asked: (Span & { edges: number }) | undefined;

  private constructor(private readonly isQuietAt: (at: number) => boolean) {}

  /** One object for each hours and zone: a whole fleet asks for the same spans. */
  static of({ quiet, zone }: Recipient, walls: WallClocks): QuietHours | undefined {
    if (!quiet) return undefined;
    if (!this.known.has(walls)) this.known.set(walls, new Map());
    const all = this.known.get(walls)!;
    const key = `${quiet.from} ${quiet.to} ${zone}`;
    const wall = walls.in(zone);
    if (!all.has(key)) all.set(key, new QuietHours((at) => isQuiet(quiet, wall.timeAt(at))));
    return all.get(key);
  }

  /** Whether they are in force at one of the minutes of a span. */
  isWithin({ from, to }: Span): boolean {
    for (let at = from; at < to; at += MINUTE) if (this.isQuietAt(at)) return true;
    return false;
  }

  /** How often they begin or end within a span. */
  edgesWithin({ from, to }: Span): number {
    if (this.asked?.from === from && this.asked.to === to) return this.asked.edges;
    let edges = 0;
    for (let at = from; at < to; at += MINUTE)
      if (this.isQuietAt(at) !== this.isQuietAt(at + MINUTE)) edges += 1;
    this.asked = { from, to, edges };
    return edges;
  }
}
