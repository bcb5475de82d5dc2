import { type Period, recipientsOf } from '#domain';
import type { Types } from 'mongoose';

/** What of the data of a bottle that has changed hands is one owner's. */
export interface OwnersPart {
  user_id: string;
  periods: Period[];
  /** The owner's alerts of this bottle. */
  alert_ids: Types.ObjectId[];
}

/** By the owner that a report or an alert names; everything without a part. */
export const ofOwner = (part: OwnersPart | undefined): { user_id?: string } =>
  part ? { user_id: part.user_id } : {};

/** By time, for what names no owner. */
export function inPeriods(field: string, part: OwnersPart | undefined): object {
  if (!part) return {};
  return {
    $or: part.periods.map(({ from, until }) => ({
      [field]: { $exists: true, ...(from && { $gte: from }), ...(until && { $lt: until }) },
    })),
  };
}

/** By the alerts that they are about, and by recipient. */
export function ofAlerts(part: OwnersPart | undefined): object {
  if (!part) return {};
  return { $or: [{ alert_id: { $in: part.alert_ids } }, { recipient: recipientsOf(part.user_id) }] };
}
