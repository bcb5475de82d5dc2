import type { Removal } from './match.js';

/** Adds when removals were reported: of several actions at one moment, the earliest report. */
export function withReceipts(
  removals: readonly Removal[],
  receipts: readonly { time: Date; received_at: Date }[],
): Removal[] {
  const reported = new Map<number, Date>();
  for (const { time, received_at } of receipts) {
    const known = reported.get(time.getTime());
    if (!known || received_at < known) reported.set(time.getTime(), received_at);
  }
  return removals.map((removal) => {
    const received_at = reported.get(removal.time.getTime());
    return received_at ? { ...removal, received_at } : removal;
  });
}
