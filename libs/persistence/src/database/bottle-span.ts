import type { Types } from 'mongoose';

/** A time of a bottle, [from, to). */
export interface BottleSpan {
  bottle_id: Types.ObjectId;
  from: Date;
  to: Date;
}
