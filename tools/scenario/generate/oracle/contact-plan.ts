/** Someone who is told: over which channels, and when not. */
export interface Listener {
  /** Distinguishes the user, who looks after them, and the operator. */
  who: 'operator' | 'user' | 'carer';
  channels: ('webhook' | 'email')[];
  zone: string;
  /** `HH:MM` each; over midnight if `from` is later. */
  quiet?: { from: string; to: string };
}

/** One step of who is told when. Spans in milliseconds. */
export interface TellingStep {
  after: number;
  to: 'user' | 'carer';
  repeat?: number;
  kinds?: string[];
}

/** How the messages about a user's bottles go out. */
export interface ContactPlan {
  user: Listener;
  carer?: Listener;
  steps: TellingStep[];
}

/** Without a contact the operator is told at once. */
export const OPERATOR: ContactPlan = {
  user: { who: 'operator', channels: ['webhook'], zone: 'UTC' },
  steps: [{ after: 0, to: 'user' }],
};
