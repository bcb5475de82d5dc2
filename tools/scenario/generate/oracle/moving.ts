import { type DueDose, dueDoses, type Walls } from './due-doses.js';
import { DAY, MINUTE, type Prescription, type Span } from './facts.js';

/** Where doses are looked for around a move. */
const AROUND = 40 * DAY;

/**
 * What is prescribed for who moves to another zone (DOSE-46), found minute by minute: the new zone applies from the first one
 * on at which the next dose comes no sooner than half, and no later than one and a half, of what it has between it and
 * the dose before.
 *
 * @param before what is prescribed, in order; the last that has begun is what moves
 * @param known the time that the walls know
 * @returns the same in the new zone, from then on
 */
export function prescribedAfterMove(
  before: readonly Prescription[],
  zone: string,
  movedAt: number,
  walls: Walls,
  known: Span,
): Prescription {
  const span = { from: Math.max(known.from, movedAt - AROUND), to: Math.min(known.to, movedAt + AROUND) };
  const current = before.findLast(({ from }) => from <= movedAt)!;
  const { doses: _doses, until: _until, ...endless } = current.plan;
  const old = dueDoses([{ from: current.from, plan: endless }], [], span, walls);
  const made = dueDoses([{ from: span.from, plan: { ...endless, zone } }], [], span, walls);
  const next = before.find(({ from }) => from > movedAt)?.from ?? Infinity;
  let late: number | undefined;
  for (let minute = movedAt; minute < Math.min(next, span.to); minute += MINUTE) {
    const fit = fitAt(minute, old, made);
    if (fit === 'well') return changed(current, old, zone, movedAt, minute);
    if (fit === 'late') late ??= minute;
  }
  return changed(current, old, zone, movedAt, late ?? movedAt);
}

function fitAt(minute: number, old: readonly DueDose[], made: readonly DueDose[]): 'early' | 'well' | 'late' {
  const last = old.findLast((dose) => dose.at < minute);
  const place = made.findIndex((dose) => dose.at >= minute);
  const [next, before, beforeThat] = [made[place], made[place - 1], made[place - 2]];
  if (!last || !next || !before) return 'well';
  const since = next.at - last.at;
  if (since < 0.5 * (next.at - before.at)) return 'early';
  const most = Math.max(next.at - before.at, beforeThat ? before.at - beforeThat.at : 0);
  return since > 1.5 * most ? 'late' : 'well';
}

/** Of a course there are the doses that are left. */
function changed(
  { plan, from: begun }: Prescription,
  old: readonly DueDose[],
  zone: string,
  orderedAt: number,
  from: number,
): Prescription {
  const had = old.filter(({ at }) => begun <= at && at < from).length;
  const left = plan.doses === undefined ? {} : { doses: Math.max(0, plan.doses - had) };
  return { from, orderedAt, plan: { ...plan, zone, ...left }, followsBottle: true };
}
