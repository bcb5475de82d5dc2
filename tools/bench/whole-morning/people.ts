import { type Dose, MINUTE } from './breakfast.js';
import { actionsAt, clock, Sender, whenDue } from '../load/doses.js';
import { bottleOf } from '../load/fleet.js';

/** What people did, and what they were answered. */
export interface Eaten {
  /** Of each action when it was to be sent, and when it was acknowledged; ascending. Unix time in milliseconds. */
  offered: number[];
  acknowledged: number[];
  /** How many actions of the n-th bottle were acknowledged: its opening, then its closing. */
  actions: number[];
  /** Answers by status, or by what came instead of one. */
  statuses: Record<string, number>;
}

/** The dose of the n-th bottle is taken from it at its time. Ends when all is acknowledged. @param eight milliseconds */
export async function haveBreakfast(url: string, doses: readonly Dose[], eight: number): Promise<Eaten> {
  const eaten: Eaten = { offered: [], acknowledged: [], actions: doses.map(() => 0), statuses: {} };
  const sender = new Sender(url, eaten.statuses);
  const person = async ({ opened }: Dose, n: number): Promise<void> => {
    if (opened === undefined) return;
    for (const action of actionsAt(Math.round(eight + opened * MINUTE))) {
      const due = await whenDue(action);
      eaten.offered.push(due);
      await sender.post('/v1/actions', bottleOf(n).token, due, () => ({ ...action, sent_at: clock() }));
      eaten.acknowledged.push(Date.now());
      eaten.actions[n]! += 1;
    }
  };
  try {
    await Promise.all(doses.map(person));
  } finally {
    await sender.close();
  }
  return eaten;
}
