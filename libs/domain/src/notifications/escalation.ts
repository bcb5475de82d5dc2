import { parseDuration } from '../doses/schedule.js';
import { MINUTE_MS } from '../time/durations.js';
import { type Person, USER } from './persons.js';

/** How a step names a group of carers: `group:family`. */
const GROUP = 'group:';

/** A carer as plans name them. */
export interface GroupMember {
  id: Person;
  /** The groups that the carer belongs to. */
  groups?: readonly string[];
}

/**
 * One step of an escalation, as JSON. Steps end when the alert is acknowledged or has ended, so
 * `until: "acknowledged"` says what is so anyway and makes the plan readable.
 */
export interface EscalationStep {
  /** Since the alert was raised: `0m`, `30m`, `2h`. Absent in a step that reminds of doses. */
  after?: string;
  /** In place of `after`: reminds the user of a dose that is not taken, so long after its time, or before (`-10m`). */
  remind?: string;
  /** A {@link Person}, or `group:NAME`: the carers of that group. */
  to: string;
  /** Of a group: its members are notified one after another, each so long after the one before; else all at once. */
  in_turn?: string;
  until?: 'acknowledged';
  /** Notified again at this interval until someone acknowledges: {@link SHORTEST_REPEAT_MS} or longer, else only once. */
  repeat?: string;
  /** The kinds of alert that the step is for; all when absent. */
  kinds?: string[];
}

/** A step to one person: alerts have no others. */
export type PersonStep = Omit<EscalationStep, 'in_turn'> & { to: Person };

/** The shortest interval between two reminders of the same alert. Milliseconds. */
export const SHORTEST_REPEAT_MS = 60_000;

/** Tell the user at once: what holds for whoever has set nothing else. */
export const DEFAULT_ESCALATION: readonly PersonStep[] = [{ after: '0m', to: USER }];

/** A message that an alert owes: which step, which time round, and when. */
export interface DueStep {
  index: number;
  /** 0 the first time, then 1, 2, … for a step that repeats. */
  round: number;
  to: Person;
  at: Date;
}

/**
 * The same plan in steps to persons: one to a group is a step to each member, in the order of the carers.
 *
 * @param carers of the contact. Without a member, what is for a group is for the user.
 */
export function stepsToPersons(
  steps: readonly EscalationStep[],
  carers: readonly GroupMember[],
): PersonStep[] {
  return steps.flatMap(({ in_turn, ...step }) => {
    if (!step.to.startsWith(GROUP)) return step;
    const members = membersOf(step.to, carers);
    const wait = parseDuration(in_turn) ?? 0;
    return (members.length > 0 ? members : [USER]).map((to, turn) => {
      if (turn * wait === 0) return { ...step, to };
      return { ...step, to, after: durationOf(delay(step) + turn * wait) };
    });
  });
}

/** `15m`, or `90s`. Milliseconds, whole seconds. */
function durationOf(ms: number): string {
  return ms % MINUTE_MS === 0 ? `${ms / MINUTE_MS}m` : `${ms / 1_000}s`;
}

/** The carers whom a step names as a group. */
function membersOf(to: string, carers: readonly GroupMember[]): Person[] {
  const group = to.slice(GROUP.length);
  return carers.filter(({ groups }) => groups?.includes(group)).map(({ id }) => id);
}

/** Whom a plan can name, besides the user: the carers, and their groups. */
export function targetsOf(carers: readonly GroupMember[]): string[] {
  const groups = carers.flatMap((carer) => carer.groups ?? []);
  return [...carers.map(({ id }) => id), ...new Set(groups.map((group) => GROUP + group))];
}

/** The steps of a policy by which alerts escalate. */
export function alertingSteps(steps: readonly PersonStep[]): PersonStep[] {
  return steps.filter(({ remind }) => remind === undefined);
}

/** The steps of a policy that remind of doses, in the order of their time. */
export function remindingSteps(steps: readonly PersonStep[]): PersonStep[] {
  return steps.filter(({ remind }) => remind !== undefined).sort(byDelay);
}

/** The steps that concern a kind of alert, in the order of their time. */
export function stepsFor(steps: readonly PersonStep[], kind: string): PersonStep[] {
  return alertingSteps(steps)
    .filter(({ kinds }) => kinds === undefined || kinds.includes(kind))
    .sort(byDelay);
}

/** The same steps, each of them once. */
export function withoutRepeats(steps: readonly PersonStep[]): PersonStep[] {
  return steps.map(({ repeat: _repeat, until: _until, ...step }) => step);
}

/**
 * Every message owed in (after, until], oldest first. `after` undefined includes the moment of raising.
 *
 * @param raisedAt from when on the steps count: of reminders, the time of the dose
 */
export function dueSteps(
  steps: readonly PersonStep[],
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
export function nextStepAt(steps: readonly PersonStep[], raisedAt: Date, now: Date): Date | undefined {
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
  step: PersonStep,
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
