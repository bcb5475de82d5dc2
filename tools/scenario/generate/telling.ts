import type { ContactPlan } from './oracle/contact-plan.js';
import { type AlertStory, type HouseFacts, MINUTE, type Stretch } from './oracle/facts.js';
import { isQuiet, type StaffAct, tell, type Told } from './oracle/tell.js';
import type { WallClocks } from './oracle/wall-clock.js';

/** An alert's story, and who hears of it. */
export class Telling {
  acts: StaffAct[] = [];

  constructor(
    readonly story: AlertStory,
    private readonly contact: ContactPlan,
    private readonly house: HouseFacts,
    private readonly walls: WallClocks,
  ) {}

  get messages(): Told[] {
    return tell(this.story, this.contact, this.acts, this.house, this.walls);
  }

  /** Whether the alert stands at a moment, with room on both sides. */
  standsAround(at: number, room: number): boolean {
    const { raisedBy, ends } = this.story;
    return raisedBy + room < at && at < (ends[0]?.at ?? Infinity) - room;
  }

  /** How often anything about the alert changes within a stretch: what is owed, to whom, or whether it may be said. */
  changesWithin({ from, to }: Stretch): number {
    const { raisedAt, raisedBy, ends } = this.story;
    const last = Math.max(...ends.map(({ at }) => at), ...this.messages.map(({ at }) => at), raisedAt);
    if (raisedAt > to || (ends.length > 0 && last < from)) return 0;
    const steps = this.contact.steps.flatMap(({ after, repeat }) => {
      const first = raisedAt + after;
      return repeat === undefined
        ? [first]
        : [first, first + Math.max(0, Math.ceil((from - first) / repeat)) * repeat];
    });
    const moments = [
      raisedAt,
      raisedBy,
      ...ends.map(({ at }) => at),
      ...steps,
      ...this.acts.map(({ at }) => at),
    ];
    const changes = new Set(moments.filter((at) => from <= at && at <= to));
    return changes.size + this.quietEdges(from, to);
  }

  private quietEdges(from: number, to: number): number {
    let edges = 0;
    for (const listener of [this.contact.user, this.contact.carer]) {
      if (!listener?.quiet) continue;
      const wall = this.walls.in(listener.zone);
      const isQuietAt = (at: number): boolean => isQuiet(listener.quiet!, wall.timeAt(at));
      for (let at = from; at < to; at += MINUTE) if (isQuietAt(at) !== isQuietAt(at + MINUTE)) edges += 1;
    }
    return edges;
  }
}
