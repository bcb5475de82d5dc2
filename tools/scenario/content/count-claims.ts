import type { BottleStory } from '../facts/scenario-facts.js';
import { type Allowed, type AllowedFields, fields, optional, oneOf, timeOf } from './allowed.js';
import { amountsUpTo } from './pill-amounts.js';

/** Pills that left a bottle by its count, without a closing that reports them. */
interface Fall {
  pills: number;
  from: number;
  until: number;
}

/** Every time at which a report counts fewer pills than the report before it left in the bottle. */
function fallsOf({ counts, actions }: BottleStory, at: number): Fall[] {
  const reports = [
    ...counts.map(({ at: time, pills }) => ({ time, before: pills, after: pills, known: time })),
    ...actions.map(({ time, pillsLeft, pillsTaken, known }) => ({
      time,
      before: pillsLeft + pillsTaken,
      after: pillsLeft,
      known,
    })),
  ]
    .filter(({ known }) => known <= at)
    .toSorted((one, other) => one.time - other.time);
  return reports.flatMap(({ time, before }, index) => {
    const last = reports[index - 1];
    const pills = last ? last.after - before : 0;
    return pills > 0 ? [{ pills, from: last!.time, until: time }] : [];
  });
}

const pillsOf = (falls: readonly Fall[]): number => falls.reduce((sum, { pills }) => sum + pills, 0);

/** What a message may say of pills that no closing of these bottles reported (DOSE-42, LID-7). */
export function unreportedPills(bottles: readonly BottleStory[], at: number): AllowedFields {
  // what arrives late may explain them, and the message says what was known before
  const known = bottles.flatMap((story) => {
    const moments = [at, ...story.actions.map((each) => each.known - 1).filter((each) => each < at)];
    return moments.map((moment) => fallsOf(story, moment));
  });
  const falls = known.flat();
  const most = Math.max(0, ...known.map(pillsOf));
  return {
    unreported_pills: oneOf(amountsUpTo(most)),
    unreported_from: timeOf(...falls.map(({ from }) => from)),
    unreported_until: timeOf(...falls.map(({ until }) => until)),
  };
}

/** What a message may say of a closing of these bottles from which nothing is clear (DOSE-48). */
export function unclearClosings(bottles: readonly BottleStory[], at: number): Allowed {
  const found = bottles.flatMap(({ actions }) => {
    const known = actions.filter((each) => each.known <= at).toSorted((one, other) => one.time - other.time);
    return known.flatMap(({ action, time, pillsTaken, pillsLeft, isWithoutRemoval }, index) => {
      if (action !== 'closed' || pillsTaken !== 0) return [];
      const isFilled = pillsLeft > (known[index - 1]?.pillsLeft ?? Infinity);
      return [
        ...(isFilled ? [{ time, why: 'filled' }] : []),
        ...(isWithoutRemoval ? [{ time, why: 'not_reported' }] : []),
      ];
    });
  });
  return fields({
    at: timeOf(...found.map(({ time }) => time)),
    why: oneOf([...new Set(found.map(({ why }) => why))]),
  });
}

/** The same of a message that need not say it. */
export function mayBeUnreported(bottles: readonly BottleStory[], at: number): AllowedFields {
  return Object.fromEntries(
    Object.entries(unreportedPills(bottles, at)).map(([name, allowed]) => [name, optional(allowed)]),
  );
}
