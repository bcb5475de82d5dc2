import type { About } from './about.js';
import { type AllowedFields, between, exactly, timeOf } from './allowed.js';
import { keptForLaterBy } from './dose-claims.js';

/**
 * What `doses_missed_in_a_row` may say: since which dose, of those that were over and of which nothing was known to be
 * taken. Which of them could not be known, the scenarios state.
 */
export function missedInARow(about: About, shown: Record<string, unknown>): AllowedFields {
  const { facts, story, event, raisedAt, at } = about;
  const limit = Number(facts.setting('MISSED_IN_A_ROW'));
  const since = Date.parse(String(shown['missed_since']));
  // a mail does not tell it
  const { missed_until: shownUntil } = shown;
  const until = typeof shownUntil === 'string' ? Date.parse(shownUntil) : raisedAt;
  const isForLater = (dose: number): boolean =>
    keptForLaterBy({ ...about, subject: new Date(dose).toISOString() }).length > 0;
  const { intakes } = facts.intakes(story!, raisedAt);
  const untaken = intakes
    .filter(({ dose }) => dose.missedAt <= raisedAt)
    .filter(({ dose, pills }) => pills === 0 || isForLater(dose.at))
    .map(({ dose }) => dose.at);
  return {
    rule: exactly('missed_in_a_row'),
    in_a_row: exactly(limit),
    doses_missed: between(limit, untaken.filter((dose) => since <= dose && dose <= until).length),
    missed_since: timeOf(...untaken),
    missed_until: timeOf(...untaken),
    ...(event === 'resolved' && {
      ended_with_dose: timeOf(
        ...facts
          .doses(story!, at)
          .map((dose) => dose.at)
          .filter((dose) => dose > since),
      ),
    }),
  };
}
