import type { BottleStory, ScenarioFacts } from '../facts/scenario-facts.js';

/** What is known of a received message apart from its content. Epoch milliseconds. */
export interface About {
  facts: ScenarioFacts;
  /** Absent for alerts of the service. */
  story?: BottleStory | undefined;
  kind: string;
  event: string;
  /** What the alert is about within its bottle. */
  subject: string;
  /** When the message was received. */
  at: number;
  /** When it was queued; a mail does not say. */
  queuedAt: number;
  raisedAt: number;
  endedAt?: number | undefined;
  /** The key of a bottle by its id; a mail names no ids. */
  keyOf?: (bottleId: string) => string | undefined;
}

/** Whose alert it is: a missed dose is the person's who had the bottle when it was due (LIFE-5). */
export function personOf({ facts, story, kind, subject, raisedAt }: About): string | undefined {
  const dose = kind === 'missed_dose' ? Date.parse(subject) : NaN;
  return facts.userOf(story, dose < raisedAt ? dose : raisedAt);
}

/** A check every minute may be so late to see what was reported. */
export const CHECK_MS = 60_000;

/** Whether the alert has ended; `closed_by_staff` may precede an end. */
export function isOpenEvent(event: string): boolean {
  return event === 'raised' || event === 'escalated';
}
