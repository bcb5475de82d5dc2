import { collectionOf } from '../collections/families.js';
import { SECOND, startOf } from '../time/units.js';
import type { Tally, Unit } from './tally.js';

/** What is counted by the second, by time of receipt. */
export const LIVE_KINDS = ['heartbeats', 'opened', 'closed', 'refused'] as const;
export type LiveKind = (typeof LIVE_KINDS)[number];

/** One document a minute and kind: a counter a second and a total; for refusals a total a code, too. */
export function liveUnit(kind: LiveKind, at: Date): Unit {
  const minute = startOf('minute', at);
  return {
    collection: collectionOf('ts_live', minute),
    key: { _id: { kind, timestamp_minute: minute } },
    part: { kind: 'document' },
  };
}

export function countLive(tally: Tally, kind: LiveKind, at: Date, amount = 1): void {
  const unit = liveUnit(kind, at);
  tally.add(unit, `seconds.${secondOf(at)}`, amount);
  tally.add(unit, 'total', amount);
}

/** Reports that were refused, by the code of the answer. */
export function countRefused(tally: Tally, code: string, at: Date, amount: number): void {
  countLive(tally, 'refused', at, amount);
  // a name of a field, whatever the code is
  tally.add(liveUnit('refused', at), `codes.${code.replaceAll(/\W/g, '_')}`, amount);
}

function secondOf(at: Date): number {
  return Math.floor((at.getTime() - startOf('minute', at).getTime()) / SECOND);
}
