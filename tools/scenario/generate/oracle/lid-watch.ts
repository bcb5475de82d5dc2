import { type AlertStory, type HouseFacts, type KnownAction, MINUTE } from './facts.js';
import { GRACE, type Knowledge, SILENCE } from './knowledge.js';
import { BEAT, listenedFor } from './listening.js';

/** A lid may be open for so long (`OPEN_BOTTLE_AFTER`). */
const OPEN_AFTER = 5 * MINUTE;
/** After a silence the alert may wait for the silence's own end to be noted. */
const AFTER_SILENCE = 8 * MINUTE;

/** Notes when a bottle stands open for too long, as far as a connected bottle can tell. */
export class LidWatch {
  readonly stories: AlertStory[] = [];
  readonly unclear: string[] = [];
  private alerted: { story: AlertStory; opening: KnownAction } | undefined;

  constructor(
    private readonly bottle: string,
    private readonly house: HouseFacts,
    private readonly knowledge: Knowledge,
  ) {}

  get isOpen(): boolean {
    return this.knowledge.newest?.action === 'opened';
  }

  tick(now: number): void {
    const newest = this.knowledge.newest;
    if (this.alerted && newest !== this.alerted.opening) {
      const { story, opening } = this.alerted;
      if (now <= story.raisedBy) this.unclear.push(`closed at ${new Date(now).toISOString()}, just as told`);
      const wasNeverLate = newest!.action === 'closed' && newest!.time <= opening.time + OPEN_AFTER;
      story.ends.push({ at: now, says: wasNeverLate ? 'retracted' : 'resolved' });
      this.alerted = undefined;
    }
    if (newest?.action !== 'opened' || this.alerted || !this.isOverdue(newest, now)) return;
    const raisedBy = now + (this.spokeAgainAfter(newest) ? AFTER_SILENCE : 0);
    const story: AlertStory = {
      bottle: this.bottle,
      kind: 'bottle_open',
      raisedAt: now,
      raisedBy,
      ends: [],
    };
    this.alerted = { story, opening: newest };
    this.stories.push(story);
  }

  private isOverdue({ time, known }: KnownAction, now: number): boolean {
    const last = this.knowledge.lastContact!;
    const due = known < time + OPEN_AFTER ? time + OPEN_AFTER : known + GRACE;
    const couldHearOfClosing = listenedFor(this.house.listening, now - GRACE, now) >= GRACE - BEAT;
    const isConnected = listenedFor(this.house.listening, last, now) < SILENCE;
    return now >= due && couldHearOfClosing && isConnected && this.knowledge.hasWordSince(last - 1);
  }

  /** Whether a silence has ended since. */
  private spokeAgainAfter({ known }: KnownAction): boolean {
    return this.knowledge.endsOfSilences.some((end) => end > known);
  }
}
