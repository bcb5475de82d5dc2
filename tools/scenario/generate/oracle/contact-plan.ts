/** A recipient: its channels and quiet hours. */
export interface Recipient {
  /** Distinguishes the user, the carer and the operator. */
  who: 'operator' | 'user' | 'carer';
  /** Of a carer: another name is another person. */
  name?: string;
  /** Those that reach them, the webhook first; none if the only address is not verified. */
  channels: ('webhook' | 'email')[];
  /** Their address of mail, verified if `email` is one of the channels. */
  email?: string;
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

/** How the messages about a user's bottles go out, and how staff change that, in order. */
export interface ContactHistory {
  first: ContactPlan;
  changes: { at: number; to: ContactPlan }[];
}

/** Without a contact the operator is notified at once. */
export const OPERATOR: ContactPlan = {
  user: { who: 'operator', channels: ['webhook'], zone: 'UTC' },
  steps: [{ after: 0, to: 'user' }],
};

/** What holds at a moment. */
export function contactAt({ first, changes }: ContactHistory, at: number): ContactPlan {
  return changes.findLast((change) => change.at <= at)?.to ?? first;
}

/** Since when the carer of a moment is who they are: one who was removed and is entered again is another person. */
export function carerSince({ first, changes }: ContactHistory, at: number): number {
  const plans = [{ at: Number.NEGATIVE_INFINITY, to: first }, ...changes].filter((plan) => plan.at <= at);
  const { name } = plans.at(-1)!.to.carer ?? {};
  const other = plans.findLastIndex(({ to }) => !to.carer || to.carer.name !== name);
  return plans[other + 1]?.at ?? Infinity;
}
