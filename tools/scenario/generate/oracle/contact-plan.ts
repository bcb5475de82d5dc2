/** Over which people get messages: whoever is reached over another than before is so over the first of theirs. */
export const CHANNELS = ['webhook', 'email', 'sms'] as const;
export type PersonalChannel = (typeof CHANNELS)[number];

/** A recipient: its channels and quiet hours. */
export interface Recipient {
  /** `operator`, `user`, or the id of a carer. */
  who: string;
  /** Of a carer: another name is another person. */
  name?: string;
  /** Those that reach them, in the order of {@link CHANNELS}; none if the only address is not verified. */
  channels: PersonalChannel[];
  /** Their address of mail, verified if `email` is one of the channels. */
  email?: string;
  /** Their number. */
  sms?: string;
  zone: string;
  /** `HH:MM` each; over midnight if `from` is later. */
  quiet?: { from: string; to: string };
  /** Of a carer. */
  groups?: string[];
}

/** One escalation step. Spans in milliseconds. */
export interface EscalationStep {
  after: number;
  /** `user`, the id of a carer, or `group:NAME`. */
  to: string;
  /** Of a group: each of them so long after the one before. */
  inTurn?: number;
  repeat?: number;
  kinds?: string[];
}

/** How the messages about a user's bottles go out. */
export interface ContactPlan {
  user: Recipient;
  /** In order. */
  carers: Recipient[];
  steps: EscalationStep[];
  /** How long after a dose's time the user is reminded of it, or before: negative. In order. */
  reminders?: number[];
}

/** How the messages about a user's bottles go out, and how staff change that, in order. */
export interface ContactHistory {
  first: ContactPlan;
  changes: { at: number; to: ContactPlan }[];
}

/** Without a contact the operator is notified at once. */
export const OPERATOR: ContactPlan = {
  user: { who: 'operator', channels: ['webhook'], zone: 'UTC' },
  carers: [],
  steps: [{ after: 0, to: 'user' }],
};

/** What holds at a moment. */
export function contactAt({ first, changes }: ContactHistory, at: number): ContactPlan {
  return changes.findLast((change) => change.at <= at)?.to ?? first;
}

/**
 * The steps of a plan for a kind, each to one person: one to a group is one to each carer in it (ESC-16). Those of a
 * reminder are counted from the dose's time.
 */
export function stepsFor(kind: string, { steps, carers, reminders = [] }: ContactPlan): EscalationStep[] {
  if (kind === 'help_requested') return stepsOfHelp({ steps, carers });
  if (kind === 'dose_reminder') return reminders.map((after) => ({ after, to: 'user' }));
  return steps.flatMap(({ inTurn = 0, ...step }) => {
    const group = /^group:(.*)$/.exec(step.to)?.[1];
    if (group === undefined) return [step];
    return carers
      .filter(({ groups = [] }) => groups.includes(group))
      .map(({ who }, index) => ({ ...step, to: who, after: step.after + index * inTurn }));
  });
}

/** All steps for a missed dose, at once; without one it is the user's (HELP-1). */
function stepsOfHelp({ steps, carers }: Pick<ContactPlan, 'steps' | 'carers'>): EscalationStep[] {
  const all = stepsFor('missed_dose', { user: OPERATOR.user, steps, carers });
  const meant = all.filter(({ kinds }) => !kinds || kinds.includes('missed_dose'));
  return (meant.length > 0 ? meant : OPERATOR.steps).map(({ to, repeat }) => ({
    after: 0,
    to,
    ...(repeat !== undefined && { repeat }),
  }));
}

/** Since when a carer of a moment is who they are: one who was removed and is entered again is another person. */
export function carerSince({ first, changes }: ContactHistory, at: number, id: string): number {
  const carerOf = ({ carers }: ContactPlan): Recipient | undefined => carers.find(({ who }) => who === id);
  const plans = [{ at: Number.NEGATIVE_INFINITY, to: first }, ...changes].filter((plan) => plan.at <= at);
  const { name } = carerOf(plans.at(-1)!.to) ?? {};
  const other = plans.findLastIndex(({ to }) => {
    const carer = carerOf(to);
    return !carer || carer.name !== name;
  });
  return plans[other + 1]?.at ?? Infinity;
}
