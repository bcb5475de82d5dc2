/**
 * When the reports of a group were received: those that came within one second of the clock share the latest moment
 * of them. So the states of a group follow in one update, or two; and where the database kept a group waiting, each
 * report still has the second in which it came.
 *
 * @returns one time a report, in order.
 */
export function receiveTimes(arrivals: readonly Date[]): Date[] {
  const latest = new Map<number, Date>();
  for (const at of arrivals) {
    const known = latest.get(secondOf(at));
    if (!known || known < at) latest.set(secondOf(at), at);
  }
  return arrivals.map((at) => latest.get(secondOf(at))!);
}

function secondOf(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}
