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

/** What a message may say of pills that no closing reported (DOSE-42, LID-7). */
export function unreportedPills(story: BottleStory, at: number): AllowedFields {
  // what arrives late may explain them, and the message says what was known before
  const moments = [at, ...story.actions.map(({ known }) => known - 1).filter((known) => known < at)];
  const falls = moments.flatMap((moment) => fallsOf(story, moment));
  const most = Math.max(0, ...moments.map((moment) => pillsOf(fallsOf(story, moment))));
  return {
    unreported_pills: oneOf(amountsUpTo(most)),
    unreported_from: timeOf(...falls.map(({ from }) => from)),
    unreported_until: timeOf(...falls.map(({ until }) => until)),
  };
}

/** What a message may say of a closing from which nothing is clear (DOSE-48). */
export function unclearClosings({ actions }: BottleStory, at: number): Allowed {
  const known = actions.filter((each) => each.known <= at).toSorted((one, other) => one.time - other.time);
  const closings = known.filter(({ action, pillsTaken }) => action === 'closed' && pillsTaken === 0);
  const filled = closings.filter(
    (one) => one.pillsLeft > (known[known.indexOf(one) - 1]?.pillsLeft ?? Infinity),
  );
  const unreported = closings.filter(({ isWithoutRemoval }) => isWithoutRemoval);
  const why = [...filled.map(() => 'filled'), ...unreported.map(() => 'not_reported')];
  return fields({
    at: timeOf(...[...filled, ...unreported].map(({ time }) => time)),
    why: oneOf([...new Set(why)]),
  });
}

/** The same of a message that need not say it. */
export function mayBeUnreported(story: BottleStory, at: number): AllowedFields {
  return Object.fromEntries(
    Object.entries(unreportedPills(story, at)).map(([name, allowed]) => [name, optional(allowed)]),
  );
}
