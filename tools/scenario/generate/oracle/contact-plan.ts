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

/** How the messages about a user's bottles go out, before and after staff change it. */
export interface ContactHistory {
  first: ContactPlan;
  change?: { at: number; to: ContactPlan };
}

/** Without a contact the operator is notified at once. */
export const OPERATOR: ContactPlan = {
  user: { who: 'operator', channels: ['webhook'], zone: 'UTC' },
  steps: [{ after: 0, to: 'user' }],
};

/** What holds at a moment. */
export function contactAt({ first, change }: ContactHistory, at: number): ContactPlan {
  return change && change.at <= at ? change.to : first;
}
