import type { Scenario } from '../file/format.js';
import { inOrder } from './service.js';

/** When a bottle is for the plan of another one. Epoch milliseconds, `to` excluded. */
export interface Sharing {
  of: string;
  from: number;
  to: number;
}

/** The times in which a bottle is for the plans of others, as staff enter it. */
export function sharingOf(key: string, { bottles, start, events }: Scenario): Sharing[] {
  const found: Sharing[] = [];
  const end = (at: number): void => {
    const last = found.at(-1);
    if (last?.to === Infinity) last.to = at;
  };
  const first = bottles.find((bottle) => bottle.key === key)?.plan_of;
  if (first !== undefined) found.push({ of: first, from: start.getTime(), to: Infinity });
  for (const event of inOrder(events)) {
    if (event.type !== 'staff' || event.action.bottle !== key) continue;
    const [at, { action }] = [event.at.getTime(), event];
    if (action.action === 'retire' || action.action === 'store') end(at);
    if (action.action !== 'change' || action.plan_of === undefined) continue;
    end(at);
    if (action.plan_of !== null) found.push({ of: action.plan_of, from: at, to: Infinity });
  }
  return found;
}

/** Whose plan a bottle is for at a moment; its own key if it is for no other bottle's. */
export function planAt(key: string, sharing: readonly Sharing[], at: number): string {
  return sharing.find(({ from, to }) => from <= at && at < to)?.of ?? key;
}
