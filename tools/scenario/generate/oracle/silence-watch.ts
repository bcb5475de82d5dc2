import type { AlertStory, HouseFacts } from './facts.js';
import { type Knowledge, SILENCE } from './knowledge.js';
import { listenedFor } from './listening.js';

/** Notes when a bottle has been silent for too long while we listened, and when it speaks again. */
export class SilenceWatch {
  readonly stories: AlertStory[] = [];
  private open: { story: AlertStory; since: number } | undefined;

  constructor(
    private readonly bottle: string,
    private readonly house: HouseFacts,
    private readonly knowledge: Knowledge,
  ) {}

  get isSilent(): boolean {
    return this.open !== undefined && this.knowledge.lastContact === this.open.since;
  }

  tick(now: number): void {
    const last = this.knowledge.lastContact;
    // no silence before the first contact
    if (last === undefined) return;
    if (this.open && last > this.open.since) {
      this.open.story.ends.push({ at: now, says: 'resolved' });
      this.open = undefined;
    }
    if (!this.open && now - last >= SILENCE && listenedFor(this.house.listening, last, now) >= SILENCE) {
      const story: AlertStory = {
        bottle: this.bottle,
        kind: 'bottle_silent',
        raisedAt: now,
        raisedBy: now,
        ends: [],
      };
      this.open = { story, since: last };
      this.stories.push(story);
    }
  }
}
