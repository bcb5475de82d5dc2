import { useState } from 'react';
import { useMay } from '../../../api/session.js';
import type { ListedBottle } from '../../../api/schema.js';

/** More at once would be a mistake more often than a wish. */
const MOST = 200;

/** The bottles that are selected among those of the list. */
export interface Selection {
  bottles: readonly ListedBottle[];
  /** How many of the list can be selected. */
  selectable: number;
  has: (id: string) => boolean;
  toggle: (id: string) => void;
  selectAll: () => void;
  clear: () => void;
}

/** Undefined for those who may not change bottles. A bottle that leaves the list is no longer selected. */
export function useSelection(items: readonly ListedBottle[] | undefined): Selection | undefined {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const shown = items ?? [];
  const isSupport = useMay('support');
  if (!isSupport) return undefined;
  return {
    bottles: shown.filter(({ bottle_id }) => ids.has(bottle_id)),
    selectable: Math.min(shown.length, MOST),
    has: (id) => ids.has(id),
    toggle: (id) => setIds((before) => new Set(before.has(id) ? without(before, id) : [...before, id])),
    selectAll: () => setIds(new Set(shown.slice(0, MOST).map(({ bottle_id }) => bottle_id))),
    clear: () => setIds(new Set()),
  };
}

const without = (ids: ReadonlySet<string>, id: string): string[] => [...ids].filter((one) => one !== id);
