/** A recipient: its channels and quiet hours. */
export interface Recipient {
  /** Distinguishes the user, the carer and the operator. */
  who: 'operator' | 'user' | 'carer';
  channels: ('webhook' | 'email')[];
  zone: string;
  /** `HH:MM` each; over midnight if `from` is later. */
  quiet?: { from: string; to: string };
}

/** One escalation step. Spans in milliseconds. */
export interface EscalationStep {
  after: number;
  to: 'user' | 'carer';
  repeat?: number;
  kinds?: string[];
}

/** How the messages about a user's bottles go out. */
export interface ContactPlan {
  user: Recipient;
  carer?: Recipient;
  steps: EscalationStep[];
}

/** Without a contact the operator is notified at once. */
export const OPERATOR: ContactPlan = {
  user: { who: 'operator', channels: ['webhook'], zone: 'UTC' },
  steps: [{ after: 0, to: 'user' }],
};
