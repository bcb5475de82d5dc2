import type { Dose } from './breakfast.js';

/** One person's morning, and what is left of it in the database and at the receiver. */
export interface OnePerson {
  dose: Dose;
  /** When the bottle was closed again, in minutes from eight. */
  closed?: number | undefined;
  /** Actions that were acknowledged, and names of the actions that are in the log. */
  acknowledged: number;
  logged: string[];
  outcomes: string[];
  alerts: { kind: string; state: string }[];
  /** Messages that arrived, without those whose id had arrived before. */
  messages: string[];
  /** The start was cancelled after a notifier had been killed while it sent it: it may have arrived. */
  isStartDoubtful?: boolean;
}

/** What is wrong with it: something lost, something twice, a dose judged wrongly. Nothing, if all is well. */
export function mistakesOf(person: OnePerson): string[] {
  const { dose, acknowledged, logged, outcomes, alerts } = person;
  const wrong: string[] = [];
  const same = (what: string, found: readonly string[], expected: readonly string[]): void => {
    if (found.toSorted().join() !== expected.toSorted().join())
      wrong.push(`${what}: ${found.join(', ') || 'none'} instead of ${expected.join(', ') || 'none'}`);
  };
  same('actions in the log', logged, ['e1', 'e2'].slice(0, acknowledged));
  same('outcomes', outcomes, outcomeOf(person));
  if (alerts.length > (dose.fate === 'in time' ? 0 : 1) || alerts.some(({ kind }) => kind !== 'missed_dose'))
    wrong.push(`alerts: ${alerts.map(({ kind }) => kind).join(', ')}`);
  if (dose.fate === 'never') same('alerts', states(alerts), ['open']);
  if (dose.fate === 'late') same('alerts', states(alerts), alerts.length === 0 ? [] : ['resolved']);
  return [...wrong, ...wrongMessages(person)];
}

function outcomeOf({ dose: { fate, due }, closed = 0 }: OnePerson): string[] {
  if (fate === 'never') return [];
  if (fate === 'late') return ['taken_late'];
  return [closed < due ? 'taken_early' : 'taken_on_time'];
}

/** Who takes the dose before it is known that it is late causes no alert; one that is over is not sent any more. */
function wrongMessages({ dose, alerts, messages, isStartDoubtful }: OnePerson): string[] {
  const [raised, ended] = ['missed_dose raised', 'missed_dose resolved'];
  const right: string[][] = [
    ...(dose.fate === 'never' ? [[raised]] : [[]]),
    ...(dose.fate === 'late' && alerts.length > 0 ? [[raised, ended]] : []),
    ...(dose.fate === 'late' && isStartDoubtful ? [[ended]] : []),
  ];
  const found = messages.toSorted().join();
  if (right.some((expected) => expected.join() === found)) return [];
  return [`messages: ${messages.join(', ') || 'none'} (${dose.fate})`];
}

const states = (alerts: OnePerson['alerts']): string[] => alerts.map(({ state }) => state);
