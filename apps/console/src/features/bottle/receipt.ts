import { queries } from '../../app/services.js';

/** What was erased, for the files of whoever asked for it. */
export interface Receipt {
  bottle_id: string;
  erased_at: string;
  counts: Record<string, number>;
}

const keyOf = (bottleId: string): string[] => ['receipt', bottleId];

/** Kept as long as this page is open: there is nothing else left of the bottle. */
export function keepReceipt(receipt: Receipt): void {
  const queryKey = keyOf(receipt.bottle_id);
  queries.setQueryDefaults(queryKey, { gcTime: Number.POSITIVE_INFINITY });
  queries.setQueryData(queryKey, receipt);
}

export function receiptOf(bottleId: string): Receipt | undefined {
  return queries.getQueryData(keyOf(bottleId));
}
