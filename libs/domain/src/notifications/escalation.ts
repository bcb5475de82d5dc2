import { parseDuration } from '../doses/schedule.js';

/** Whom a step notifies: the user of the bottle, or their carer. */
export const ESCALATION_TARGETS = ['user', 'carer'] as const;
export type EscalationTarget = (typeof ESCALATION_TARGETS)[number];

/**
 * One step of an escalation, as JSON. Steps end when the alert is acknowledged or has ended, so
 * `until: "acknowledged"` says what is so anyway and makes the plan readable.
 */
export interface EscalationStep {
  /** Since the alert was raised: `0m`, `30m`, `2h`. Absent in a step that reminds of doses. */
  after?: string;
  /** In place of `after`: reminds the user of a dose that is not taken, so long after its time, or before (`-10m`). */
  remind?: string;
  to: EscalationTarget;
  until?: 'acknowledged';
  /** Notified again at this interval until someone acknowledges: {@link SHORTEST_REPEAT_MS} or longer, else only once. */
  repeat?: string;
  /** The kinds of alert that the step is for; all when absent. */
  kinds?: string[];
}

/** The shortest interval between two reminders of the same alert. Milliseconds. */
export const SHORTEST_REPEAT_MS = 60_000;

/** Tell the user at once: what holds for whoever has set nothing else. */
export const DEFAULT_ESCALATION: readonly EscalationStep[] = [{ after: '0m', to: 'user' }];

/** A message that an alert owes: which step, which time round, and when. */
export interface DueStep {
  index: number;
  /** 0 the first time, then 1, 2, … for a step that repeats. */
  round: number;
  to: EscalationTarget;
  at: Date;
}

/** The steps of a policy by which alerts escalate. */
export function alertingSteps(steps: readonly EscalationStep[]): EscalationStep[] {
  return steps.filter(({ remind }) => remind === undefined);
}

/** The steps of a policy that remind of doses, in the order of their time. */
export function remindingSteps(steps: readonly EscalationStep[]): EscalationStep[] {
  return steps.filter(({ remind }) => remind !== undefined).sort(byDelay);
}

/** The steps that concern a kind of alert, in the order of their time. */
export function stepsFor(steps: readonly EscalationStep[], kind: string): EscalationStep[] {
  return alertingSteps(steps)
    .filter(({ kinds }) => kinds === undefined || kinds.includes(kind))
    .sort(byDelay);
}

/** The same steps, each of them once. */
export function withoutRepeats(steps: readonly EscalationStep[]): EscalationStep[] {
  return steps.map(({ repeat: _repeat, until: _until, ...step }) => step);
}

/**
 * Every message owed in (after, until], oldest first. `after` undefined includes the moment of raising.
 *
 * @param raisedAt from when on the steps count: of reminders, the time of the dose
 */
export function dueSteps(
  steps: readonly EscalationStep[],
  raisedAt: Date,
  after: Date | undefined,
  until: Date,
): DueStep[] {
  const from = after?.getTime() ?? Number.NEGATIVE_INFINITY;
  return steps
    .flatMap((step, index) => occurrences(step, index, raisedAt, { from, until: until.getTime() }))
    .sort((one, other) => one.at.getTime() - other.at.getTime() || one.index - other.index);
}

/** When the next message after `now` is owed, if ever. */
export function nextStepAt(steps: readonly EscalationStep[], raisedAt: Date, now: Date): Date | undefined {
  const moments = steps.flatMap((step) => {
    const first = raisedAt.getTime() + delay(step);
    if (first > now.getTime()) return first;
    const every = interval(step);
    return every === undefined ? [] : first + (Math.floor((now.getTime() - first) / every) + 1) * every;
  });
  return moments.length === 0 ? undefined : new Date(Math.min(...moments));
}

/** The times that a step comes round in (from, until], given in epoch milliseconds. */
function occurrences(
  step: EscalationStep,
  index: number,
  raisedAt: Date,
  { from, until }: { from: number; until: number },
): DueStep[] {
  const first = raisedAt.getTime() + delay(step);
  const every = interval(step);
  const due = (round: number): DueStep => ({
    index,
    round,
    to: step.to,
    at: new Date(first + round * (every ?? 0)),
  });
  if (every === undefined) return first > from && first <= until ? [due(0)] : [];
  // an alert may have been open for weeks: skip the reminders of long ago
  const begin = from < first ? 0 : Math.floor((from - first) / every) + 1;
  const end = Math.floor((until - first) / every);
  return Array.from({ length: Math.max(0, end - begin + 1) }, (_, offset) => due(begin + offset));
}

/** The interval between two reminders; undefined for a step that does not repeat. */
function interval({ repeat }: EscalationStep): number | undefined {
  const every = parseDuration(repeat);
  return every !== undefined && every >= SHORTEST_REPEAT_MS ? every : undefined;
}

/** From the moment from which a step counts; negative if it comes before. Milliseconds. */
export function delay({ after, remind }: EscalationStep): number {
  if (remind === undefined) return parseDuration(after) ?? 0;
  const ms = parseDuration(remind.replace('-', '')) ?? 0;
  return remind.startsWith('-') ? -ms : ms;
}

const byDelay = (one: EscalationStep, other: EscalationStep): number => delay(one) - delay(other);
