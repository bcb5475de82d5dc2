import type { AlertChange, Learned } from '#domain';
import type { mongo } from 'mongoose';

/** The update that makes a change of an alert. */
export function toAlertUpdate({
  set = {},
  clear = [],
  learned = {},
  unconfirmed = [],
  event,
}: AlertChange): AlertUpdate {
  return {
    ...toEvidenceUpdate(learned, set, clear),
    ...(unconfirmed.length > 0 && {
      $addToSet: { 'evidence.unconfirmed_doses': { $each: unconfirmed } },
    }),
    $push: { history: event },
  } as unknown as AlertUpdate;
}

/** The update that writes what is known of an alert by now, beside what else is set and cleared. */
export function toEvidenceUpdate(
  learned: Learned,
  set: object = {},
  clear: readonly string[] = [],
): AlertUpdate {
  const evidence = Object.entries(learned).map(([name, value]) => [`evidence.${name}`, value] as const);
  const $set = { ...set, ...Object.fromEntries(evidence.filter(([, value]) => value !== undefined)) };
  const cleared = [...clear, ...evidence.flatMap(([name, value]) => (value === undefined ? [name] : []))];
  return {
    ...(Object.keys($set).length > 0 && { $set }),
    ...(cleared.length > 0 && { $unset: Object.fromEntries(cleared.map((name) => [name, ''])) }),
  };
}

export type AlertUpdate = mongo.UpdateFilter<mongo.Document>;
