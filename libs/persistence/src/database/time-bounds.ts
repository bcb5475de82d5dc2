import type { QueryFilter } from 'mongoose';

/** From then on, and before then; without one of them there is no such limit. */
export interface TimeBounds {
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Matches entries whose time lies within the bounds: all, without any. */
export function within<T>(field: keyof T & string, { from, to }: TimeBounds): QueryFilter<T> {
  if (!from && !to) return {};
  return { [field]: { ...(from && { $gte: from }), ...(to && { $lt: to }) } };
}
