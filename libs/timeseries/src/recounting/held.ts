import type { mongo } from 'mongoose';
import type { Counts, Part } from '../counting/tally.js';

/** Counts by their path from the document's root. */
export type Paths = Map<string, number>;

/** Sums of grams are off by no more, in whatever order they were added. */
const ROUNDING = 1e-6;

/** What a unit of a document holds, under the paths that are counted into. */
export function heldBy(part: Part, document: mongo.Document): Paths {
  const held: Paths = new Map();
  switch (part.kind) {
    case 'document':
      for (const name of ['values', 'hours', 'sums']) collect(held, name, document[name]);
      return held;
    case 'field':
      // what was rolled up, and what came beside that: both are counted anew into the second
      for (const name of ['values', 'late'] as const)
        collect(held, `late.${part.field}`, (document[name] as mongo.Document | undefined)?.[part.field]);
      return held;
    case 'hour': {
      const days = document['days'] as { hours: mongo.Document[] }[];
      collect(held, `days.${part.day}.hours.${part.hour}`, days[part.day]?.hours[part.hour]);
      return held;
    }
  }
}

/** What has to be added to what is held, so that it is what was counted from the log. */
export function missing(
  part: Part,
  counted: Counts | undefined,
  held: Paths,
  isKept: (path: string) => boolean,
): Paths {
  const under = part.kind === 'hour' ? `days.${part.day}.hours.${part.hour}.` : '';
  const sums = [...(counted?.sums ?? [])].filter(([path]) => path.startsWith(under));
  const added: Paths = new Map(sums);
  for (const [path, amount] of held) added.set(path, (added.get(path) ?? 0) - amount);
  for (const [path, amount] of added) if (Math.abs(amount) < ROUNDING || isKept(path)) added.delete(path);
  if (part.kind === 'hour') addToLevelsAbove(added, part);
  return added;
}

/** The sums of the month and of the day grow by what their hour grows by. */
function addToLevelsAbove(added: Paths, { day, hour }: { day: number; hour: number }): void {
  for (const key of ['pills_taken', 'doses']) {
    const amount = added.get(`days.${day}.hours.${hour}.${key}`);
    if (amount === undefined) continue;
    added.set(key, amount);
    added.set(`days.${day}.${key}`, amount);
  }
}

/** Numbers under a path; the extremes of samples are no sums. */
function collect(held: Paths, path: string, value: unknown): void {
  if (typeof value === 'number') {
    if (!/\.(min|max)$/.test(path)) held.set(path, (held.get(path) ?? 0) + value);
  } else if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    for (const [name, inner] of Object.entries(value)) collect(held, `${path}.${name}`, inner);
  }
}
