import type { EscalationStep } from './contact-plan.js';
import { DAY, type ExpectedAlert, MINUTE } from './facts.js';

/** A staff action on an alert. */
export interface StaffAction {
  action: 'acknowledge' | 'close' | 'snooze';
  at: number;
  /** Of `snooze`. */
  until?: number;
  /** Of `close`: whether whoever was notified of the alert is notified of the closing. */
  notify?: boolean;
}

/** A start or reminder that is due. */
export interface Due {
  due: number;
  /** Which step, in the order of the plan. */
  step: number;
  to: string;
  event: 'raised' | 'escalated';
  /** Whether the step is a repeat. */
  again: boolean;
  /** It is of no step: a silence lasts, and hides more doses. */
  isDaily?: true;
}

/** The messages a quarter of an hour after every full day in which a silence came to hide doses, to everyone whom a step has reached; not in a snooze. */
export function dailyMessages(
  { kind, raisedAt, hidden = [] }: ExpectedAlert,
  steps: readonly EscalationStep[],
  until: number,
  actions: readonly StaffAction[],
): Due[] {
  const dues: Due[] = [];
  let before = raisedAt;
  for (let due = raisedAt + DAY + 15 * MINUTE; due <= until; due += DAY) {
    const from = before;
    before = due;
    const isSnoozed = actions.some(
      ({ action, at, until: end = at }) => action === 'snooze' && at <= due && due <= end,
    );
    // a dose that ended while no notifier ran is found later
    const found = hidden
      .filter(({ unconfirmedSince }) => from < unconfirmedSince && unconfirmedSince <= due)
      .map(({ since }) => since);
    const owedAt = Math.max(due, ...found);
    if (isSnoozed || found.length === 0 || owedAt > until) continue;
    const reached = steps
      .filter(({ kinds, after }) => (!kinds || kinds.includes(planOf(kind))) && raisedAt + after <= due)
      .map(({ to }) => to);
    [...new Set(reached)].forEach((to, index) =>
      dues.push({ due: owedAt, step: -1 - index, to, event: 'escalated', again: true, isDaily: true }),
    );
  }
  return dues;
}

/** Every start and escalation that is due until `until`, in order. */
export function dueMessages(
  { kind, raisedAt, facts }: ExpectedAlert,
  steps: readonly EscalationStep[],
  until: number,
): Due[] {
  const meant = steps.filter(({ kinds }) => !kinds || kinds.includes(planOf(kind)));
  const from = kind === 'dose_reminder' ? facts!.dose! : raisedAt;
  const dueAt = ({ after }: EscalationStep): number => Math.max(from + after, raisedAt);
  const first = Math.min(...meant.map(dueAt));
  const dues: Due[] = [];
  meant.forEach((one, step) => {
    const { repeat = Infinity, to } = one;
    for (let due = dueAt(one); due <= until; due += repeat) {
      const again = due > dueAt(one);
      const isFirst = due === first && !again;
      dues.push({ due, step, to, event: isFirst ? 'raised' : 'escalated', again });
    }
  });
  return dues.sort((one, other) => one.due - other.due);
}

/** In a snooze nothing is due. At its end is what was due meanwhile, and without that the last step once more. */
export function afterSnooze(dues: Due[], actions: readonly StaffAction[]): Due[] {
  const snooze = actions.find(({ action }) => action === 'snooze');
  if (!snooze) return dues;
  const { at, until = at } = snooze;
  const before = dues.filter(({ due }) => due < at);
  const within = dues.filter(({ due }) => due >= at && due < until);
  const atEnd = within.length > 0 ? within : before.slice(-1);
  return [
    ...before,
    ...atEnd.map((each): Due => ({ ...each, due: until, event: 'escalated', again: true })),
    ...dues.filter(({ due }) => due >= until),
  ];
}

/** The kind whose plan is followed: doses in a gap of ours go to whom a missed one goes. */
export function planOf(kind: string): string {
  return kind === 'coverage_gap' ? 'missed_dose' : kind;
}
